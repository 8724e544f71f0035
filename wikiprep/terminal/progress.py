"""Which display a build gets, by `mode.py`: nothing with --quiet. Always on stderr."""

import sys
from typing import IO

from wikiprep.terminal.lines import Lines, Notes
from wikiprep.terminal.mode import Mode, mode_of
from wikiprep.terminal.one_line import OneLine
from wikiprep.terminal.stream import SafeStream
from wikiprep.units.observer import Observer, Silent
from wikiprep.units.run_options import RunOptions
from wikiprep.verbosity import Verbosity, verbosity

__all__ = ["Observer", "observer_for"]


def observer_for(options: RunOptions, stream: IO[str] | None = None) -> Observer:
    """The display for `stream` (default: stderr). Use it in a `with` block, so that an error finds a clean terminal."""
    stream = stream or sys.stderr
    if options.quiet or stream is None:  # without any stderr, too
        return Silent()
    safe = SafeStream(stream)
    mode = mode_of(safe)
    if mode is Mode.LINES:
        return Lines(safe, details=verbosity() is Verbosity.VERBOSE)
    if mode is Mode.NOTEBOOK:
        return OneLine(safe)
    if mode is Mode.NONE:
        return Notes(safe)
    from wikiprep.terminal.live import LiveDisplay  # rich takes long to import, and a log does not need it

    return LiveDisplay(safe)
