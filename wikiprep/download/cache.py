"""The cache of downloads: one folder a wiki and date, which later builds find again, each held by one process."""

import contextlib
import os
from collections.abc import Iterator
from pathlib import Path

from wikiprep.download.partial_file import NOTES
from wikiprep.errors import WikiprepError
from wikiprep.file_lock import file_lock


def cache_folder(folder: str | None = None) -> Path:
    """The folder given; else that of WIKIPREP_CACHE; else wikiprep/dumps in the user's cache (XDG_CACHE_HOME)."""
    if chosen_path := folder or os.environ.get("WIKIPREP_CACHE"):
        return Path(chosen_path).expanduser()
    base = os.environ.get("XDG_CACHE_HOME") or ""
    home = Path(base) if Path(base).is_absolute() else Path.home() / ".cache"  # its specification: else not to be used
    return home / "wikiprep" / "dumps"


@contextlib.contextmanager
def lock_folder(folder: Path) -> Iterator[None]:
    """Hold the folder; raises WikiprepError where another download writes there."""

    def busy(holder: str) -> WikiprepError:
        return WikiprepError(
            f"{folder}: another download (process {holder}) is writing there",
            "wait for it to end, or name another folder",
        )

    with file_lock(folder / NOTES / "lock", busy):
        yield
