"""A lock file that one process holds: the system drops it when its holder ends, however it ends."""

import contextlib
import fcntl
import os
from collections.abc import Callable, Iterator
from pathlib import Path

from wikiprep.disk_errors import translate_disk_errors
from wikiprep.errors import WikiprepError


@contextlib.contextmanager
def file_lock(path: Path, busy: Callable[[str], WikiprepError]) -> Iterator[None]:
    """Lock the file `path`, creating it and its folder; `busy` makes the error from the process id of its holder."""
    with translate_disk_errors(path):
        path.parent.mkdir(parents=True, exist_ok=True)
        handle = os.open(path, os.O_RDWR | os.O_CREAT | os.O_CLOEXEC, 0o666)
    try:
        try:
            fcntl.flock(handle, fcntl.LOCK_EX | fcntl.LOCK_NB)
        except BlockingIOError:
            raise busy(os.pread(handle, 64, 0).decode(errors="replace").strip() or "unknown") from None
        os.ftruncate(handle, 0)
        os.pwrite(handle, f"{os.getpid()}\n".encode(), 0)
        yield
    finally:
        os.close(handle)
