"""Room on the disk, asked before the first byte; and what a build will need beside the download, as an estimate.

The estimates, bytes of output a byte of bz2, are those of the README. In the end there are 35 GB of articles, records
and state from 24 GB of English pages-articles or 46 GB of a content export; before, all unpacked ranges wait for the
articles that are made of them, 1.3 to 1.6 times the dump (dump/unpacked.py). Small excerpts, built here with a small
tokenizer, took 3 to 5 in the end.
"""

import shutil
from collections.abc import Sequence
from pathlib import Path

from wikiprep.download.remote_file import RemoteFile
from wikiprep.dump.file_names import CONTENT, parse_name
from wikiprep.errors import WikiprepError
from wikiprep.terminal.wording import amount

OF_CLASSIC, OF_EXPORT, UNPACKED = 1.5, 0.8, 1.6
_SPARE = 64 << 20  # of a disk that is nearly full nobody has any use


def free_bytes(folder: Path) -> int:
    """Bytes that may still be written there; the folder itself need not be there yet."""
    existing = folder.absolute()
    while not existing.exists():
        existing = existing.parent
    return shutil.disk_usage(existing).free


def require_room(folder: Path, needed: int) -> None:
    """Raises WikiprepError where `needed` bytes do not fit."""
    free = free_bytes(folder)
    if needed and needed + _SPARE > free:
        raise WikiprepError(
            f"{folder}: {amount(needed)} are to be downloaded, and {amount(free)} are free there",
            "free some space, or name another folder with --output (of a build: --cache)",
        )


def build_needs(files: Sequence[RemoteFile], sizes: dict[str, int | None]) -> int:
    """Bytes that a corpus of these files takes at most while it is made, about, beside them."""
    dumps = [(file.name, sizes.get(file.name) or 0) for file in files if file.kind == "dump"]
    return sum(room_of(name, size) for name, size in dumps)


def room_of(name: str, size: int) -> int:
    """Bytes that a corpus of a dump's file of this name and size takes at most while it is made, about, beside it."""
    parsed = parse_name(name)
    final_ratio = OF_EXPORT if parsed and parsed.kind == CONTENT else OF_CLASSIC
    return int(size * max(final_ratio, UNPACKED))
