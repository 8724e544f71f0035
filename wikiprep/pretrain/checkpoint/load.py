"""Finding the newest whole checkpoint, and reading it into a model of any number of ranks."""

import warnings
from collections.abc import Callable
from pathlib import Path

import torch
from torch import Tensor
from torch.distributed.checkpoint.api import CheckpointException
from torch.distributed.checkpoint.hf_storage import HuggingFaceStorageReader
from torch.distributed.checkpoint.metadata import TensorStorageMetadata
from torch.distributed.checkpoint.state_dict_loader import load as load_shares

from wikiprep.errors import WikiprepError
from wikiprep.files import sha256_of
from wikiprep.pretrain.checkpoint.folder import Header, checkpoints_of, read_header
from wikiprep.pretrain.checkpoint.save import MODEL
from wikiprep.pretrain.ranks import Ranks


def newest_whole(folder: Path, ranks: Ranks, note: Callable[[str], None]) -> tuple[Path, Header] | None:
    """The newest checkpoint whose files are as they were written; each damaged one before it is told to `note`.

    The ranks share the files out, each reads its part once. None where there is no checkpoint at all.
    Raises WikiprepError where there are some, but none is whole.
    """
    checkpoints = ranks.from_first(checkpoints_of(folder))
    for path in checkpoints:
        problems = [problem for problem in ranks.gather(problem_of(path, ranks)) if problem]
        if not problems:
            return path, read_header(path)[0]
        note(f"{problems[0]}; the checkpoint before it is taken")
    if checkpoints:
        raise WikiprepError(
            f"{folder}: all {len(checkpoints)} checkpoints are damaged",
            "begin anew with --overwrite, or another --output",
        )
    return None


def load(path: Path, state: dict[str, Tensor]) -> None:
    """Fill the tensors of `state` in place. Raises WikiprepError where the checkpoint has others."""
    try:
        load_shares(state, storage_reader=HuggingFaceStorageReader(str(path)))
    except CheckpointException as error:
        cause = next((reason[0] for reason in error.failures.values()), error)
        raise WikiprepError(
            f"{path}: does not fit the model ({str(cause).splitlines()[0][:300]})",
            "it is of another configuration: give the one of its run (config.toml), or another --output",
        ) from error


def read_weights(path: Path) -> dict[str, Tensor]:
    """All parameters and buffers of a checkpoint by the model's names, put together on the CPU, whatever wrote it."""
    reader = HuggingFaceStorageReader(str(path))
    state = {}
    for name, metadata in reader.read_metadata().state_dict_metadata.items():
        if name.startswith(MODEL) and isinstance(metadata, TensorStorageMetadata):
            state[name] = torch.empty(metadata.size, dtype=metadata.properties.dtype)
    with warnings.catch_warnings():
        warnings.simplefilter("ignore", UserWarning)  # that it is not distributed
        load_shares(state, storage_reader=HuggingFaceStorageReader(str(path)), no_dist=True)
    return {name.removeprefix(MODEL): tensor for name, tensor in state.items()}


def problem_of(path: Path, ranks: Ranks) -> str | None:
    """What is wrong with the files that are this rank's to check."""
    try:
        _, files = read_header(path)
    except WikiprepError as error:
        return error.what
    for number, (name, entry) in enumerate(sorted(files.items())):
        if number % ranks.world != ranks.rank:
            continue
        file = path / name
        if not file.is_file():
            return f"{file}: missing"
        if file.stat().st_size != entry["size"] or sha256_of(file) != entry["sha256"]:
            return f"{file}: damaged (its sha256 is not that of checkpoint.json)"
    return None
