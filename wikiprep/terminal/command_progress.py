"""Shows how far a command is that is no build, by the displays of builds: exports, checks, look-ups."""

import sys
import time
from collections.abc import Callable, Iterator, Sequence
from contextlib import contextmanager
from dataclasses import replace

from wikiprep.config import RunOptions
from wikiprep.files import STDOUT
from wikiprep.progress import BYTES, NO_PROGRESS, Advance, Progress, ignore_progress
from wikiprep.terminal.build_display import observer_for
from wikiprep.units.observer import Observer
from wikiprep.units.unit import Result, Unit
from wikiprep.verbosity import Verbosity, verbosity

_FIRST, _SECONDS = 1.0, 0.2  # until it is shown, and between looks at the display: a caller may tell every row


@contextmanager
def show_progress(parts: Sequence[str] = (), *, target: str = "") -> Iterator[Progress]:
    """A `Progress` on stderr, and a clean terminal afterwards. `parts`: the names of all, so that each has a number.

    Nothing is shown with --quiet, and where `target` is standard output and that is the terminal.
    """
    if target == STDOUT and sys.stdout is not None and sys.stdout.isatty():
        yield NO_PROGRESS
        return
    with observer_for(RunOptions(quiet=verbosity() is Verbosity.QUIET)) as observer:
        yield DisplayedProgress(observer, parts)


class DisplayedProgress:
    """A `Progress` by a display of builds. `clock` gives seconds."""

    def __init__(
        self, observer: Observer, parts: Sequence[str] = (), clock: Callable[[], float] = time.monotonic
    ) -> None:
        self._observer, self._parts, self._clock = observer, parts, clock
        self._first = clock() + _FIRST
        self._latest = ""

    @contextmanager
    def part(self, name: str, total: int | None, measure: str = BYTES) -> Iterator[Advance]:
        """See `Progress`."""

        def start() -> None:
            self._observer.stage_started(name, 2, total or 0, self._parts, measure)

        if total == 0:  # there is nothing to show
            yield ignore_progress
            return
        unit = Unit(name, "", "", "", None, total or 0)
        self._latest = ""
        part = _Part(self._observer, unit, start, lambda: self._latest, self._clock, self._first)
        part.advance(0)  # work that tells nothing before its end is named, at least
        try:
            yield part.advance
        finally:
            self._observer.close()  # the command itself says what came of it

    def latest(self, text: str) -> None:
        """See `Progress`."""
        self._latest = text

    def aside(self) -> None:
        """See `Progress`."""
        self._observer.close()


class _Part:
    """One part, shown once the command has gone on for a while (most are done by then).

    What the part had done is not counted for its pace, as with units of an earlier run.
    """

    def __init__(
        self,
        observer: Observer,
        unit: Unit,
        start: Callable[[], None],
        latest: Callable[[], str],
        clock: Callable[[], float],
        first: float,
    ) -> None:
        self._observer, self._unit, self._start, self._latest, self._clock = observer, unit, start, latest, clock
        self._total = unit.weight
        self._done = self._done_before = 0
        self._next, self._is_shown = first, False

    def advance(self, more: int) -> None:
        """So much more is done."""
        self._done += more
        now = self._clock()
        if now < self._next:
            return
        self._next = now + _SECONDS
        if not self._is_shown:
            self._is_shown, self._done_before = True, min(self._done, self._total or self._done)
            self._start()
            self._observer.unit_finished(replace(self._unit, weight=self._done_before), Result(""), skipped=True)
            self._unit = replace(self._unit, name="rest", weight=max(0, self._total - self._done_before))
            self._observer.unit_started(self._unit)
        self._observer.unit_progress(self._unit, 0, self._done - self._done_before, 0, self._latest())
        self._observer.tick()
