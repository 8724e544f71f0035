"""What is shown of a running build, or of another command: the sums of its stage, and the units that stand still."""

import time
from collections.abc import Callable, Sequence
from typing import IO, TYPE_CHECKING

from wikiprep.config import RunOptions
from wikiprep.terminal import wording
from wikiprep.terminal.screen import Screen, screen_for
from wikiprep.terminal.tally import Tally
from wikiprep.units.observer import Closing, Observer
from wikiprep.units.unit import Result, Unit
from wikiprep.verbosity import Verbosity, verbosity

if TYPE_CHECKING:
    from rich.console import RenderableType

STANDING_SHOWN = 5
NARROW = 50  # columns: below, there is no room for a bar


def observer_for(options: RunOptions, stream: IO[str] | None = None) -> Observer:
    """The display of a build for `stream` (default: stderr), by `mode_of`: nothing with --quiet.

    Use it in a `with` block, so that an error finds a clean terminal.
    """
    return BuildDisplay(screen_for(options.quiet, stream), details=verbosity() is Verbosity.VERBOSE)


class BuildDisplay(Closing):
    """An `Observer` on a screen. `details`: a line for each unit too, `--verbose`."""

    def __init__(self, screen: Screen, clock: Callable[[], float] = time.monotonic, *, details: bool = False) -> None:
        self.screen = screen
        self._clock, self._details = clock, details
        self._tally = Tally(clock)
        self._state = TallyState(self._tally)
        self._start_times: dict[str, float] = {}
        self._is_running = False

    def stage_started(self, stage: str, units: int, weight: int, stages: Sequence[str] = (), measure: str = "") -> None:
        """See `Observer`."""
        self._tally.start(stage, units, weight, stages, measure)
        self.screen.clear()
        self._is_running = True
        self.screen.begin(self._state)

    def unit_started(self, unit: Unit) -> None:
        """See `Observer`."""
        self._start_times[unit.name] = self._clock()
        self._tally.unit_started(unit)

    def unit_progress(self, unit: Unit, pages: int, bytes_done: int, rejects: int, at: str) -> None:
        """See `Observer`."""
        self._tally.unit_progress(unit, pages, bytes_done, rejects, at)

    def unit_finished(self, unit: Unit, result: Result, skipped: bool) -> None:
        """See `Observer`."""
        self._tally.unit_finished(unit, skipped)
        seconds = self._clock() - self._start_times.pop(unit.name, self._clock())
        if self._details and unit.name:
            size = f"{wording.size(unit.weight)}, " if unit.weight else ""
            self.screen.finished(
                f"{unit.stage}: {unit.name}: {size}" + ("from an earlier run" if skipped else f"{seconds:.1f} s")
            )

    def stage_finished(self, stage: str) -> None:
        """See `Observer`."""
        self._is_running = False
        self.screen.clear()
        self.screen.finished(wording.finished_line(self._tally))

    def note(self, text: str) -> None:
        """See `Observer`."""
        self.screen.note(text)

    def tick(self) -> None:
        """See `Observer`; again, where `close` made room for something else."""
        if self._is_running:
            self.screen.tick(self._state)

    def close(self) -> None:
        """See `Observer`."""
        self.screen.clear()


class TallyState:
    """A `State` of a tally."""

    def __init__(self, tally: Tally) -> None:
        self._tally = tally

    def line(self) -> str:
        """See `State`."""
        return wording.line(self._tally)

    def more(self) -> list[str]:
        """See `State`: each unit that stands still."""
        return [f"{self._tally.stage}: {wording.stalled_line(it)}" for it in self._tally.standing()]

    def picture(self, width: int) -> "RenderableType":
        """See `State`."""
        return picture(self._tally, width)


def picture(tally: Tally, width: int) -> "RenderableType":
    """A tally for a terminal of `width` columns: a bar, the numbers under it, and the units that stand still."""
    from rich.console import Group
    from rich.progress_bar import ProgressBar
    from rich.table import Table
    from rich.text import Text

    head = Text(f"{wording.name(tally)}  {wording.time_left_text(tally)}", style="bold")
    lines: list[RenderableType] = [head]
    if width >= NARROW and not wording.is_endless(tally):
        row = Table.grid(padding=(0, 2))
        row.add_row(head, ProgressBar(total=1.0, completed=tally.fraction, width=min(40, width // 3)))
        lines = [row]
    lines.append(Text(wording.counts(tally)))
    standing_units = tally.standing()
    lines += [Text(wording.stalled_line(it), style="yellow") for it in standing_units[:STANDING_SHOWN]]
    if len(standing_units) > STANDING_SHOWN:
        lines.append(Text(f"and {len(standing_units) - STANDING_SHOWN} more stand still", style="yellow"))
    return Group(*lines)
