"""Scratch on local disk: the user's own folder, since machines and TMPDIR are shared, and what killed processes left.

When what they left goes, since nobody else would ever remove it:
- scratch of an attempt, and half of a fetched table: a day after the last write to it;
- the fetched tables of an output: a week after the last time that one was asked for.

Only what bears a name as `files.py` gives them goes: "wikiprep" on somebody's disk may as well be a checkout of his.

The rule needs no knowledge of who lives: process ids say nothing across containers that share a disk. A mapped file
that is removed stays readable for those who have it open, and whoever asks for it again fetches it again.
"""

import contextlib
import os
import re
import shutil
import stat
import time
from collections.abc import Iterator
from functools import cache
from pathlib import Path

from wikiprep.errors import WikiprepError

SCRATCH_SECONDS = 86_400.0
CACHE_SECONDS = 7 * 86_400.0
USED = ".used"  # its time is the last time that a table of the folder beside it was asked for
PART = ".part"
_ATTEMPT = re.compile(r".+-[0-9]+-[0-9a-f]{12}")  # a unit, a process, a random number
_OUTPUT = re.compile(r"[0-9a-f]{16}")  # the hash of an output's address


def own_folder(parent: str | None = None) -> Path:
    """`parent`/wikiprep-cache-UID (`parent`: TMPDIR where none is given), made if need be; nobody else can read it.

    Raises OSError where it cannot be made, WikiprepError where it is another user's, or a link.
    """
    folder = Path(parent or os.environ.get("TMPDIR", "/tmp")) / f"wikiprep-cache-{os.getuid()}"
    folder.parent.mkdir(parents=True, exist_ok=True)
    folder.mkdir(mode=0o700, exist_ok=True)
    status = folder.lstat()
    if status.st_uid != os.getuid() or not stat.S_ISDIR(status.st_mode):
        raise WikiprepError(
            f"{folder}: is not a folder of yours",
            "give another TMPDIR, or another place (a build: --scratch; a training: data.cache_folder)",
        )
    folder.chmod(0o700)
    return folder


@cache
def sweep_once(scratch: Path, tables: Path) -> None:
    """Once in a process: remove what is old in a folder of scratch folders, and in one of fetched outputs."""
    now = time.time()
    for folder in _folders_named(scratch, _ATTEMPT):
        if now - _last_written(folder) > SCRATCH_SECONDS:
            shutil.rmtree(folder, ignore_errors=True)
    for output in _folders_named(tables, _OUTPUT):
        if now - _modified_time(output / USED) > CACHE_SECONDS and now - _last_written(output) > CACHE_SECONDS:
            shutil.rmtree(output, ignore_errors=True)
            continue
        for part in output.rglob(f"*{PART}"):
            if now - _modified_time(part) > SCRATCH_SECONDS:
                with contextlib.suppress(OSError):  # another process sweeps too, or it is another user's
                    part.unlink()


def _folders_named(folder: Path, names: re.Pattern[str]) -> Iterator[Path]:
    with contextlib.suppress(OSError):
        matching = [path for path in folder.iterdir() if names.fullmatch(path.name)]
        yield from [path for path in matching if path.is_dir() and not path.is_symlink()]


def _last_written(folder: Path) -> float:
    """The last change in a folder: a unit can work for more than a day, but writes all the time."""
    return max([_modified_time(folder), *map(_modified_time, folder.rglob("*"))])


def _modified_time(path: Path) -> float:
    try:
        return path.stat().st_mtime
    except OSError:
        return 0.0
