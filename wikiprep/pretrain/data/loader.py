"""Shares of the next global batches, made ahead by worker processes and handed over in order.

A worker makes whole shares, every n-th one, so their number changes nothing but speed. Workers come from a fork server:
forking a process that holds a GPU or threads is not safe. They end when their rank does, however that ends: they watch
it themselves, since torch's watchdog looks at the parent process, which is the fork server, and that lives as long as
its children do.
"""

import multiprocessing
import os
import select
import shutil
import threading
from collections.abc import Iterable, Iterator
from dataclasses import dataclass
from functools import partial
from multiprocessing.util import get_temp_dir
from typing import Any, cast

from torch.utils.data import DataLoader, Dataset

from wikiprep.pretrain.data.fork_server import start_fork_server
from wikiprep.pretrain.data.share import Failure, Share, ShareMaker
from wikiprep.pretrain.data.skips import NOTHING, Skips
from wikiprep.pretrain.data.stream import Places, Stream

AHEAD = 2  # shares that a worker makes before they are asked for
LOOK_AHEAD = 32  # global batches: shards of a corpus at an address are fetched so much before they are read


@dataclass(frozen=True)
class GlobalBatches(Dataset[Any]):
    """The shares of a rank by number, counted from position `start` of the stream; what `skips` has is left out."""

    maker: ShareMaker
    stream: Stream
    start: int
    size: int  # records of a global batch
    skips: Skips = NOTHING

    def __getitem__(self, number: int) -> Share | Failure:
        places = self._places(number)
        if self.maker.reads_ahead:
            self.maker.coming(places)
            self.maker.coming(self._places(number + LOOK_AHEAD))
        return self.maker.share(places)

    def _places(self, number: int) -> Places:
        first = self.skips.after(self.start, number * self.size)
        return self.stream.places_at(self.skips.take(first, self.size))


def shares(batches: GlobalBatches, count: int, workers: int, pin: bool) -> Iterator[Share | Failure]:
    """The first `count` shares, in order."""
    context = multiprocessing.get_context("forkserver") if workers else None
    loader: DataLoader[Any] = DataLoader(
        batches,
        batch_size=None,
        sampler=range(count),
        num_workers=workers,
        collate_fn=_identity,
        pin_memory=pin,
        multiprocessing_context=context,
        prefetch_factor=AHEAD if workers else None,
        worker_init_fn=partial(_end_with_rank, os.getpid(), _fork_server_folder()) if workers else None,
    )
    return _errors_as_failures(_with_fork_server(cast(Iterable[Share | Failure], loader), workers))


def _with_fork_server(loaded_shares: Iterable[Share | Failure], workers: int) -> Iterator[Share | Failure]:
    if workers:
        start_fork_server(__name__)
    yield from loaded_shares


def _errors_as_failures(loaded_shares: Iterable[Share | Failure]) -> Iterator[Share | Failure]:
    """The same, with a worker that cannot start or was killed as a failure that all ranks can be told of."""
    try:
        yield from loaded_shares
    except OSError as error:
        if str(error) != "AF_UNIX path too long":
            raise
        yield Failure(
            f"{get_temp_dir()}: too long a path for the socket of the processes that read records",
            "set TMPDIR to a shorter one, or data.workers to 0",
        )
    except RuntimeError as error:
        if "DataLoader worker" not in str(error):
            raise
        yield Failure(
            f"a process that reads records was ended from without ({str(error).splitlines()[0]})",
            "for want of memory, if nobody did it: lower data.workers; the same command goes on from a checkpoint",
        )


def _fork_server_folder() -> str | None:
    """Where this process's fork server has its socket; None where that is another's, from which this one was forked."""
    return get_temp_dir() if multiprocessing.parent_process() is None else None


def _end_with_rank(rank: int, folder: str | None, worker: int) -> None:
    """In a worker: end when the process `rank` does, and remove `folder`, which it cannot when it is killed."""
    try:
        handle = os.pidfd_open(rank)
    except ProcessLookupError:
        os._exit(1)

    def watch() -> None:
        select.select([handle], [], [])  # readable when the process is no more
        if folder is not None:
            shutil.rmtree(folder, ignore_errors=True)
        os._exit(1)

    threading.Thread(target=watch, daemon=True).start()


def _identity(share: Any) -> Any:
    return share
