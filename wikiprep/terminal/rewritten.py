"""The last line of a stream, written over by a carriage return."""

from wikiprep.terminal.stream import SafeStream
from wikiprep.terminal.wording import printable


class Rewritten:
    """`write` takes the place of what stands there, `note` stays above it."""

    def __init__(self, stream: SafeStream) -> None:
        self._stream = stream
        self._shown = 0  # characters that stand there

    def write(self, text: str) -> None:
        """Without control characters, which would leave the line."""
        text = printable(text).replace("\n", " ")
        self._stream.write("\r" + text.ljust(self._shown))
        self._stream.flush()
        self._shown = len(text)

    def note(self, text: str) -> None:
        """A line, or lines, in its place; the next state comes below."""
        start = f"\r{' ' * self._shown}\r" if self._shown else ""
        self._stream.write(f"{start}{printable(text)}\n")
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
