"""Where a build's files go, and how a file comes to be there: the one place that publishes.

A file is written whole under an attempt-unique name in the scratch folder and then published: a rename on local disk
(same file system, so that it is atomic), one upload to the final key elsewhere. A reader never sees half a file.
"""

import contextlib
import errno
import hashlib
import os
import shutil
import uuid
from collections.abc import Iterator
from functools import cached_property
from pathlib import Path, PurePosixPath
from typing import IO, TYPE_CHECKING

from wikiprep.errors import WikiprepError
from wikiprep.stages.unit import FileReceipt

if TYPE_CHECKING:
    from pyarrow import fs  # where a path is local, a process that only passes work on need not load it

SCRATCH = "_state/tmp"  # in a folder that is ours: whatever else a user keeps in the output is never cleared
_CHUNK = 1 << 20


class Store:
    """An output folder: a local path, or gs://, s3://, hdfs:// through `pyarrow.fs`. Picklable by its URL."""

    def __init__(self, url: str, scratch: str | None = None) -> None:
        self.url = url
        self.is_local = "://" not in url or url.startswith("file://")
        self.root = Path(url.removeprefix("file://")).absolute() if self.is_local else None
        self._scratch = scratch

    def __reduce__(self) -> tuple[type["Store"], tuple[str, str | None]]:
        return Store, (self.url, self._scratch)

    @cached_property
    def _remote(self) -> "tuple[fs.FileSystem, str]":
        from pyarrow import fs

        try:
            filesystem, base = fs.FileSystem.from_uri(self.url)
        except (OSError, ValueError) as error:
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
        base = (
            self.root / SCRATCH if self.root else Path(self._scratch or os.environ.get("TMPDIR", "/tmp")) / "wikiprep"
        )
        folder = base / f"{name}-{os.getpid()}-{uuid.uuid4().hex[:12]}"
        with translated(folder):
            folder.mkdir(parents=True)
            try:
                yield folder
            finally:
                shutil.rmtree(folder, ignore_errors=True)

    def publish(self, source: Path, rel: str) -> FileReceipt:
        """Give the finished local file its final name; `source` is gone afterwards where that is a rename."""
        receipt = FileReceipt(rel, source.stat().st_size, sha256_of(source))
        if self.root:
            target = self.root / rel
            with translated(target):
                target.parent.mkdir(parents=True, exist_ok=True)
                with source.open("rb") as f:
                    os.fsync(f.fileno())
                source.replace(target)
        else:
            self._upload(source, rel)
        return receipt

    def _upload(self, source: Path, rel: str) -> None:
        filesystem, _ = self._remote
        stream = filesystem.open_output_stream(self._key(rel))
        with source.open("rb") as f:
            # Not closed on failure: closing would publish the part written so far under the final name.
            while chunk := f.read(_CHUNK):
                stream.write(chunk)
        stream.close()

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
        with self._remote[0].open_input_stream(self._key(rel)) as stream:
            data: bytes = stream.read()
        return data

    def size(self, rel: str) -> int | None:
        """Size in bytes, or None where there is no such file."""
        if self.root:
            path = self.root / rel
            return path.stat().st_size if path.is_file() else None
        from pyarrow import fs

        info = self._remote[0].get_file_info(self._key(rel))
        return int(info.size) if info.type == fs.FileType.File else None

    def list(self, rel: str = "") -> list[str]:
        """Paths of all files under a folder, relative to the output, sorted; scratch left out."""
        if self.root:
            found = [p.relative_to(self.root).as_posix() for p in (self.root / rel).rglob("*") if p.is_file()]
        else:
            from pyarrow import fs

            filesystem, base = self._remote
            selector = fs.FileSelector(self._key(rel) if rel else base, allow_not_found=True, recursive=True)
            found = [
                str(PurePosixPath(i.path).relative_to(base))
                for i in filesystem.get_file_info(selector)
                if i.type == fs.FileType.File
            ]
        return sorted(p for p in found if not p.startswith(f"{SCRATCH}/"))

    def remove(self, rel: str) -> None:
        """Delete a file; nothing happens where there is none."""
        if self.root:
            (self.root / rel).unlink(missing_ok=True)
        elif self.size(rel) is not None:
            self._remote[0].delete_file(self._key(rel))

    def clear_scratch(self) -> None:
        """Delete what killed attempts left behind; only while no other build runs here."""
        if self.root:
            shutil.rmtree(self.root / SCRATCH, ignore_errors=True)

    def fetch(self, rel: str) -> Path:
        """A local path of the file, for memory-mapping; a remote file is copied to local disk first."""
        if self.root:
            return self.root / rel
        from pyarrow import fs

        cache = Path(self._scratch or os.environ.get("TMPDIR", "/tmp")) / "wikiprep-cache"
        target = cache / hashlib.sha256(self.url.encode()).hexdigest()[:16] / rel
        info = self._remote[0].get_file_info(self._key(rel))
        if info.type != fs.FileType.File:
            raise WikiprepError(f"{self.url}/{rel}: no such file")
        # A rebuilt file can have the size of the old one, so the copy notes the time of the original's last change.
        stamp, now = target.with_name(f"{target.name}.stamp"), f"{info.mtime_ns} {info.size}"
        if not (target.exists() and stamp.exists() and stamp.read_text() == now):
            target.parent.mkdir(parents=True, exist_ok=True)
            part = target.with_name(f"{target.name}.{uuid.uuid4().hex[:12]}")
            with self._remote[0].open_input_stream(self._key(rel)) as stream, part.open("wb") as f:
                shutil.copyfileobj(stream, f, _CHUNK)
            part.replace(target)
            stamp.write_text(now)
        return target


@contextlib.contextmanager
def whole_path(path: str | Path) -> Iterator[Path]:
    """A path beside `path` to write a file at, which gets its name when all is written; where that fails it is gone."""
    target = Path(path).absolute()
    part = target.with_name(f".{target.name[:60]}.{uuid.uuid4().hex[:12]}.part")
    with translated(target):
        if target.is_dir():
            raise WikiprepError(f"{path}: is a folder", "name a file in it")
        target.parent.mkdir(parents=True, exist_ok=True)
        try:
            yield part
            part.replace(target)
        finally:
            part.unlink(missing_ok=True)


@contextlib.contextmanager
def whole_file(path: str | Path) -> Iterator[IO[bytes]]:
    """The same as an open file."""
    with whole_path(path) as part, part.open("wb") as file:
        yield file
        file.flush()


def sha256_of(path: Path) -> str:
    """SHA-256 of a file, in hex."""
    with path.open("rb") as f:
        return hashlib.file_digest(f, "sha256").hexdigest()


@contextlib.contextmanager
def translated(path: Path) -> Iterator[None]:
    """Errors of the disk as one line that says what to do."""
    hints = {
        errno.ENOSPC: "the disk is full: free some space and run the same command again; finished units are kept",
        errno.EDQUOT: "the quota is used up: free some space and run the same command again; finished units are kept",
        errno.EACCES: "no permission to write there: choose another --output or change its rights",
        errno.EROFS: "the file system is read-only: choose another --output",
        errno.ENOTDIR: "a file stands where a folder is needed: choose another --output",
        errno.EISDIR: "a folder stands where a file is needed: choose another --output",
        errno.EEXIST: "a file stands where a folder is needed: choose another --output",
    }
    try:
        yield
    except OSError as error:
        if error.errno in hints:
            raise WikiprepError(f"{error.filename or path}: {error.strerror}", hints[error.errno]) from error
        raise
