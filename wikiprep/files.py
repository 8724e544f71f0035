"""Where a build's files go, and how a file comes to be there: the one place that publishes.

A file is written whole under an attempt-unique name in the scratch folder and then published: a rename on local disk
and on HDFS (same file system, so that it is atomic), one upload to the final key elsewhere. A reader never sees half a
file.
"""

import contextlib
import fcntl
import hashlib
import json
import os
import shutil
import stat
import sys
import uuid
from collections.abc import Iterator
from functools import cached_property
from pathlib import Path, PurePosixPath
from typing import IO, TYPE_CHECKING

from wikiprep.addresses import open_filesystem
from wikiprep.disk_errors import translate_disk_errors
from wikiprep.errors import UsageError, WikiprepError
from wikiprep.file_receipt import FileReceipt
from wikiprep.progress import Advance, ignore_progress
from wikiprep.scratch_folders import PART, USED, own_folder, sweep_once

if TYPE_CHECKING:
    from pyarrow import fs  # where a path is local, a process that only passes work on need not load it

SCRATCH = "_state/tmp"  # in a folder that is ours: whatever else a user keeps in the output is never cleared
RENAMING = ("hdfs",)  # file systems where a rename is one step, and an unfinished file is seen under its name
STDOUT = "-"  # as the name of an output
_CHUNK = 1 << 20
_HASH_CHUNK = 1 << 18  # bytes at a time


