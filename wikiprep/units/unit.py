"""A unit of work, its result, and how a running unit tells where it is. The vocabulary of every driver.

A unit is an independent piece of input. A worker takes it, reads, computes and writes the unit's own files;
only this small result travels back.
"""

from dataclasses import dataclass, field
from typing import Any, Protocol

from wikiprep.counts import Count
from wikiprep.file_receipt import FileReceipt


@dataclass(frozen=True, slots=True)
class Unit:
    """`work` is the stage's own small payload (picklable).

    `weight` is its size in bytes, for progress. `rests_on`: the stages whose files it may read, which a worker cannot
    know by the stage's name alone (--densify reads more). `rules`: those that the stage was begun with
    (`units/stage_rules.py`), `version`: of the wikiprep that began it.
    """

    stage: str
    name: str
    fingerprint: str
    output: str
    work: Any
    weight: int = 0
    rests_on: tuple[str, ...] = ()
    rules: str = ""
    version: str = ""


@dataclass(slots=True)
class Result:
    """What a finished unit leaves: files, counts (summed over units) and small facts for the commit."""

    unit: str
    files: list[FileReceipt] = field(default_factory=list)
    counts: dict[Count, int] = field(default_factory=dict)
    facts: dict[str, Any] = field(default_factory=dict)


class Report(Protocol):
    """How a running unit tells the driver what it has done so far. For display only."""

    def progress(self, *, pages: int, bytes_done: int, rejects: int, at: str = "") -> None:
        """Totals of this unit so far; `bytes_done` in the measure of `Unit.weight`, `at` the page worked on."""


class NoReport:
    """For callers that show nothing."""

    def progress(self, *, pages: int, bytes_done: int, rejects: int, at: str = "") -> None:
        """Nothing."""
