"""What a user reads when a disk fails: full, read-only, without the right to write, a file in a folder's place."""

import contextlib
import errno
import os
import re
from collections.abc import Iterator
from pathlib import Path

from wikiprep.errors import UsageError, WikiprepError

_FULL = (errno.ENOSPC, errno.EDQUOT)
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
        if isinstance(error, OSError):
            number, where = error.errno, failed_path(error)
        else:  # of safetensors and tokenizers: "No space left on device (os error 28)"
            found = re.search(r"\(os error (\d+)\)", str(error))
            number, where = int(found[1]) if found else None, None
        if number in _HINTS:
            raise (UsageError if number in _MISUSE else WikiprepError)(
                f"{where or path}: {os.strerror(number)}", _HINTS[number]
            ) from error
        raise


def is_full(error: OSError) -> bool:
    """Whether a disk, or what of it a user may take, is full."""
    return error.errno in _FULL


def failed_path(error: OSError) -> str | None:
    """The path that an error is about, if it names one: of a copy on a full disk the one that was written."""
    path = (error.filename2 if is_full(error) else None) or error.filename
    if path is None:
        return None
    return os.fsencode(str(path) if isinstance(path, int) else path).decode(errors="replace")  # as terminals show it