class Store:
    """An output folder: a local path, or gs://, s3://, hdfs:// through `pyarrow.fs`. Picklable by its URL."""

    def __init__(self, url: str, scratch: str | None = None, trusted: tuple[str, ...] = ()) -> None:
        """`scratch`: a local folder for a remote output. `trusted`: stages whose hashes `fetch` checks."""
        self.url = url
        self.is_local = "://" not in url or url.startswith("file://")
        self.root = Path(url.removeprefix("file://")).absolute() if self.is_local else None
        self._scratch = scratch
        self._trusted = trusted

    def __reduce__(self) -> tuple[type["Store"], tuple[str, str | None, tuple[str, ...]]]:
        return Store, (self.url, self._scratch, self._trusted)

    @cached_property
    def _remote(self) -> "tuple[fs.FileSystem, str]":
        try:
            filesystem, base = open_filesystem(self.url)
        except OSError as error:
            reason = str(error).splitlines()[0]
            raise WikiprepError(
                f"{self.url}: cannot be opened ({reason})", "check the address, the network and the credentials"
            ) from error
        return filesystem, base

    def _key(self, rel: str) -> str:
        return str(PurePosixPath(self._remote[1]) / rel)

    @contextlib.contextmanager
    def scratch(self, name: str) -> Iterator[Path]:
        """A fresh folder on local disk for one attempt; gone afterwards, published files excepted."""
        base = self.root / SCRATCH if self.root else self._local_disk()[0]
        folder = base / f"{name}-{os.getpid()}-{uuid.uuid4().hex[:12]}"
        with translate_disk_errors(folder):
            folder.mkdir(parents=True)
            try:
                yield folder
            finally:
                shutil.rmtree(folder, ignore_errors=True)

    def _local_disk(self) -> tuple[Path, Path]:
        """Where scratch folders and fetched tables of a remote output lie, without what is old there."""
        with translate_disk_errors(Path(self._scratch or os.environ.get("TMPDIR", "/tmp"))):
            own = own_folder(self._scratch)
        scratch, tables = own / "scratch", own / "tables"
        sweep_once(scratch, tables)
        return scratch, tables

    def publish(self, source: Path, rel: str) -> FileReceipt:
        """Give the finished local file its final name; `source` is gone afterwards where that is a rename."""
        receipt = FileReceipt(rel, source.stat().st_size, sha256_of(source))
        if self.root:
            target = self.root / rel
            with translate_disk_errors(target):
                target.parent.mkdir(parents=True, exist_ok=True)
                with source.open("rb") as f:
                    os.fsync(f.fileno())
                source.replace(target)
        else:
            self._upload(source, rel)
        return receipt

    def _upload(self, source: Path, rel: str) -> None:
        import pyarrow as pa

        filesystem, _ = self._remote
        by_rename = filesystem.type_name in RENAMING
        key = self._key(f"{SCRATCH}/{uuid.uuid4().hex}" if by_rename else rel)
        # One write: a stream that is dropped on the way closes itself, and so publishes what it has until then; an
        # exception between two writes (Ctrl-C, a disk error) would leave the first part of a file as the whole of it.
        with pa.memory_map(str(source)) if source.stat().st_size else pa.BufferReader(b"") as file:
            data = file.read_buffer()
            with self._remote_errors(rel):
                stream = filesystem.open_output_stream(key)
                stream.write(data)
                stream.close()
        if by_rename:
            with self._remote_errors(rel):
                if filesystem.get_file_info(self._key(rel)).type.name == "File":
                    filesystem.delete_file(self._key(rel))
                filesystem.create_dir(str(PurePosixPath(self._key(rel)).parent))
                filesystem.move(key, self._key(rel))

    @contextlib.contextmanager
    def _remote_errors(self, rel: str) -> Iterator[None]:
        """What a remote store answers, as one line; FileNotFoundError stays."""
        try:
            yield
        except FileNotFoundError:
            raise
        except OSError as error:
            reason = str(error).splitlines()[0] if str(error) else type(error).__name__
            raise WikiprepError(
                f"{self.url}/{rel}: {reason}",
                "check the address, the network and the credentials; the same command goes on, finished units are kept",
            ) from error

    def write(self, rel: str, data: bytes) -> FileReceipt:
        """Publish `data` as a file."""
        with self.scratch("write") as folder:
            path = folder / "data"
            path.write_bytes(data)
            return self.publish(path, rel)

    def read(self, rel: str) -> bytes:
        """The whole content of a small file; FileNotFoundError where there is none."""
        if self.root:
            return (self.root / rel).read_bytes()
        with self._remote_errors(rel), self._remote[0].open_input_stream(self._key(rel)) as stream:
            data: bytes = stream.read()
        return data

    def size(self, rel: str) -> int | None:
        """Size in bytes, or None where there is no such file."""
        if self.root:
            path = self.root / rel
            return path.stat().st_size if path.is_file() else None
        from pyarrow import fs

        with self._remote_errors(rel):
            info = self._remote[0].get_file_info(self._key(rel))
        return int(info.size) if info.type == fs.FileType.File else None

    def list(self, rel: str = "") -> list[str]:
        """Paths of all files under a folder, relative to the output, sorted; scratch left out."""
        if self.root:
            paths = [p.relative_to(self.root).as_posix() for p in (self.root / rel).rglob("*") if p.is_file()]
        else:
            from pyarrow import fs

            filesystem, base = self._remote
            selector = fs.FileSelector(self._key(rel) if rel else base, allow_not_found=True, recursive=True)
            with self._remote_errors(rel):
                infos = filesystem.get_file_info(selector)
            paths = [str(PurePosixPath(i.path).relative_to(base)) for i in infos if i.type == fs.FileType.File]
        return sorted(p for p in paths if not p.startswith(f"{SCRATCH}/"))

    def remove(self, rel: str) -> None:
        """Delete a file; nothing happens where there is none."""
        if self.root:
            (self.root / rel).unlink(missing_ok=True)
        elif self.size(rel) is not None:
            with self._remote_errors(rel):
                self._remote[0].delete_file(self._key(rel))

    def clear_scratch(self) -> None:
        """Delete what killed attempts left behind; only while no other build runs here."""
        if self.root:
            shutil.rmtree(self.root / SCRATCH, ignore_errors=True)

    def fetch(self, rel: str) -> Path:
        """A local path of the file, for memory-mapping; a remote file is copied to local disk first.

        Once for all threads and processes of a machine, whoever comes first, and checked by hash where `trusted` says
        what it is. Raises WikiprepError for a file that is missing, or that is not what its stage made.
        """
        if self.root:
            return self.root / rel
        folder = self._local_disk()[1] / hashlib.sha256(self.url.encode()).hexdigest()[:16]
        target = folder / rel
        with translate_disk_errors(target):
            target.parent.mkdir(parents=True, exist_ok=True)
            (folder / USED).touch()
        with translate_disk_errors(target), target.with_name(f"{target.name}.lock").open("w") as lock:
            fcntl.flock(lock, fcntl.LOCK_EX)
            self._fetch_remote(rel, target)
        return target

    def download(self, rel: str, file: IO[bytes]) -> None:
        """Write a whole remote file to a local one, unchecked; FileNotFoundError where there is none."""
        with self._remote_errors(rel), self._remote[0].open_input_stream(self._key(rel)) as stream:
            shutil.copyfileobj(stream, file, _CHUNK)

    def _fetch_remote(self, rel: str, target: Path) -> None:
        from pyarrow import fs

        expected_sum = self._sums.get(rel)
        with self._remote_errors(rel):
            info = self._remote[0].get_file_info(self._key(rel))
        if info.type != fs.FileType.File:
            raise WikiprepError(f"{self.url}/{rel}: no such file")
        # A rebuilt file can have the size of the old one: without a hash the time of the last change must do.
        stamp, current_stamp = target.with_name(f"{target.name}.stamp"), expected_sum or f"{info.mtime_ns} {info.size}"
        if target.exists() and stamp.exists() and stamp.read_text() == current_stamp:
            return
        part = target.with_name(f"{target.name}.{uuid.uuid4().hex[:12]}{PART}")
        try:
            with part.open("wb") as file:
                self.download(rel, file)
            if expected_sum and (actual_sum := sha256_of(part)) != expected_sum:
                raise WikiprepError(
                    f"{self.url}/{rel}: its sha256 is {actual_sum}, its stage made {expected_sum}",
                    "remove it, and give the build's command again",
                )
            part.replace(target)
        finally:
            part.unlink(missing_ok=True)
        stamp.write_text(current_stamp)

    @cached_property
    def _sums(self) -> dict[str, str]:
        """Path -> sha256 of what the trusted stages made, from their commits."""
        sums: dict[str, str] = {}
        for stage in self._trusted:
            with contextlib.suppress(
                FileNotFoundError, KeyError, ValueError
            ):  # not in this build; of an older wikiprep
                sums |= json.loads(self.read(f"_state/{stage}/commit.json"))["sha256"]
        return sums


