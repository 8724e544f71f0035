"""Progress on a terminal: a bar, the numbers under it, and the units that stand still; redrawn in place."""

import atexit
import time
from collections.abc import Callable, Sequence
from typing import IO, cast

from rich.console import Console, Group, RenderableType
from rich.live import Live
from rich.progress_bar import ProgressBar
from rich.table import Table
from rich.text import Text

from wikiprep.terminal import wording
from wikiprep.terminal.stream import SafeStream
from wikiprep.terminal.tally import Tally
from wikiprep.units.observer import Closing
from wikiprep.units.unit import Result, Unit

DRAW_SECONDS = 0.25
STANDING_SHOWN = 5
NARROW = 50  # columns: below, there is no room for a bar


class LiveDisplay(Closing):
    """An `Observer` that draws. Nothing runs in a thread: `tick` draws. `close` leaves the terminal as it was."""

    def __init__(self, stream: SafeStream, clock: Callable[[], float] = time.monotonic) -> None:
        self.console = Console(file=cast(IO[str], stream), highlight=False, force_jupyter=False)
        if self.console.width < 1:  # COLUMNS=0
            self.console.width = 80
        self._clock = clock
        self._tally = Tally(clock)
        self._live: Live | None = None
        self._stage_runs = False
        self._drawn = 0.0
        atexit.register(self.close)  # whatever ends the build, the cursor comes back

    def stage_started(self, stage: str, units: int, weight: int, stages: Sequence[str] = (), measure: str = "") -> None:
        """See `Observer`."""
        self._tally.start(stage, units, weight, stages, measure)
        self.close()
        self._stage_runs = True
        self._start()

    def _start(self) -> None:
        self._live = Live(
            self._picture(),
            console=self.console,
            auto_refresh=False,
            transient=True,
            redirect_stdout=False,
            redirect_stderr=False,
            vertical_overflow="crop",
        )
        self._live.start(refresh=True)

    def unit_started(self, unit: Unit) -> None:
        """See `Observer`."""
        self._tally.unit_started(unit)

    def unit_progress(self, unit: Unit, pages: int, bytes_done: int, rejects: int, at: str) -> None:
        """See `Observer`."""
        self._tally.unit_progress(unit, pages, bytes_done, rejects, at)

    def unit_finished(self, unit: Unit, result: Result, skipped: bool) -> None:
        """See `Observer`."""
        self._tally.unit_finished(unit, skipped)

    def stage_finished(self, stage: str) -> None:
        """See `Observer`."""
        self._stage_runs = False
        self.close()
        self.note(wording.finished(self._tally))

    def note(self, text: str) -> None:
        """See `Observer`; appears above the bar."""
        self.console.print(Text(wording.printable(text)), soft_wrap=True)  # the terminal wraps; a log of it does not

    def tick(self) -> None:
        """Draws, if the last drawing is old enough; again, where `close` made room for something else."""
        now = self._clock()
        if now - self._drawn < DRAW_SECONDS or not self._stage_runs:
            return
        self._drawn = now
        if self._live is None:
            self._start()
        else:
            self._live.update(self._picture(), refresh=True)

    def close(self) -> None:
        """Takes the drawing away and shows the cursor again."""
        if self._live is not None:
            self._live.stop()
            self._live = None

    def _picture(self) -> RenderableType:
        tally = self._tally
        head = Text(f"{wording.name(tally)}  {wording.left(tally)}", style="bold")
        lines: list[RenderableType] = [head]
        if self.console.width >= NARROW:
            row = Table.grid(padding=(0, 2))
            row.add_row(head, ProgressBar(total=1.0, completed=tally.fraction, width=min(40, self.console.width // 3)))
            lines = [row]
        lines.append(Text(wording.counts(tally)))
        still = tally.standing()
        lines += [Text(wording.standing(it), style="yellow") for it in still[:STANDING_SHOWN]]
        if len(still) > STANDING_SHOWN:
            lines.append(Text(f"and {len(still) - STANDING_SHOWN} more stand still", style="yellow"))
        return Group(*lines)
