"""What is shown of a download, by `terminal/mode.py`: a bar, a line, a line every ten seconds, nothing with --quiet."""

import sys
import threading
import time
from collections.abc import Callable
from typing import IO, Any, Protocol, cast

from wikiprep.download.meter import Meter
from wikiprep.terminal.mode import Mode, mode_of
from wikiprep.terminal.one_line import LINE_SECONDS as REWRITE_SECONDS
from wikiprep.terminal.one_line import Rewritten
from wikiprep.terminal.stream import SafeStream
from wikiprep.terminal.wording import printable

LINE_SECONDS = 10.0


class Display(Protocol):
    """`note` may be called from any thread, the others from one."""

    def note(self, text: str) -> None:
        """A line that stays."""

    def tick(self, meter: Meter) -> None:
        """Shows how far it is, when it is time to."""

    def close(self) -> None:
        """Leave the terminal as it was."""


class Quiet:
    """Shows nothing."""

    def note(self, text: str) -> None:
        """Nothing."""

    def tick(self, meter: Meter) -> None:
        """Nothing."""

    def close(self) -> None:
        """Nothing."""


class Lines:
    """For logs and pipes."""

    def __init__(self, stream: SafeStream) -> None:
        self._stream = stream
        self._lock = threading.Lock()
        self._written = time.monotonic()

    def note(self, text: str) -> None:
        """See `Display`."""
        with self._lock:
            self._stream.write(printable(text) + "\n")
            self._stream.flush()

    def tick(self, meter: Meter) -> None:
        """See `Display`."""
        if time.monotonic() - self._written >= LINE_SECONDS:
            self._written = time.monotonic()
            self.note(f"download: {meter.line()}")

    def close(self) -> None:
        """Nothing to leave."""


class Notes(Lines):
    """What must be read, and no progress."""

    def tick(self, meter: Meter) -> None:
        """Nothing."""


class OneLine(Lines):
    """A line that is written over, for notebooks."""

    def __init__(self, stream: SafeStream) -> None:
        super().__init__(stream)
        self._line = Rewritten(stream)

    def note(self, text: str) -> None:
        """See `Display`."""
        with self._lock:
            self._line.note(text)

    def tick(self, meter: Meter) -> None:
        """See `Display`."""
        if time.monotonic() - self._written >= REWRITE_SECONDS:
            self._written = time.monotonic()
            with self._lock:
                self._line.write(f"download: {meter.line()}")

    def close(self) -> None:
        """See `Display`."""
        self._line.clear()


class Bar:
    """Drawn in place by rich, which takes long to import."""

    def __init__(self, stream: SafeStream) -> None:
        from rich.console import Console

        self._console = Console(file=cast(IO[str], stream), highlight=False, force_jupyter=False)
        self._live: Any = None

    def note(self, text: str) -> None:
        """See `Display`; above the bar."""
        from rich.text import Text

        self._console.print(Text(printable(text)), soft_wrap=True)

    def tick(self, meter: Meter) -> None:
        """See `Display`."""
        from rich.console import Group
        from rich.live import Live
        from rich.progress_bar import ProgressBar
        from rich.text import Text

        width = max(10, min(60, self._console.width - 2))
        picture = Group(ProgressBar(total=1.0, completed=meter.fraction, width=width), Text(meter.line()))
        if self._live is None:
            self._live = Live(picture, console=self._console, auto_refresh=False, transient=True)
            self._live.start()
        self._live.update(picture, refresh=True)

    def close(self) -> None:
        """See `Display`."""
        if self._live is not None:
            self._live.stop()
            self._live = None


def display_for(quiet: bool, stream: IO[str] | None = None) -> Display:
    """The display for `stream` (default: stderr)."""
    stream = stream or sys.stderr
    if quiet or stream is None:
        return Quiet()
    safe = SafeStream(stream)
    kinds: dict[Mode, Callable[[SafeStream], Display]] = {
        Mode.BAR: Bar,
        Mode.NOTEBOOK: OneLine,
        Mode.LINES: Lines,
        Mode.NONE: Notes,
    }
    return kinds[mode_of(safe)](safe)
