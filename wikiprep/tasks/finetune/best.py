"""The weights that a run keeps for good: those of its best epoch, or of its last one, with their development score.

    RUN/best/best.json, model-….safetensors

`best.json` is written last and names the file, so that a run that is killed at any moment has the one before.
"""

import json
from dataclasses import asdict, dataclass
from pathlib import Path

import torch
from safetensors import SafetensorError
from safetensors.torch import load_file, save_file
from torch import Tensor, nn
from torch.distributed.tensor import DTensor

from wikiprep.errors import WikiprepError
from wikiprep.files import sha256_of, whole_file

BEST, ABOUT_BEST = "best", "best.json"


@dataclass(frozen=True)
class Best:
    """`score`: of the figure that chooses, on the development set; None where there is none."""

    step: int
    epoch: float
    score: float | None
    figures: dict[str, float]
    file: str
    sha256: str


def whole_tensors(model: nn.Module) -> dict[str, Tensor]:
    """All parameters, put together of the ranks' shares where there are such: every rank must call it."""
    tensors = {}
    for name, tensor in model.state_dict().items():
        full = tensor.full_tensor() if isinstance(tensor, DTensor) else tensor
        tensors[name] = full.detach().to("cpu", torch.float32, copy=True).contiguous()
    return tensors


def save_best(
    folder: Path, tensors: dict[str, Tensor], step: int, epoch: float, score: float | None, figures: dict[str, float]
) -> None:
    """Write them as the ones to keep. Raises WikiprepError where the disk does not take them."""
    name = f"model-{step:08d}.safetensors"
    try:
        folder.mkdir(exist_ok=True)
        save_file(tensors, folder / f".{name}", {"format": "pt"})
        (folder / f".{name}").replace(folder / name)
        best = Best(step, epoch, score, figures, name, sha256_of(folder / name))
        with whole_file(folder / ABOUT_BEST) as file:
            file.write(json.dumps(asdict(best), indent=1).encode() + b"\n")
        for path in (*folder.glob("model-*.safetensors"), *folder.glob(".model-*")):
            if path.name != name:
                path.unlink()
    except (OSError, SafetensorError) as error:  # what a full disk is to safetensors is no OSError
        raise WikiprepError(
            f"{folder}: the best weights could not be written ({getattr(error, 'strerror', None) or error})",
            "make room or check the disk; the same command goes on from the last checkpoint",
        ) from error


def read_best(folder: Path) -> Best | None:
    """What there is; None where there is nothing. Raises WikiprepError for a damaged one."""
    path = folder / ABOUT_BEST
    if not path.is_file():
        return None
    try:
        return Best(**json.loads(path.read_text(encoding="utf-8")))
    except (OSError, ValueError, TypeError) as error:
        raise WikiprepError(f"{path}: cannot be read ({error})", "begin anew with --overwrite") from error


def load_best_tensors(folder: Path) -> dict[str, Tensor]:
    """The weights. Raises WikiprepError where they are missing or not what was written."""
    best = read_best(folder)
    path = folder / (best.file if best else "model.safetensors")
    if best is None or not path.is_file() or sha256_of(path) != best.sha256:
        raise WikiprepError(f"{path}: missing or damaged", "train anew with --overwrite, or take a copy")
    return load_file(path)
