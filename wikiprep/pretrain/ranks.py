"""The processes of a run: which of them this one is, its device, and how they add numbers up and tell of errors.

One process without torchrun is a group of one, so that all else knows one way only. Objects and counts travel over
gloo on the CPU, gradients over NCCL where there are GPUs.
"""

import datetime
import os
from collections.abc import Iterator, Mapping
from contextlib import contextmanager
from dataclasses import dataclass
from typing import Any, cast

import torch
import torch.distributed as dist
from torch import Tensor
from torch.distributed.device_mesh import DeviceMesh, init_device_mesh

from wikiprep.errors import WikiprepError


@dataclass(frozen=True)
class Ranks:
    """This process among `world` of them."""

    rank: int
    world: int
    device: torch.device

    @property
    def first(self) -> bool:
        """Whether this is the rank that writes and speaks."""
        return self.rank == 0

    def mesh(self, replicas: int = 1) -> DeviceMesh:
        """All ranks in a row, for FSDP; or `replicas` rows of as many ranks, neighbours in one, for HSDP."""
        if replicas == 1:
            return init_device_mesh(self.device.type, (self.world,))
        shape, names = (replicas, self.world // replicas), ("replicas", "shares")
        return init_device_mesh(self.device.type, shape, mesh_dim_names=names)

    def group(self, timeout_minutes: float) -> dist.ProcessGroup:
        """All of them once more over gloo, for a thread beside the trainer. Every rank must ask.

        A new group knows nothing of the timeout of the first one.
        """
        timeout = datetime.timedelta(minutes=timeout_minutes)
        return cast(dist.ProcessGroup, dist.new_group(timeout=timeout, backend="gloo"))

    def add(self, numbers: Mapping[str, float]) -> dict[str, float]:
        """The sums over all ranks; every rank must give the same names."""
        return self.begin_adding(numbers).wait()

    def begin_adding(self, numbers: Mapping[str, float]) -> "Summing":
        """The same, without waiting for the others yet."""
        names = sorted(numbers)
        sums = torch.tensor([float(numbers[name]) for name in names], dtype=torch.float64)
        return Summing(names, sums, dist.all_reduce(sums, async_op=True))

    def gather(self, thing: Any) -> list[Any]:
        """What each rank gives, by rank, on every rank."""
        things: list[Any] = [None] * self.world
        dist.all_gather_object(things, thing)
        return things

    def from_first(self, thing: Any) -> Any:
        """What rank 0 gives, on every rank."""
        things = [thing]
        dist.broadcast_object_list(things, src=0)
        return things[0]

    def agree(self, error: WikiprepError | None) -> None:
        """Where a rank has an error, all end: the first that met it with its message, the others with a word on it."""
        messages = self.gather(error.what if error is not None else None)
        if error is not None and messages.index(error.what) == self.rank:
            raise self.with_rank(error)
        failed = [rank for rank, what in enumerate(messages) if what is not None]
        if failed:
            raise WikiprepError(
                f"rank {self.rank}: ended because rank {failed[0]} met an error", "its message says what"
            )

    def with_rank(self, error: WikiprepError) -> WikiprepError:
        """The error with the rank in front, where there are several."""
        if self.world == 1:
            return error
        named_error = WikiprepError(f"rank {self.rank}: {error.what}", error.hint)
        named_error.exit_code = error.exit_code
        return named_error


@dataclass(frozen=True)
class Summing:
    """Sums over all ranks that are on their way."""

    _names: list[str]
    _sums: Tensor
    _work: Any

    def wait(self) -> dict[str, float]:
        """The sums by name, when all ranks have given theirs."""
        self._work.wait()
        return dict(zip(self._names, self._sums.tolist(), strict=True))


@contextmanager
def join_ranks(timeout_minutes: float) -> Iterator[Ranks]:
    """Join the processes that torchrun started, or be one alone.

    Raises WikiprepError where another rank went away without a word. A group of several is only taken down in order
    when all went well: taking it down waits for ranks that may be gone.
    """
    cuda = torch.cuda.is_available()
    rank, world = int(os.environ.get("RANK", 0)), int(os.environ.get("WORLD_SIZE", 1))
    local_rank = int(os.environ.get("LOCAL_RANK", 0))
    device = torch.device("cuda", local_rank) if cuda else torch.device("cpu")
    if cuda:
        if local_rank >= torch.cuda.device_count():
            raise WikiprepError(
                f"rank {rank}: no GPU number {local_rank} (there are {torch.cuda.device_count()})",
                "give torchrun --nproc-per-node the number of GPUs",
            )
        torch.cuda.set_device(device)
    timeout = datetime.timedelta(minutes=timeout_minutes)
    backend = "cpu:gloo,cuda:nccl" if cuda else "gloo"
    if "RANK" in os.environ:
        dist.init_process_group(backend, timeout=timeout)
    else:
        store = dist.HashStore()  # type: ignore[attr-defined]
        dist.init_process_group(backend, timeout=timeout, store=store, rank=0, world_size=1)
    in_order = world == 1
    try:
        yield Ranks(rank, world, device)
        in_order = True
    except RuntimeError as error:
        if world > 1 and _is_lost(error):
            raise WikiprepError(
                f"rank {rank}: lost the other ranks ({str(error).splitlines()[0][:200]})",
                "the message of the rank that went first says why; the same command goes on from the last checkpoint",
            ) from error
        raise
    finally:
        if in_order:
            dist.destroy_process_group()


def _is_lost(error: RuntimeError) -> bool:
    phrases = ("closed by peer", "reset by peer", "imed out", "broken pipe", "timeout", "connect")
    return isinstance(error, dist.DistError) or any(word in str(error).lower() for word in phrases)
