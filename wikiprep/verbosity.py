"""How much a command tells on standard error: `-q`, nothing but what must be read; `-v`, details and tracebacks too.

One setting a process. Results go to standard output whatever it is.
"""

import os
import sys
from enum import IntEnum

TRACEBACK = "WIKIPREP_TRACEBACK"  # in the environment, so that processes of a build know it too


class Verbosity(IntEnum):
    """Ordered: what is told at one is told at those above it."""

    QUIET = -1
    NORMAL = 0
    VERBOSE = 1


_level = Verbosity.NORMAL


def set_verbosity(level: Verbosity) -> None:
    """For the rest of this process; VERBOSE also sets WIKIPREP_TRACEBACK for it and its children."""
    global _level
    _level = level
    if level is Verbosity.VERBOSE:
        os.environ[TRACEBACK] = "1"


def verbosity() -> Verbosity:
    """That of this process."""
    return _level


def tell(text: str) -> None:
    """A line of what was done, or how it goes: on standard error, unless --quiet."""
    if _level >= Verbosity.NORMAL:
        _write(text)


def detail(text: str) -> None:
    """A line for whoever looks closer: with --verbose."""
    if _level >= Verbosity.VERBOSE:
        _write(text)


def warn(text: str) -> None:
    """A line that must be read, whatever the options: `text` begins with what it is about."""
    _write(text)


def _write(text: str) -> None:
    if sys.stderr is not None and not sys.stderr.closed:
        print(text, file=sys.stderr, flush=True)
