"""The last line of a stream, written over by a carriage return."""

from wikiprep.terminal.stream import SafeStream
from wikiprep.terminal.wording import printable


class RewrittenLine:
    """`write` takes the place of what stands there, `note` stays above it."""

    def __init__(self, stream: SafeStream) -> None:
        self._stream = stream
        self._width = 0  # characters that stand there

    def write(self, text: str) -> None:
        """Without control characters, which would leave the line."""
        text = printable(text).replace("\n", " ")
        self._stream.write("\r" + text.ljust(self._width))
        self._stream.flush()
        self._width = len(text)

    def note(self, text: str) -> None:
        """A line, or lines, in its place; the next state comes below."""
        start = f"\r{' ' * self._width}\r" if self._width else ""
        self._stream.write(f"{start}{printable(text)}\n")
        self._stream.flush()
        self._width = 0

    def end(self) -> None:
        """End the line, which stays."""
        if self._width:
            self._stream.write("\n")
            self._stream.flush()
            self._width = 0

    def clear(self) -> None:
        """Erase the line."""
        if self._width:
            self._stream.write(f"\r{' ' * self._width}\r")
            self._stream.flush()
            self._width = 0
