"""Which display a build gets, by `mode.py`: nothing with --quiet. Always on stderr."""

from typing import IO

from wikiprep.terminal.build_display import BuildDisplay
from wikiprep.terminal.screen import screen_for
from wikiprep.units.observer import Observer
from wikiprep.units.run_options import RunOptions
from wikiprep.verbosity import Verbosity, verbosity

__all__ = ["Observer", "observer_for"]


def observer_for(options: RunOptions, stream: IO[str] | None = None) -> Observer:
    """The display for `stream` (default: stderr). Use it in a `with` block, so that an error finds a clean terminal."""
    return BuildDisplay(screen_for(options.quiet, stream), details=verbosity() is Verbosity.VERBOSE)
