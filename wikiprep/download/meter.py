"""How far a download is: bytes of all its files, how fast, how long still. For displays; decides nothing.

What was there before this run is done, and not fast. The speed is that of the last half minute: servers slow down.
"""

import threading
import time
from collections import deque
from collections.abc import Callable
from typing import TYPE_CHECKING

from wikiprep.terminal.wording import amount, plural, share
from wikiprep.terminal.wording import clock as as_clock

if TYPE_CHECKING:
    from rich.console import RenderableType

WINDOW = 30.0  # seconds


class Meter:
    """Threads tell it, the display asks. `sizes`: bytes by file, None where nobody knows; `there`: bytes before."""

    def __init__(
        self, sizes: dict[str, int | None], there: dict[str, int], clock: Callable[[], float] = time.monotonic
    ) -> None:
        self._clock = clock
        self._lock = threading.Lock()
        self._sizes = dict(sizes)
        self._bytes_now = {name: there.get(name, 0) for name in sizes}
        self._whole: set[str] = set()
        self._fetched = 0
        self._start_time = clock()
        self._samples: deque[tuple[float, int]] = deque([(self._start_time, 0)])

    def at(self, name: str, count: int) -> None:
        """So many bytes of the file are there now."""
        with self._lock:
            self._fetched += max(0, count - self._bytes_now[name])
            self._bytes_now[name] = count
            now = self._clock()
            if now - self._samples[-1][0] >= 0.5:
                self._samples.append((now, self._fetched))
            while len(self._samples) > 2 and now - self._samples[1][0] > WINDOW:
                self._samples.popleft()

    def whole(self, name: str, count: int) -> None:
        """The file has its name."""
        with self._lock:
            self._sizes[name] = self._bytes_now[name] = count
            self._whole.add(name)

    @property
    def done(self) -> int:
        """Bytes that are there."""
        return sum(self._bytes_now.values())

    @property
    def total(self) -> int:
        """Bytes of all files, as far as their sizes are known."""
        return sum(max(size or 0, self._bytes_now[name]) for name, size in self._sizes.items())

    @property
    def fetched(self) -> int:
        """Bytes of this run."""
        return self._fetched

    @property
    def elapsed(self) -> float:
        """Seconds since it began."""
        return self._clock() - self._start_time

    @property
    def rate(self) -> float:
        """Bytes a second, of late; 0 while unknown."""
        sample_time, before = self._samples[0]
        seconds = self._clock() - sample_time
        return (self._fetched - before) / seconds if seconds > 0 else 0.0

    @property
    def fraction(self) -> float:
        """Of all bytes, from 0 to 1."""
        return self.done / self.total if self.total else 0.0

    def line(self) -> str:
        """Bytes, speed, time left and files, in words."""
        files = f"{len(self._whole)} of {plural(len(self._sizes), 'file')}"
        parts = [f"{100 * self.fraction:.0f} %", share(self.done, self.total)]
        if self.rate > 0:
            parts.append(f"{amount(self.rate)}/s")
            parts.append(f"{as_clock((self.total - self.done) / self.rate)} left")
        unknown = sum(size is None for size in self._sizes.values())
        return ", ".join([*parts, files]) + (f", {unknown} of them of unknown size" if unknown else "")

    def last_line(self) -> str:
        """What was done, when it is."""
        speed = f", {amount(self.fetched / self.elapsed)}/s" if self.fetched and self.elapsed >= 1 else ""
        return (
            f"downloaded {amount(self.fetched)} in {as_clock(self.elapsed)}{speed}; {plural(len(self._whole), 'file')}"
        )


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
