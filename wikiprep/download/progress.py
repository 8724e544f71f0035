"""What is shown of a download: how far all its files are together."""

from typing import TYPE_CHECKING

from wikiprep.download.meter import Meter

if TYPE_CHECKING:
    from rich.console import RenderableType


class MeterState:
    """A `State` (terminal/screen.py) of a meter."""

    def __init__(self, meter: Meter) -> None:
        self._meter = meter

    def line(self) -> str:
        """See `State`."""
        return f"download: {self._meter.line()}"

    def more(self) -> list[str]:
        """See `State`: nothing."""
        return []

    def picture(self, width: int) -> "RenderableType":
        """See `State`."""
        from rich.console import Group
        from rich.progress_bar import ProgressBar
        from rich.text import Text

        bar = ProgressBar(total=1.0, completed=self._meter.fraction, width=max(10, min(60, width - 2)))
        return Group(bar, Text(self._meter.line()))
