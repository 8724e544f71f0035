"""Writing a checkpoint: every rank its part, through torch.distributed.checkpoint, as safetensors."""

import os
import uuid
from pathlib import Path

import torch.distributed as dist
from torch import Tensor
from torch.distributed.checkpoint.api import CheckpointException
from torch.distributed.checkpoint.hf_storage import HuggingFaceStorageWriter
from torch.distributed.checkpoint.state_dict_saver import save as save_shares

from wikiprep.errors import WikiprepError
from wikiprep.files import sha256_of
from wikiprep.pretrain.checkpoint.folder import Header, folder_name, remove_old, write_header
from wikiprep.pretrain.ranks import Ranks


def save(folder: Path, state: dict[str, Tensor], header: Header, keep: int, ranks: Ranks) -> Path:
    """Write `state` (the same names on every rank) as a checkpoint in `folder`, and remove all but the newest `keep`.

    Raises WikiprepError on every rank where one could not write; then there is no checkpoint of this step.
    """
    name = folder_name(header.step)
    part = folder / ranks.from_first(f".{name}-{uuid.uuid4().hex[:12]}")
    error = None
    if ranks.first:
        try:
            part.mkdir(parents=True)
        except OSError as failed:
            error = _error(part, failed)
    ranks.agree(error)
    # A failed rank's exception reaches all of them as one of the library's own, which is no Exception.
    try:
        save_shares(state, storage_writer=HuggingFaceStorageWriter(str(part), save_distributed=True))
        mine = {path.name: _entry(path) for path in sorted(part.glob(f"shard-{ranks.rank + 1:05d}-*"))}
    except CheckpointException as failed:
        cause = next((reason[0] for reason in failed.failures.values()), failed)
        error = _error(part, cause)
    except OSError as failed:
        error = _error(part, failed)
    ranks.agree(error)
    files = {name: entry for entries in ranks.gather(mine) for name, entry in entries.items()}
    if ranks.first:
        try:
            write_header(part, header, files)
            _to_disk(part / "checkpoint.json")
            target = folder / name
            if target.exists():  # a damaged one that was passed over
                target.rename(folder / f".{name}-{uuid.uuid4().hex[:12]}")
            part.rename(target)
            _to_disk(folder)
            remove_old(folder, header.step, keep)
        except OSError as failed:
            error = _error(part, failed)
    ranks.agree(error)
    dist.barrier()
    return folder / name


def _entry(path: Path) -> dict[str, object]:
    _to_disk(path)
    return {"size": path.stat().st_size, "sha256": sha256_of(path)}


def _to_disk(path: Path) -> None:
    handle = os.open(path, os.O_RDONLY)
    try:
        os.fsync(handle)
    finally:
        os.close(handle)


def _error(path: Path, cause: BaseException) -> WikiprepError:
    reason = cause.strerror if isinstance(cause, OSError) and cause.strerror else str(cause).splitlines()[0]
    return WikiprepError(
        f"{path.parent}: a checkpoint could not be written ({reason})",
        "make room or check the disk; the same command goes on from the last checkpoint",
    )
