"""The one shape of a stage: plan -> units, run(unit) -> result, commit(results) -> counts and facts.

A stage knows nothing of engines, a driver nothing of Wikipedia. Units of a stage are independent of each other and
may run anywhere, in any order, more than once; a plan may read what the commits before it left.
"""

from collections.abc import Mapping, Sequence
from dataclasses import dataclass, field
from typing import Any, Protocol

from wikiprep.config import RunOptions
from wikiprep.counts import Count, Equation
from wikiprep.file_receipt import FileReceipt
from wikiprep.files import Store
from wikiprep.units.job import Job
from wikiprep.units.unit import Report, Result, Unit


@dataclass(frozen=True, slots=True)
class PlannedUnit:
    """A unit before it has its stage's fingerprint: name, the stage's own payload, size in bytes for progress."""

    name: str
    work: Any
    weight: int = 0


@dataclass(frozen=True, slots=True)
class Commit:
    """What a finished stage is to later ones: its results in unit order, summed counts, and facts."""

    results: tuple[Result, ...]
    counts: dict[Count, int]
    facts: dict[str, Any] = field(default_factory=dict)
    warnings: tuple[str, ...] = ()
    equations: tuple[Equation, ...] = ()

    def files(self, folder: str) -> list[FileReceipt]:
        """Published files under a folder, in unit order."""
        return [f for r in self.results for f in r.files if f.path.startswith(folder)]


class Stage(Protocol):
    """`needs` are the stages whose output it reads: their fingerprints enter its own."""

    name: str
    needs: tuple[str, ...]

    def content(self, job: Job) -> dict[str, Any]:
        """The content options and inputs that this stage itself reads; JSON values."""

    def plan(self, job: Job, earlier: Mapping[str, Commit]) -> list[PlannedUnit]:
        """The units, in a fixed order; never empty."""

    def run(self, unit: Unit, store: Store, report: Report, options: RunOptions) -> Result:
        """Do the unit and publish its files. Returns without side effects elsewhere."""

    def commit(self, job: Job, results: Sequence[Result], earlier: Mapping[str, Commit]) -> Commit:
        """Sum up; raises WikiprepError where the sums do not close or nothing came of something."""
