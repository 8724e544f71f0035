"""What a driver tells about a running build, for displays and for tests. Nothing of it decides the output."""

from collections.abc import Sequence
from typing import Protocol, Self

from wikiprep.units.unit import Result, Unit


class Observer(Protocol):
    """Called from the driver's thread only. `bytes_done` and `weight` are in the stage's own measure of size."""

    def stage_started(self, stage: str, units: int, weight: int, stages: Sequence[str] = (), measure: str = "") -> None:
        """`units` follow, of `weight` together. `stages`: all of the build, in order, where they are known.

        `measure`: of what is no build, whose units say nothing to a person: "bytes", or what one is called ("row").
        """

    def unit_started(self, unit: Unit) -> None:
        """A worker has been given the unit; again when it is repeated."""

    def unit_progress(self, unit: Unit, pages: int, bytes_done: int, rejects: int, at: str) -> None:
        """Totals of the unit so far, and the page it is at; of what is no build what it last came to."""

    def unit_finished(self, unit: Unit, result: Result, skipped: bool) -> None:
        """`skipped`: an earlier run had finished it."""

    def stage_finished(self, stage: str) -> None:
        """All units are finished."""

    def note(self, text: str) -> None:
        """Something the user should read, such as a worker that died."""

    def tick(self) -> None:
        """A chance to show how time passes; comes several times a second while units run."""

    def close(self) -> None:
        """The build is over, well or not: leave the terminal as it was. May come twice."""

    def __enter__(self) -> Self:
        """Itself."""

    def __exit__(self, *_: object) -> None:
        """`close`."""


class Closing:
    """The `with` block of an observer that has nothing to close."""

    def close(self) -> None:
        """Nothing."""

    def __enter__(self) -> Self:
        return self

    def __exit__(self, *_: object) -> None:
        self.close()
