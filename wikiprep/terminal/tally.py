"""Sums of a running stage, for every display: what is done, how fast, what stands still.

Rates and the time left count only what this run has done: units that an earlier run finished are done, not fast.
"""

import time
from collections.abc import Callable, Sequence
from dataclasses import dataclass

from wikiprep.terminal.whole_build import seconds_left
from wikiprep.units.unit import Unit

STANDSTILL_SECONDS = 30.0


@dataclass(slots=True)
class _Running:
    totals: tuple[int, int, int, str]
    changed: float  # when the totals last changed


@dataclass(frozen=True, slots=True)
class StalledUnit:
    """A unit without news for `age` seconds; `at` is the page it is at, or empty."""

    unit: str
    age: float
    at: str


class Tally:
    """Of one stage at a time. `clock` gives seconds."""

    def __init__(self, clock: Callable[[], float] = time.monotonic) -> None:
        self._clock = clock
        self._stage_seconds: dict[str, float] = {}  # seconds of stages before of which this run did all
        self.stage, self._start_time, self.skipped = "", clock(), 0
        self.start("", 0, 0)

    def start(self, stage: str, units: int, weight: int, stages: Sequence[str] = (), measure: str = "") -> None:
        """A new stage: everything at zero. `stages`: all of the build. `measure`: see `Observer`."""
        if self.stage and not self.skipped:
            self._stage_seconds[self.stage] = self.elapsed
        self.stage, self.units, self.weight, self.stages = stage, units, weight, tuple(stages)
        self.measure = measure
        self.done = self.skipped = 0
        self._start_time = self._clock()
        self._running: dict[str, _Running] = {}
        self._finished_bytes = self._skipped_bytes = 0
        self._pages = self._rejects = 0

    def unit_started(self, unit: Unit) -> None:
        """The unit is at its beginning (again, if it is repeated)."""
        self._running[unit.name] = _Running((0, 0, 0, ""), self._clock())

    def unit_progress(self, unit: Unit, pages: int, bytes_done: int, rejects: int, at: str) -> None:
        """New totals of a unit."""
        running = self._running.get(unit.name)
        totals = (pages, min(bytes_done, unit.weight) if unit.weight else bytes_done, rejects, at)
        if running is not None and running.totals != totals:
            running.totals, running.changed = totals, self._clock()

    def unit_finished(self, unit: Unit, skipped: bool) -> None:
        """The unit is done."""
        running = self._running.pop(unit.name, None)
        self.done += 1
        if skipped:
            self.skipped += 1
            self._skipped_bytes += unit.weight
            return
        pages, bytes_done, rejects, _ = running.totals if running is not None else (0, 0, 0, "")
        self._finished_bytes += unit.weight or bytes_done
        self._pages += pages
        self._rejects += rejects

    @property
    def pages(self) -> int:
        """Pages of this run."""
        return self._pages + sum(r.totals[0] for r in self._running.values())

    @property
    def rejects(self) -> int:
        """Rejects of this run."""
        return self._rejects + sum(r.totals[2] for r in self._running.values())

    @property
    def new_bytes(self) -> int:
        """Bytes done by this run."""
        return self._finished_bytes + sum(r.totals[1] for r in self._running.values())

    @property
    def bytes_done(self) -> int:
        """Bytes done by this run and earlier ones."""
        return self.new_bytes + self._skipped_bytes

    @property
    def elapsed(self) -> float:
        """Seconds since the stage began."""
        return self._clock() - self._start_time

    @property
    def fraction(self) -> float:
        """Of the stage's work, from 0 to 1: by size where sizes are known, else by units."""
        if self.weight:
            return min(1.0, self.bytes_done / self.weight)
        return self.done / self.units if self.units else 0.0

    @property
    def rate(self) -> float:
        """Bytes a second of this run; 0 while unknown."""
        return self.new_bytes / self.elapsed if self.elapsed > 0 else 0.0

    @property
    def time_left(self) -> float | None:
        """Seconds, or None while unknown."""
        if not self.weight or self.rate <= 0:
            return None
        return max(0, self.weight - self.bytes_done) / self.rate

    @property
    def number(self) -> int:
        """Of the stage in the build, from 1; 0 where that is not known."""
        return self.stages.index(self.stage) + 1 if self.stage in self.stages else 0

    @property
    def whole_left(self) -> float | None:
        """Seconds of the whole build, by what stages usually take beside each other; None while unknown, and where it
        is no build."""
        if self.measure:
            return None
        return seconds_left(
            self.stages, self.stage, self.time_left, None if self.skipped else self.elapsed, self._stage_seconds
        )

    def standing(self) -> list[StalledUnit]:
        """Units without news for a while, the oldest first."""
        now = self._clock()
        standing_units = [
            StalledUnit(name, now - r.changed, r.totals[3])
            for name, r in self._running.items()
            if now - r.changed >= STANDSTILL_SECONDS
        ]
        return sorted(standing_units, key=lambda s: (-s.age, s.unit))
