"""Progress as plain lines, for logs and pipes: one every ten seconds and one a stage, no control characters."""

import time
from collections.abc import Callable, Sequence

from wikiprep.terminal import wording
from wikiprep.terminal.stream import SafeStream
from wikiprep.terminal.tally import Tally
from wikiprep.units.observer import Closing, Silent
from wikiprep.units.unit import Result, Unit

LINE_SECONDS = 10.0


class Notes(Silent):
    """An `Observer` that shows what must be read, and no progress."""

    def __init__(self, stream: SafeStream) -> None:
        self._stream = stream

    def note(self, text: str) -> None:
        """See `Observer`."""
        self._stream.write(wording.printable(text) + "\n")
        self._stream.flush()


class Lines(Closing):
    """An `Observer` that writes lines."""

    def __init__(
        self, stream: SafeStream, clock: Callable[[], float] = time.monotonic, *, details: bool = False
    ) -> None:
        """`details`: a line for each unit too, `--verbose`."""
        self._stream = stream
        self._details = details
        self._begun: dict[str, float] = {}
        self._clock = clock
        self._tally = Tally(clock)
        self._written = clock()

    def stage_started(self, stage: str, units: int, weight: int, stages: Sequence[str] = (), measure: str = "") -> None:
        """See `Observer`."""
        self._tally.start(stage, units, weight, stages, measure)
        self._written = self._clock()

    def unit_started(self, unit: Unit) -> None:
        """See `Observer`."""
        self._begun[unit.name] = self._clock()
        self._tally.unit_started(unit)

    def unit_progress(self, unit: Unit, pages: int, bytes_done: int, rejects: int, at: str) -> None:
        """See `Observer`."""
        self._tally.unit_progress(unit, pages, bytes_done, rejects, at)

    def unit_finished(self, unit: Unit, result: Result, skipped: bool) -> None:
        """See `Observer`."""
        self._tally.unit_finished(unit, skipped)
        took = self._clock() - self._begun.pop(unit.name, self._clock())
        if self._details and unit.name:
            size = f"{wording.size(unit.weight)}, " if unit.weight else ""
            self.note(f"{unit.stage}: {unit.name}: {size}" + ("from an earlier run" if skipped else f"{took:.1f} s"))

    def stage_finished(self, stage: str) -> None:
        """See `Observer`."""
        self.note(wording.finished(self._tally))

    def note(self, text: str) -> None:
        """See `Observer`."""
        self._stream.write(wording.printable(text) + "\n")
        self._stream.flush()

    def tick(self) -> None:
        """A line if it is time for one, and one for each unit that stands still."""
        now = self._clock()
        if now - self._written < LINE_SECONDS:
            return
        self._written = now
        self.note(wording.line(self._tally))
        for it in self._tally.standing():
            self.note(f"{self._tally.stage}: {wording.standing(it)}")