@contextlib.contextmanager
def whole_path(path: str | Path) -> Iterator[Path]:
    """A path beside `path` to write a file at, which gets its name when all is written; where that fails it is gone.

    A link stays and its file is replaced. Raises WikiprepError for a folder, a device or a pipe: a rename would put a
    plain file in the place of the machine's /dev/full.
    """
    if str(path) == STDOUT:
        raise UsageError('"-": this is not written to standard output', "name a file; ./- is one of that name")
    target = Path(os.path.realpath(path))
    part = target.with_name(f".{target.name[:60]}.{uuid.uuid4().hex[:12]}.part")
    with translate_disk_errors(target):
        if target.is_dir():
            raise UsageError(f"{path}: is a folder", "name a file in it")
        if Path(path).exists() and not target.is_file():  # of a pipe's /dev/stdout the real path is no path at all
            raise UsageError(f"{path}: is a device or a pipe", "name a file: it appears under its name when whole")
        target.parent.mkdir(parents=True, exist_ok=True)
        try:
            yield part
            apply_umask(part)
            part.replace(target)
        finally:
            part.unlink(missing_ok=True)


@contextlib.contextmanager
def whole_file(path: str | Path) -> Iterator[IO[bytes]]:
    """The same as an open file. "-" is standard output, of which nothing can be taken back."""
    if str(path) == STDOUT:
        sys.stdout.flush()
        yield sys.stdout.buffer
        sys.stdout.buffer.flush()
        return
    with whole_path(path) as part, part.open("wb") as file:
        yield file
        file.flush()


def apply_umask(path: Path) -> None:
    """Give a file the rights that `open` would give it.

    Libraries have their own mind: a file that safetensors wrote is at 0600, for nobody but its owner, and one of
    SQLite's never for its group to write. What `open` gives is seen on a new file beside it: the umask cannot be read
    without being changed, for all threads.
    """
    probe = path.with_name(f".{path.name[:60]}.{uuid.uuid4().hex[:12]}.part")
    handle = os.open(probe, os.O_WRONLY | os.O_CREAT | os.O_EXCL, 0o666)
    try:
        path.chmod(stat.S_IMODE(os.fstat(handle).st_mode))
    finally:
        os.close(handle)
        probe.unlink()


def sha256_of(path: Path, advance: Advance = ignore_progress) -> str:
    """SHA-256 of a file, in hex. `advance` is told of its bytes as they are read."""
    digest, buffer = hashlib.sha256(), bytearray(_HASH_CHUNK)
    with path.open("rb", buffering=0) as f:
        while size := f.readinto(buffer):
            digest.update(memoryview(buffer)[:size])
            advance(size)
    return digest.hexdigest()
