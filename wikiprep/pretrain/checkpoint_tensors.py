"""Tensors of a checkpoint folder that others made: safetensors, in one file or several, or torch's older `.bin`.

Nothing in such a file is run: `.bin` files are read as weights only.
"""

import json
import pickle
from collections.abc import Mapping
from pathlib import Path
from typing import TypeVar

import torch
from safetensors import SafetensorError, safe_open
from safetensors.torch import load_file
from torch import Tensor, nn

from wikiprep.errors import UsageError, WikiprepError

M = TypeVar("M", bound=nn.Module)

_SINGLE_FILES = ("model.safetensors", "pytorch_model.bin")
_INDEX_FILES = ("model.safetensors.index.json", "pytorch_model.bin.index.json")
HUB_FILES = ["*.safetensors", "*.bin", "*.json", "*.jsonl", "*.tsv", "*.txt"]


def checkpoint_folder(spec: str, *, fetch: bool = True) -> Path:
    """The folder that `spec` names: a path, or a name on the Hugging Face hub (its cached copy, else fetched).

    Raises UsageError where there is neither.
    """
    path = Path(spec).expanduser()
    if path.is_dir():
        return path
    if path.exists() or spec.count("/") > 1 or spec.startswith((".", "/", "~")):
        raise UsageError(f"{spec}: no such checkpoint folder", "give a folder with model.safetensors, or a hub name")
    import huggingface_hub  # slow to import, and few runs need it
    from huggingface_hub.errors import HFValidationError

    for cached_only in (True, False) if fetch else (True,):
        try:
            return Path(huggingface_hub.snapshot_download(spec, allow_patterns=HUB_FILES, local_files_only=cached_only))
        except HFValidationError as error:
            raise UsageError(f"{spec}: no such folder, and no name of the hub", "give one or the other") from error
        except Exception as error:  # the library's, httpx's and the socket's own: whatever kept it from coming
            reason = str(error).splitlines()[0]
    raise UsageError(
        f"{spec}: no such folder here, and the hub gave nothing ({reason})", "give a folder with model.safetensors"
    )


def weight_files(folder: Path) -> list[Path]:
    """The files that hold its tensors. Raises WikiprepError where there are none or one is missing."""
    for name in _SINGLE_FILES:
        if (folder / name).is_file():
            return [folder / name]
    for name in _INDEX_FILES:
        if (folder / name).is_file():
            return _indexed_files(folder, folder / name)
    raise UsageError(f"{folder}: no weights in it", f"a checkpoint folder holds {' or '.join(_SINGLE_FILES)}")


def read_tensors(folder: Path) -> dict[str, Tensor]:
    """All tensors of the folder by name, on the CPU. Raises WikiprepError where there are none or a file is damaged."""
    tensors: dict[str, Tensor] = {}
    for path in weight_files(folder):
        tensors |= _read_file(path)
    return tensors


def tensor_names(folder: Path) -> set[str]:
    """The names alone; of safetensors without reading what they name. Raises as `read_tensors`."""
    names: set[str] = set()
    for path in weight_files(folder):
        names |= _safetensors_names(path) if path.suffix == ".safetensors" else set(_read_file(path))
    return names


def _safetensors_names(path: Path) -> set[str]:
    try:
        with safe_open(path, "pt") as file:
            return set(file.keys())
    except (SafetensorError, OSError) as error:
        raise _read_error(path, error) from error


def _indexed_files(folder: Path, index: Path) -> list[Path]:
    try:
        names = sorted(set(json.loads(index.read_text(encoding="utf-8"))["weight_map"].values()))
    except (ValueError, KeyError, AttributeError) as error:
        raise WikiprepError(f"{index}: not an index of weights ({error})", "get the checkpoint again") from error
    for name in names:
        if not (folder / name).is_file():
            raise WikiprepError(f"{folder / name}: missing, but {index.name} names it", "get the checkpoint again")
    return [folder / name for name in names]


def _read_file(path: Path) -> dict[str, Tensor]:
    try:
        if path.suffix == ".safetensors":
            return load_file(path)
        tensors = torch.load(path, map_location="cpu", weights_only=True)
    except (SafetensorError, RuntimeError, OSError, EOFError, pickle.UnpicklingError) as error:
        raise _read_error(path, error) from error
    return {name: tensor for name, tensor in tensors.items() if isinstance(tensor, Tensor)}


def _read_error(path: Path, error: Exception) -> WikiprepError:
    reason = str(error).splitlines()[0]
    return WikiprepError(f"{path}: cannot be read ({reason})", "is it whole, and not a Git LFS pointer?")


def fill_model(about: Path, model: M, weights: Mapping[str, Tensor]) -> M:
    """`model` with the tensors of a checkpoint of ours. Raises WikiprepError where they are not its own, each."""
    state = model.state_dict()
    for name in sorted({*state, *weights}):
        ours, theirs = (getattr(tensors.get(name), "shape", "absent") for tensors in (state, weights))
        if ours != theirs:
            raise WikiprepError(
                f"{about}: the checkpoint's {name} is {_format_shape(theirs)}, the model's {_format_shape(ours)}",
                "is the about folder of this checkpoint's run?",
            )
    model.load_state_dict(dict(weights))
    return model


def _format_shape(shape: object) -> str:
    return "absent" if shape == "absent" else str(tuple(shape))  # type: ignore[arg-type]
