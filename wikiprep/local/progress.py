"""Which display a build gets: drawn on a terminal, lines elsewhere and with --verbose, nothing with --quiet.

Always on stderr.
"""

import os
import sys
from typing import IO

from wikiprep.local.lines import Lines
from wikiprep.local.observer import Observer, Silent
from wikiprep.local.stream import SafeStream
from wikiprep.stages.unit import RunOptions
from wikiprep.verbosity import Verbosity, verbosity

__all__ = ["Observer", "observer_for"]


def observer_for(options: RunOptions, stream: IO[str] | None = None) -> Observer:
    """The display for `stream` (default: stderr). Use it in a `with` block, so that an error finds a clean terminal."""
    stream = stream or sys.stderr
    if options.quiet or stream is None:  # without any stderr, too
        return Silent()
    safe = SafeStream(stream)
    if verbosity() is Verbosity.VERBOSE:  # lines can be kept, and read later
        return Lines(safe, details=True)
    if not safe.isatty() or os.environ.get("TERM", "") in ("", "dumb", "unknown"):
        return Lines(safe)
    from wikiprep.local.live import LiveDisplay  # rich takes long to import, and a log does not need it

    return LiveDisplay(safe)
