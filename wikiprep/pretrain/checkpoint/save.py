"""Writing a checkpoint: every rank its part, through torch.distributed.checkpoint, as safetensors.

In two halves. What a rank has is written beside its final place, with size and checksum of each file: at once, or from
a copy in the host's memory by a thread, while training goes on. When all ranks have theirs, the header is written and
the folder gets its name. So a checkpoint is whole or absent either way.

What is written are tensors of a run by name: parameters, persistent buffers, and the optimiser's moments. Under FSDP
these are this rank's shares (DTensors), which the checkpoint library puts together and cuts anew. Nothing else has
state: the learning rate is a function of the step, the order and the masks of (seed, epoch), dropout's generator of
(seed, step, rank).
"""

import os
import uuid
from collections.abc import Callable
from concurrent.futures import Future, ThreadPoolExecutor
from dataclasses import dataclass
from pathlib import Path
from typing import cast

import torch.distributed as dist
from torch import Tensor, nn
from torch.distributed.checkpoint.api import CheckpointException
from torch.distributed.checkpoint.hf_storage import HuggingFaceStorageWriter
from torch.distributed.checkpoint.state_dict_saver import async_save
from torch.distributed.checkpoint.state_dict_saver import save as save_shares
from torch.distributed.tensor import DTensor

from wikiprep.errors import WikiprepError
from wikiprep.files import sha256_of
from wikiprep.pretrain.checkpoint.folder import Header, folder_name, remove_old, write_header
from wikiprep.pretrain.optimizer import AdamW
from wikiprep.pretrain.ranks import Ranks

_Entries = dict[str, dict[str, object]]
MODEL, OPTIMIZER = "model.", "optimizer."


@dataclass(frozen=True)
class Saving:
    """A checkpoint of which parts may still be written."""

    folder: Path
    part: Path
    header: Header
    _written: "Future[_Entries | WikiprepError]"

    def written(self) -> bool:
        """Whether this rank's part is on disk, or could not be written."""
        return self._written.done()

    def finish(self, keep: int, ranks: Ranks) -> Path:
        """Wait for all parts, make it a checkpoint, and remove all but the newest `keep`. All ranks must call it.

        Raises WikiprepError on every rank where one could not write; then there is no checkpoint of this step.
        """
        outcome = self._written.result()
        error = outcome if isinstance(outcome, WikiprepError) else None
        ranks.agree(error)
        files = {name: entry for entries in ranks.gather(outcome) for name, entry in entries.items()}
        name = folder_name(self.header.step)
        target = self.folder / name
        if ranks.first:
            try:
                write_header(self.part, self.header, files)
                _sync_to_disk(self.part / "checkpoint.json")
                if target.exists():  # a damaged one that was passed over
                    target.rename(self.folder / f".{name}-{uuid.uuid4().hex[:12]}")
                self.part.rename(target)
                _sync_to_disk(self.folder)
                remove_old(self.folder, self.header.step, keep)
            except OSError as failed:
                error = _write_error(self.part, failed)
        ranks.agree(error)
        dist.barrier()
        return target


def begin(
    folder: Path, state: dict[str, Tensor], header: Header, ranks: Ranks, group: dist.ProcessGroup | None = None
) -> Saving:
    """Write `state` (the same names on every rank) for a checkpoint in `folder`.

    With `group`, of all ranks and for nothing else, from a copy, by a thread; `state` may change when this returns.
    Raises WikiprepError on every rank where the folder cannot be made.
    """
    part = folder / ranks.from_first(f".{folder_name(header.step)}-{uuid.uuid4().hex[:12]}")
    error = None
    if ranks.first:
        try:
            part.mkdir(parents=True)
        except OSError as failed:
            error = _write_error(part, failed)
    ranks.agree(error)
    writer = HuggingFaceStorageWriter(str(part), save_distributed=True)
    future: Future[_Entries | WikiprepError]
    if group is None:
        future = Future()
        future.set_result(_write_part(part, ranks.rank, lambda: save_shares(state, storage_writer=writer)))
    else:
        own_state = part_of_rank(state, ranks.rank, ranks.world)
        save_future = cast("Future[object]", async_save(own_state, storage_writer=writer, process_group=group))
        thread = ThreadPoolExecutor(max_workers=1)
        future = thread.submit(_write_part, part, ranks.rank, save_future.result)
        thread.shutdown(wait=False)
    return Saving(folder, part, header, future)


def save(folder: Path, state: dict[str, Tensor], header: Header, keep: int, ranks: Ranks) -> Path:
    """Write `state` as a checkpoint in `folder` at once. Raises as `begin` and `Saving.finish`."""
    return begin(folder, state, header, ranks).finish(keep, ranks)


def _write_part(part: Path, rank: int, write: Callable[[], object]) -> "_Entries | WikiprepError":
    """Size and checksum of this rank's files; what kept them from being written."""
    # A failed rank's exception reaches all of them as one of the library's own, which is no Exception.
    try:
        write()
        return {path.name: _entry(path) for path in sorted(part.glob(f"shard-{rank + 1:05d}-*"))}
    except CheckpointException as failed:
        return _write_error(part, next((reason[0] for reason in failed.failures.values()), failed))
    except (OSError, RuntimeError) as failed:  # RuntimeError: another rank is gone, or too slow
        return _write_error(part, failed)


def _entry(path: Path) -> dict[str, object]:
    _sync_to_disk(path)
    return {"size": path.stat().st_size, "sha256": sha256_of(path)}


def _sync_to_disk(path: Path) -> None:
    handle = os.open(path, os.O_RDONLY)
    try:
        os.fsync(handle)
    finally:
        os.close(handle)


def _write_error(path: Path, cause: BaseException) -> WikiprepError:
    message = (str(cause).splitlines() or [type(cause).__name__])[0]
    reason = cause.strerror if isinstance(cause, OSError) and cause.strerror else message[:200]
    return WikiprepError(
        f"{path.parent}: a checkpoint could not be written ({reason})",
        "make room or check the disk; the same command goes on from the last checkpoint",
    )


def model_state(model: nn.Module) -> dict[str, Tensor]:
    """Parameters and persistent buffers; one that has two names comes once."""
    parameters = {name: parameter.detach() for name, parameter in model.named_parameters()}
    persistent = model.state_dict(keep_vars=True)
    buffers = {name: buffer for name, buffer in model.named_buffers() if name in persistent}
    return {MODEL + name: tensor for name, tensor in (parameters | buffers).items()}


def optimizer_state(model: nn.Module, optimizer: AdamW) -> dict[str, Tensor]:
    """The moments of all that is trained, by the name of the parameter."""
    names = {id(parameter): name for name, parameter in model.named_parameters()}
    return {
        f"{OPTIMIZER}{names[id(parameter)]}.{moment}": tensor
        for parameter, moments in optimizer.moments()
        for moment, tensor in moments.items()
    }


def part_of_rank(state: dict[str, Tensor], rank: int, world: int) -> dict[str, Tensor]:
    """What rank `rank` is to write of a state that all ranks have.

    Its shares, and of what is whole on each a part of about equal size, so that nobody copies all of it.
    """
    own_state: dict[str, Tensor] = {}
    sizes = [0] * world
    for name, tensor in sorted(state.items(), key=lambda item: (-item[1].numel(), item[0])):
        owner = rank
        if not isinstance(tensor, DTensor):
            owner = sizes.index(min(sizes))
            sizes[owner] += tensor.numel()
        if owner == rank:
            own_state[name] = tensor
    return own_state
