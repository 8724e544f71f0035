"""A tally on a terminal: a bar, the numbers under it, and the units that stand still."""

from rich.console import Group, RenderableType
from rich.progress_bar import ProgressBar
from rich.table import Table
from rich.text import Text

from wikiprep.terminal import wording
from wikiprep.terminal.tally import Tally

STANDING_SHOWN = 5
NARROW = 50  # columns: below, there is no room for a bar


def picture(tally: Tally, width: int) -> RenderableType:
    """For a terminal of `width` columns."""
    head = Text(f"{wording.name(tally)}  {wording.time_left_text(tally)}", style="bold")
    lines: list[RenderableType] = [head]
    if width >= NARROW:
        row = Table.grid(padding=(0, 2))
        row.add_row(head, ProgressBar(total=1.0, completed=tally.fraction, width=min(40, width // 3)))
        lines = [row]
    lines.append(Text(wording.counts(tally)))
    standing_units = tally.standing()
    lines += [Text(wording.stalled_line(it), style="yellow") for it in standing_units[:STANDING_SHOWN]]
    if len(standing_units) > STANDING_SHOWN:
        lines.append(Text(f"and {len(standing_units) - STANDING_SHOWN} more stand still", style="yellow"))
    return Group(*lines)
