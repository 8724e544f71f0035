"""Shards of a corpus at an address, on this machine's disk when they are needed, within a limit.

One folder for all processes of the machine, and for several corpora: a shard's file is called by its sha256, so that a
corpus that was built anew is another. It is fetched whole, compared with the manifest's size and sha256, and has its
name only then. Whoever fetches or opens a shard holds its lock; whoever makes room holds that of the folder, and takes
away what was not asked for the longest, unless it is locked. A file that is taken away stays readable for those who
have it mapped, and its place on disk is free when they let it go (`RecordReader` does so when it next opens another).
"""

import contextlib
import fcntl
import os
import re
import time
from collections.abc import Callable, Iterable, Iterator, Mapping
from concurrent.futures import ThreadPoolExecutor
from dataclasses import dataclass
from pathlib import Path
from typing import Any

import pyarrow as pa

from wikiprep.corpus.shards import open_shard
from wikiprep.disk_errors import is_full, translate_disk_errors
from wikiprep.errors import UsageError, WikiprepError
from wikiprep.files import Store, sha256_of
from wikiprep.records.shard_index import ShardIndex, index_of, read_index, write_index
from wikiprep.scratch_folders import CACHE_SECONDS, PART, own_folder

ATTEMPTS = 5
FIRST_WAIT = 1.0  # seconds before the second attempt; each later one waits twice as long
CONNECTIONS = 4  # fetches of a process at once
_SHARD, _LOCK, _INDEX = ".arrow", ".lock", ".npz"
_FULL = "give data.cache_gb, and data.shuffle_shards with it, or another data.cache_folder"
_OURS = re.compile(rf"([0-9a-f]{{64}})({_SHARD}|{PART})")
_SWEPT = re.compile(rf"([0-9a-f]{{64}})({_SHARD}|{PART}|{_LOCK}|(-pairs-[0-9.e-]+)?{_INDEX})")


@dataclass(frozen=True)
class RemoteShard:
    """A shard as the manifest has it."""

    name: str
    size: int
    sha256: str


