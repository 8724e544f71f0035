"""Progress as one line that is written over, for notebooks: a carriage return is all that they know of a terminal.

A notebook that is run without anybody looking keeps every state of the line in its file, so it does not change often.
"""

import time
from collections.abc import Callable, Sequence

from wikiprep.terminal import wording
from wikiprep.terminal.lines import Lines
from wikiprep.terminal.stream import SafeStream

LINE_SECONDS = 2.0


class Rewritten:
    """The last line of a stream: `write` takes the place of what stands there, `note` stays above it."""

    def __init__(self, stream: SafeStream) -> None:
        self._stream = stream
        self._shown = 0  # characters that stand there

    def write(self, text: str) -> None:
        """Without control characters, which would leave the line."""
        text = wording.printable(text).replace("\n", " ")
        self._stream.write("\r" + text.ljust(self._shown))
        self._stream.flush()
        self._shown = len(text)

    def note(self, text: str) -> None:
        """A line, or lines, in its place; the next state comes below."""
        start = f"\r{' ' * self._shown}\r" if self._shown else ""
        self._stream.write(f"{start}{wording.printable(text)}\n")
        self._stream.flush()
        self._shown = 0

    def end(self) -> None:
        """Let it stay."""
        if self._shown:
            self._stream.write("\n")
            self._stream.flush()
            self._shown = 0

    def clear(self) -> None:
        """Take it away."""
        if self._shown:
            self._stream.write(f"\r{' ' * self._shown}\r")
            self._stream.flush()
            self._shown = 0


class OneLine(Lines):
    """An `Observer` that writes over its own line."""

    def __init__(self, stream: SafeStream, clock: Callable[[], float] = time.monotonic) -> None:
        super().__init__(stream, clock)
        self._line = Rewritten(stream)

    def stage_started(self, stage: str, units: int, weight: int, stages: Sequence[str] = (), measure: str = "") -> None:
        """See `Observer`."""
        super().stage_started(stage, units, weight, stages, measure)
        self._written -= LINE_SECONDS  # the first state is shown at once

    def note(self, text: str) -> None:
        """See `Observer`."""
        self._line.note(text)

    def tick(self) -> None:
        """The state, and how many units stand still."""
        now = self._clock()
        if now - self._written < LINE_SECONDS:
            return
        self._written = now
        still = self._tally.standing()
        more = f"; {wording.standing(still[0])}" if still else ""
        self._line.write(wording.line(self._tally) + more)

    def close(self) -> None:
        """See `Observer`."""
        self._line.clear()
