"""Sums of a running stage, for every display: what is done, how fast, what stands still.

Rates and the time left count only what this run has done: units that an earlier run finished are done, not fast.

How long a whole build will still take is a rough guess, from what its stages usually take beside each other. The shares
are those of builds on two cores with all options (`seconds` in run.json): English excerpts with and without
`--mentions`, and the whole Latgalian wiki. How much text, how many links and which templates a wiki has moves them.
"""

import time
from collections.abc import Callable, Mapping, Sequence
from dataclasses import dataclass

from wikiprep.units.unit import Unit

# What a stage takes, of the time of extraction, which is 1.
SHARES = {
    "snapshot": 0.3,
    "copies": 0.02,
    "inputs": 0.05,
    "template_pages": 0.25,
    "definitions": 0.05,
    "extract": 1.0,
    "pages": 0.1,
    "used_articles": 0.1,
    "links": 0.1,
    "vocabulary": 0.05,
    "mention_links": 0.3,
    "mention_names": 0.02,
    "name_table": 0.03,
    "mention_texts": 0.15,
    "mentions": 0.03,
    "tokenizer": 0.1,
    "records": 1.0,
    "dense_records": 1.8,
    "import": 0.5,
}
# Wikidata's stages depend on Wikidata's dump, and others on options: nothing is guessed while they are to come.
UNKNOWN = ("wikidata_read", "wikidata", "wikidata_merged")
STANDSTILL_SECONDS = 30.0


def seconds_left(
    stages: Sequence[str], stage: str, left: float | None, elapsed: float | None, took: Mapping[str, float]
) -> float | None:
    """Of the stage at hand and of those after it; None while nothing is known.

    `left`: seconds of the stage at hand; `elapsed`: since it began, None where an earlier run did a part of it;
    `took`: seconds of stages that this run did whole.
    """
    if stage not in stages or left is None:
        return None
    later_stages = stages[list(stages).index(stage) + 1 :]
    if not later_stages or any(name in UNKNOWN for name in later_stages):
        return left if not later_stages else None
    stage_seconds = {name: seconds for name, seconds in took.items() if name in SHARES}
    if elapsed is not None and stage in SHARES:
        stage_seconds[stage] = elapsed + left
    share = sum(SHARES.get(name, 0.0) for name in stage_seconds)
    if share < SHARES["template_pages"]:
        return None  # too little has been seen
    return left + sum(stage_seconds.values()) / share * sum(SHARES.get(name, 0.0) for name in later_stages)


@dataclass(slots=True)
class _Running:
    """A unit that is worked on: pages, bytes, rejects and the page it is at, as `unit_progress` said last."""

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
        """Of the stage's work, from 0 to 1: by size where sizes are known, else by units; 0 where nothing is known."""
        if self.weight:
            return min(1.0, self.bytes_done / self.weight)
        if self.measure:
            return 0.0
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
        """Seconds of the whole build, by what stages usually take beside each other.

        None while unknown, and where it is no build.
        """
        if self.measure:
            return None
        return seconds_left(
            self.stages, self.stage, self.time_left, None if self.skipped else self.elapsed, self._stage_seconds
        )

    @property
    def latest(self) -> str:
        """What the work last came to, where it is no build and says so (`Progress.latest`); else empty."""
        return next((r.totals[3] for r in self._running.values()), "") if self.measure else ""

    def standing(self) -> list[StalledUnit]:
        """Units without news for a while, the oldest first."""
        now = self._clock()
        standing_units = [
            StalledUnit(name, now - r.changed, "" if self.measure else r.totals[3])
            for name, r in self._running.items()
            if now - r.changed >= STANDSTILL_SECONDS
        ]
        return sorted(standing_units, key=lambda s: (-s.age, s.unit))