@dataclass(frozen=True)
class ShardCache:
    """The cached shards of the corpus `url`. `limit`: bytes that the whole `folder` may hold; 0: as many as there are.

    Can be pickled into workers.
    """

    url: str
    folder: Path
    limit: int = 0

    @classmethod
    def of(cls, url: str, folder: str = "", gigabytes: float = 0.0) -> "ShardCache":
        """`folder` "": the user's own in TMPDIR; there goes also what nobody asked for in a week.

        Raises WikiprepError where it cannot be made, or is another user's.
        """
        with translate_disk_errors(Path(folder or os.environ.get("TMPDIR", "/tmp"))):
            cache = cls(url, Path(folder) if folder else own_folder() / "records", int(gigabytes * 1e9))
            cache.folder.mkdir(parents=True, exist_ok=True)
        if not folder:
            cache._sweep()
        return cache

    def path(self, shard: RemoteShard) -> Path:
        """Where the shard lies while it is here."""
        return self.folder / f"{shard.sha256}{_SHARD}"

    def open(self, shard: RemoteShard) -> tuple[Any, int]:
        """The shard mapped into memory (`open_shard`), and the number of its file (`inode`).

        It is fetched where it is not here. Raises WikiprepError.
        """
        with self._held(shard.sha256):
            self._ensure_cached(shard)
            return self._open_mapped(shard), self.inode(shard)

    def where(self, shard: RemoteShard) -> str:
        """Its address and its file here, for people."""
        return f"{self.url}/{shard.name} (kept as {self.path(shard)})"

    def hint(self, shard: RemoteShard) -> str:
        """What to do where its file cannot be read: it was whole when it came, so the disk is to blame first."""
        return f"remove {self.path(shard)}, and it is fetched again; if that does not help, the corpus is damaged"

    def here(self, shard: RemoteShard) -> bool:
        """Whether its file is here, and has its size: one that a crash or another program cut short is none."""
        try:
            return self.path(shard).stat().st_size == shard.size
        except FileNotFoundError:
            return False

    def fetch(self, shard: RemoteShard) -> None:
        """Have it here, for whoever opens it next. Raises WikiprepError."""
        with self._held(shard.sha256):
            self._ensure_cached(shard)

    def inode(self, shard: RemoteShard) -> int:
        """The number of its file; 0 while it is not here."""
        try:
            return self.path(shard).stat().st_ino
        except OSError:
            return 0

    def used(self, shard: RemoteShard) -> None:
        """It is in use: others go first."""
        with contextlib.suppress(OSError):
            os.utime(self.path(shard))

    def indexes(
        self, shards: Iterable[RemoteShard], share: float | None, checks: Mapping[str, Callable[[pa.Schema], None]]
    ) -> list[ShardIndex]:
        """The index of each, in order (`index_of`), some fetched at once. `checks` by name. Raises WikiprepError."""
        with ThreadPoolExecutor(CONNECTIONS) as pool:
            futures = [pool.submit(self._index, shard, share, checks[shard.name]) for shard in shards]
            try:
                return [future.result() for future in futures]
            except BaseException:
                pool.shutdown(wait=False, cancel_futures=True)
                raise

    def _index(self, shard: RemoteShard, share: float | None, check: Callable[[pa.Schema], None]) -> ShardIndex:
        kind = "" if share is None else f"-pairs-{share!r}"
        path = self.folder / f"{shard.sha256}{kind}{_INDEX}"
        index = read_index(path)
        with contextlib.suppress(OSError):
            os.utime(path)  # as `used`, for `_sweep`
        if index is None:
            with self._held(shard.sha256):
                index = read_index(path)  # another process may have been here
                if index is None:
                    self._ensure_cached(shard)
                    self._open_mapped(shard)
                    index = index_of(self.path(shard), self.where(shard), share, check, self.hint(shard))
                    write_index(index, path)
                    return index
        check(index.schema)
        return index

    @contextlib.contextmanager
    def _held(self, name: str, *, wait: bool = True) -> Iterator[bool]:
        """The lock of a shard, or of the folder (""); without `wait` whether it was had."""
        path = self.folder / f"{name}{_LOCK}"
        with translate_disk_errors(self.folder), contextlib.ExitStack() as stack:
            while True:
                lock = stack.enter_context(path.open("w"))
                try:
                    fcntl.flock(lock, fcntl.LOCK_EX | (0 if wait else fcntl.LOCK_NB))
                except BlockingIOError:
                    yield False
                    return
                if _is_file_of(lock.fileno(), path):
                    break  # else it was swept away while we waited, and others hold a new one
            yield True

    def _ensure_cached(self, shard: RemoteShard) -> None:
        """Under the shard's lock."""
        target, part = self.path(shard), self.folder / f"{shard.sha256}{PART}"
        if not self.here(shard):
            target.unlink(missing_ok=True)
            part.unlink(missing_ok=True)  # of a process that was killed: who is alive would hold the lock
            self._reserve(part, shard)
            try:
                self._download(shard, part)
                with part.open("rb") as file:
                    os.fsync(file.fileno())  # a crash must not leave the name without the bytes
                with self._held(""):  # who makes room would miss it between its two names
                    part.replace(target)
            finally:
                part.unlink(missing_ok=True)
        os.utime(target)

    def _open_mapped(self, shard: RemoteShard) -> Any:
        try:
            return open_shard(self.path(shard))
        except WikiprepError as error:
            if not isinstance(error.__cause__, pa.ArrowInvalid | OSError):
                raise  # whole, but of another version
            raise WikiprepError(f"{self.where(shard)}: cannot be read ({error.__cause__})", self.hint(shard)) from error

    def _reserve(self, part: Path, shard: RemoteShard) -> None:
        """Take the oldest away until there is room for the shard, whose `part` then counts as if it were whole."""
        if self.limit and shard.size > self.limit:
            raise UsageError(
                f"{self.url}/{shard.name}: has {shard.size:,} bytes, and data.cache_gb allows {self.limit:,}",
                "give a larger data.cache_gb",
            )
        while True:
            with self._held(""):
                if not self.limit or self._has_room(shard.size):
                    with part.open("wb") as file:
                        file.truncate(shard.size)
                    return
            time.sleep(0.05)  # all else is being fetched or opened just now

    def _has_room(self, size: int) -> bool:
        cached_files = []
        for path in self.folder.iterdir():
            if match := _OURS.fullmatch(path.name):
                with contextlib.suppress(FileNotFoundError):
                    status = path.stat()
                    cached_files.append((status.st_mtime_ns, status.st_size, match[1], path))
        excess = sum(file_size for _, file_size, _, _ in cached_files) + size - self.limit
        for _, file_size, name, path in sorted(cached_files):
            if excess <= 0:
                break
            with self._held(name, wait=False) as locked:
                if locked:
                    path.unlink(missing_ok=True)
                    excess -= file_size
        return excess <= 0

    def _download(self, shard: RemoteShard, part: Path) -> None:
        store, address = Store(self.url), f"{self.url}/{shard.name}"
        for attempt in range(ATTEMPTS):
            if attempt:
                time.sleep(FIRST_WAIT * 2 ** (attempt - 1))
            try:
                with part.open("r+b") as file:  # keeps the size that stands for it while it grows
                    store.download(shard.name, file)
                    file.truncate()
                problem = _problem(part, shard)
            except FileNotFoundError as error:
                raise WikiprepError(f"{address}: no such file", "the corpus is damaged: copy it again") from error
            except WikiprepError as error:
                if isinstance(error.__cause__, OSError) and is_full(error.__cause__):
                    raise WikiprepError(f"{self.folder}: the disk is full", _FULL) from error
                problem = error.what.removeprefix(f"{address}: ")
            if not problem:
                return
        raise WikiprepError(
            f"{address}: {problem} (tried {ATTEMPTS} times)",
            "check the network, and the corpus with `wikiprep verify`; the same command goes on",
        )

    def _sweep(self) -> None:
        oldest, old_files = time.time() - CACHE_SECONDS, dict[str, list[Path]]()
        for path in self.folder.iterdir():
            if match := _SWEPT.fullmatch(path.name):
                with contextlib.suppress(FileNotFoundError):
                    if path.stat().st_mtime < oldest:
                        old_files.setdefault(match[1], []).append(path)
        for name, paths in old_files.items():
            with self._held(name, wait=False) as locked:
                for path in paths if locked else ():  # the lock itself too: see `_held`
                    path.unlink(missing_ok=True)


def _problem(part: Path, shard: RemoteShard) -> str:
    """What is wrong with a fetched file; "" for nothing."""
    size = part.stat().st_size
    if size != shard.size:
        return f"{size:,} bytes, the manifest says {shard.size:,}"
    digest = sha256_of(part)
    return "" if digest == shard.sha256 else f"its sha256 is {digest}, the manifest says {shard.sha256}"


def _is_file_of(number: int, path: Path) -> bool:
    """Whether the open file still has this name."""
    try:
        return os.path.samestat(os.fstat(number), path.stat())
    except FileNotFoundError:
        return False
