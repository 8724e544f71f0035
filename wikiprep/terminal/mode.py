"""In which way progress is shown, for every display: builds, downloads, trainings, exports.

Where nothing else is asked for: a bar that is drawn anew on a terminal; one line that is written over in a notebook,
which knows no way up the screen; lines, now and then, in logs and pipes.
"""

import os
from collections.abc import Mapping
from enum import StrEnum

from wikiprep.errors import UsageError
from wikiprep.nearest import names_hint
from wikiprep.terminal.stream import SafeStream
from wikiprep.verbosity import Verbosity, verbosity

VARIABLE = "WIKIPREP_PROGRESS"
_AUTO = "auto"
# What jupyter_client gives a kernel, and so all that it starts; `!wikiprep` has a terminal that is none (pexpect's).
_KERNEL = "JPY_PARENT_PID"


class Mode(StrEnum):
    """By the name that the variable takes."""

    BAR = "bar"
    NOTEBOOK = "notebook"
    LINES = "lines"
    NONE = "none"


def mode_of(stream: SafeStream, environment: Mapping[str, str] | None = None) -> Mode:
    """The mode for `stream`, unless --quiet. Raises UsageError where the environment asks for one that is none."""
    environment = os.environ if environment is None else environment
    name = environment.get(VARIABLE) or _AUTO
    if name != _AUTO:
        if name not in _NAMES:
            raise UsageError(f"{VARIABLE}={name}: no such way to show progress", names_hint("ways", name, _NAMES))
        return Mode(name)
    if verbosity() is Verbosity.VERBOSE:  # lines can be kept, and read later
        return Mode.LINES
    if stream.of_kernel:
        return Mode.NOTEBOOK
    if not stream.isatty() or environment.get("TERM", "") in ("", "dumb", "unknown"):
        return Mode.LINES
    return Mode.NOTEBOOK if _KERNEL in environment else Mode.BAR


_NAMES = (_AUTO, *(mode.value for mode in Mode))
