"""A file on its way: its bytes so far, what the server said of it, and its sums as they grow.

    FOLDER/.download/NAME.part   the bytes
    FOLDER/.download/NAME.json   where they come from; when the file has its name, what was checked

Bytes are written at once and without a buffer: whatever ends the process, the next one goes on from there.
"""

import contextlib
import hashlib
import os
from collections.abc import Callable, Mapping
from pathlib import Path
from typing import Any

import orjson

from wikiprep.disk_errors import translate_disk_errors
from wikiprep.download.remote_file import RemoteFile

NOTES = ".download"
_CHUNK = 1 << 20


class PartialFile:
    """Of one file; `path` is that of the whole. `alive` is called between reads, and raises where the command ends."""

    def __init__(self, file: RemoteFile, path: Path, alive: Callable[[], None]) -> None:
        self._file = file
        self._final_path = path
        self._alive = alive
        self.path = path.parent / NOTES / f"{path.name}.part"
        self._notes = path.parent / NOTES / f"{path.name}.json"
        self._handle = -1
        self.size = 0  # bytes
        self.origin: dict[str, Any] = {}  # url, etag, modified
        self.pieces = 0  # answers that it was put together of

    def __enter__(self) -> "PartialFile":
        """Open it, and hash what is there."""
        with translate_disk_errors(self.path):
            self.path.parent.mkdir(parents=True, exist_ok=True)
            self._handle = os.open(self.path, os.O_RDWR | os.O_CREAT | os.O_CLOEXEC, 0o666)
        self._sums = {kind: hashlib.new(kind, usedforsecurity=False) for kind in self._file.sums}
        notes = _read(self._notes)
        if notes.get("sums") == dict(self._file.sums) and "mtime_ns" not in notes:
            self.origin = notes.get("origin") or {}
            while data := os.pread(self._handle, _CHUNK, self.size):
                self._alive()
                self._update_sums(data)
            self.pieces = 1 if self.size else 0
        else:
            self.begin({})
        return self

    def __exit__(self, *_: object) -> None:
        os.close(self._handle)

    def begin(self, origin: Mapping[str, Any]) -> None:
        """Throw away what is there: bytes of `origin` follow."""
        with translate_disk_errors(self.path):
            os.ftruncate(self._handle, 0)
            self.origin, self.size, self.pieces = dict(origin), 0, 0
            self._sums = {kind: hashlib.new(kind, usedforsecurity=False) for kind in self._file.sums}
            _write(self._notes, {"sums": dict(self._file.sums), "origin": self.origin})

    def append(self, data: bytes) -> None:
        """Write further bytes. Raises WikiprepError where the disk does not take them."""
        view = memoryview(data)
        with translate_disk_errors(self.path):
            while view:
                count = os.pwrite(self._handle, view, self.size)
                self._update_sums(view[:count])
                view = view[count:]

    def _update_sums(self, data: bytes | memoryview) -> None:
        for hasher in self._sums.values():
            hasher.update(data)
        self.size += len(data)

    def difference(self) -> str:
        """How its sums differ from those of the status file, in words; "" where they do not."""
        for kind, expected in self._file.sums.items():
            if (actual := self._sums[kind].hexdigest()) != expected:
                return f"its {kind} is {actual}, {self._file.source} says {expected}"
        return ""

    def publish(self) -> None:
        """Give it its name. Only for what has no `difference`."""
        with translate_disk_errors(self._final_path):
            os.fsync(self._handle)
            self.path.replace(self._final_path)
            _write(self._notes, _receipt(self._file, self._final_path) | {"origin": self.origin})


def is_there(file: RemoteFile, path: Path, alive: Callable[[], None]) -> bool:
    """Whether the whole file is there, as its sums say. What was checked before and not changed is not read again."""
    if not path.is_file():
        return False
    notes = path.parent / NOTES / f"{path.name}.json"
    receipt = _receipt(file, path)
    recorded = _read(notes)
    if {key: recorded.get(key) for key in receipt} == receipt:
        return True
    if file.size is not None and path.stat().st_size != file.size:
        return False
    if recorded.get("sums") == receipt["sums"] and "mtime_ns" not in recorded:
        return False  # being fetched anew, since it was found to be another
    with path.open("rb") as stream:
        sums = {kind: hashlib.new(kind, usedforsecurity=False) for kind in file.sums}
        while data := stream.read(_CHUNK):
            alive()
            for hasher in sums.values():
                hasher.update(data)
    if any(sums[kind].hexdigest() != digest for kind, digest in file.sums.items()):
        return False
    with contextlib.suppress(OSError):  # a folder of somebody else's: it is read again next time
        notes.parent.mkdir(exist_ok=True)
        _write(notes, receipt)
    return True


def bytes_there(path: Path) -> int:
    """How many bytes of a file that is not whole are there."""
    try:
        return (path.parent / NOTES / f"{path.name}.part").stat().st_size
    except OSError:
        return 0


def _receipt(file: RemoteFile, path: Path) -> dict[str, Any]:
    status = path.stat()
    return {"sums": dict(file.sums), "size": status.st_size, "mtime_ns": status.st_mtime_ns}


def _read(path: Path) -> dict[str, Any]:
    with contextlib.suppress(OSError, ValueError):
        notes = orjson.loads(path.read_bytes())
        return notes if isinstance(notes, dict) else {}
    return {}


def _write(path: Path, notes: Mapping[str, Any]) -> None:
    """Whole or not at all: half of it would throw the part away."""
    new_path = path.with_name(f"{path.name}.new")
    new_path.write_bytes(orjson.dumps(notes))
    new_path.replace(path)
