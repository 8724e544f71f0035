"""Ending in order when told to: SIGTERM of a preempted job, SIGUSR1 of Slurm's --signal, Ctrl-C.

The signal only sets a mark. Ranks look at each other's marks before every step, so that all of them stop before the
same one, save, and leave with 143 (as a shell says of SIGTERM). A second Ctrl-C ends at once.
"""

import signal
from collections.abc import Iterator
from contextlib import contextmanager
from typing import Any

from wikiprep.errors import WikiprepError

SIGNALS = (signal.SIGTERM, signal.SIGINT, signal.SIGUSR1)


class Stopped(WikiprepError):
    """The run ended early, in order."""

    exit_code = 143


class StopMark:
    """Whether this rank was told to stop."""

    def __init__(self) -> None:
        self.name: str | None = None

    def on_signal(self, number: int, frame: Any) -> None:
        """The handler."""
        if number == signal.SIGINT and self.name is not None:
            raise KeyboardInterrupt
        self.name = signal.Signals(number).name


@contextmanager
def stop_mark() -> Iterator[StopMark]:
    """A mark that signals set while the block runs."""
    mark = StopMark()
    previous_handlers = {number: signal.signal(number, mark.on_signal) for number in SIGNALS}
    try:
        yield mark
    finally:
        for number, handler in previous_handlers.items():
            signal.signal(number, handler)
