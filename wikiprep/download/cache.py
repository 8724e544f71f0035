"""Where dumps lie that were asked for by name: one folder a wiki and date, which later builds find again."""

import contextlib
import fcntl
import os
from collections.abc import Iterator
from pathlib import Path

from wikiprep.download.part import NOTES
from wikiprep.errors import WikiprepError
from wikiprep.files import translated


def cache_folder(given: str | None = None) -> Path:
    """The folder given; else that of WIKIPREP_CACHE; else wikiprep/dumps in the user's cache (XDG_CACHE_HOME)."""
    if chosen := given or os.environ.get("WIKIPREP_CACHE"):
        return Path(chosen).expanduser()
    base = os.environ.get("XDG_CACHE_HOME") or ""
    home = Path(base) if Path(base).is_absolute() else Path.home() / ".cache"  # its specification: else not to be used
    return home / "wikiprep" / "dumps"


@contextlib.contextmanager
def one_download(folder: Path) -> Iterator[None]:
    """Hold the folder; raises WikiprepError where another download writes there. The system drops the lock of a process
    that ends, however it ends."""
    path = folder / NOTES / "lock"
    with translated(path):
        path.parent.mkdir(parents=True, exist_ok=True)
        handle = os.open(path, os.O_RDWR | os.O_CREAT | os.O_CLOEXEC, 0o666)
    try:
        try:
            fcntl.flock(handle, fcntl.LOCK_EX | fcntl.LOCK_NB)
        except BlockingIOError:
            holder = os.pread(handle, 64, 0).decode(errors="replace").strip()
            raise WikiprepError(
                f"{folder}: another download (process {holder or 'unknown'}) is writing there",
                "wait for it to end, or name another folder",
            ) from None
        os.ftruncate(handle, 0)
        os.pwrite(handle, f"{os.getpid()}\n".encode(), 0)
        yield
    finally:
        os.close(handle)
