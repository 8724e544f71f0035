"""What a driver needs of an engine: a place where units run. Everything else of a build is the same under all."""

from collections.abc import Callable, Mapping, Sequence
from dataclasses import dataclass, field
from typing import TYPE_CHECKING, Protocol, Self

from wikiprep.config import RunOptions
from wikiprep.units.unit import Report, Result, Unit
from wikiprep.version import wikiprep_version

if TYPE_CHECKING:
    from wikiprep.units.observer import Observer

Run = Callable[[Unit, Report, RunOptions], Result]


@dataclass(frozen=True, slots=True)
class Runner:
    """Which engine really ran, for run.json: its name, its version, and what it was told (such as Spark's master)."""

    name: str = "local"
    version: str = field(default_factory=wikiprep_version)
    details: Mapping[str, str] = field(default_factory=dict)


class Engine(Protocol):
    """Runs units; entered before the first and left after the last. Entering fails where no unit could run."""

    @property
    def runner(self) -> Runner:
        """Known once the engine is entered."""

    def run_units(self, units: Sequence[Unit], run: Run, observer: "Observer") -> list[Result]:
        """`run(unit, report, options)` for every unit, somewhere; the results in the order of `units`."""

    def __enter__(self) -> Self:
        """Itself, ready."""

    def __exit__(self, *_: object) -> None:
        """Ends what it started."""
