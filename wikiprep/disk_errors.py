"""What a user reads when a disk fails: full, read-only, without the right to write, a file in a folder's place."""

import contextlib
import errno
import os
import re
from collections.abc import Iterator
from pathlib import Path

from wikiprep.errors import UsageError, WikiprepError

_FULL = (errno.ENOSPC, errno.EDQUOT)
FREE_SPACE = "free some space and give the command again"
_MISUSE = (errno.ENOTDIR, errno.EISDIR, errno.EEXIST)
_HINTS = {
    errno.ENOSPC: "the disk is full: free some space and run the same command again; finished units are kept",
    errno.EDQUOT: "the quota is used up: free some space and run the same command again; finished units are kept",
    errno.EACCES: "no permission to write there: choose another --output or change its rights",
    errno.EROFS: "the file system is read-only: choose another --output",
    errno.ENOTDIR: "a file stands where a folder is needed: choose another --output",
    errno.EISDIR: "a folder stands where a file is needed: choose another --output",
    errno.EEXIST: "a file stands where a folder is needed: choose another --output",
}


@contextlib.contextmanager
def translate_disk_errors(path: Path) -> Iterator[None]:
    """Errors of the disk as one line that says what to do; also those of libraries in Rust, which are no OSError.

    `path` is named where the error names none. Raises UsageError for a file in a folder's place, or the other way
    round, WikiprepError for the others.
    """
    try:
        yield
    except Exception as error:
        number = _number(error)
        if number in _HINTS:
            raise (UsageError if number in _MISUSE else WikiprepError)(
                f"{failed_path(error) or path}: {os.strerror(number)}", _HINTS[number]
            ) from error
        raise


def _number(error: BaseException) -> int | None:
    if isinstance(error, OSError):
        return error.errno
    # Of safetensors and tokenizers: "No space left on device (os error 28)". Our own errors may quote one.
    found = None if isinstance(error, WikiprepError) else re.search(r"\(os error (\d+)\)", str(error))
    return int(found[1]) if found else None


def is_full(error: BaseException) -> bool:
    """Whether it says that a disk, or what of it a user may take, is full."""
    return _number(error) in _FULL


def failed_path(error: BaseException) -> str | None:
    """The path that an error is about, if it names one: of a copy on a full disk the one that was written."""
    if not isinstance(error, OSError):
        return None
    path = (error.filename2 if is_full(error) else None) or error.filename
    if path is None:
        return None
    return os.fsencode(str(path) if isinstance(path, int) else path).decode(errors="replace")  # as terminals show it
