"""Text streams: one for displays, which never ends a build, and standard input as a file that a person named "-".

Displays know no encoding errors and no broken pipes. Of standard input there are the bytes, and numbered lines of it or
of a file, as they come.
"""

import contextlib
import sys
from collections.abc import Iterator
from typing import IO, Any, BinaryIO

from wikiprep.errors import UsageError
from wikiprep.textlines import read_lines


def standard_input() -> BinaryIO:
    """Its bytes. Raises UsageError where it is closed (`<&-`)."""
    if sys.stdin is None:
        raise UsageError("standard input is closed", "give a file, or send one: wikiprep … < FILE")
    return sys.stdin.buffer


def numbered_lines(source: str) -> Iterator[tuple[int, bytes]]:
    """Lines from 1 without their ends; blank ones are left out but counted. Raises WikiprepError as `read_lines`."""
    if source != "-":
        yield from read_lines(source)
        return
    for number, line in enumerate(standard_input(), 1):
        if line.strip():
            yield number, line.removeprefix(b"\xef\xbb\xbf" if number == 1 else b"").rstrip(b"\r\n")


class SafeStream:
    """Wraps a text stream: characters it cannot encode become `?`, a reader that went away is nobody's problem."""

    def __init__(self, stream: IO[str]) -> None:
        self._stream = stream
        self._encoding: str = getattr(stream, "encoding", None) or "utf-8"

    def write(self, text: str) -> int:
        """Writes what can be written."""
        safe = text.encode(self._encoding, "replace").decode(self._encoding, "replace")
        with contextlib.suppress(OSError, ValueError):
            self._stream.write(safe)
        return len(text)

    def flush(self) -> None:
        """Flushes if there is still somebody to flush to."""
        with contextlib.suppress(OSError, ValueError):
            self._stream.flush()

    def isatty(self) -> bool:
        """Whether it is a terminal; a closed stream is none."""
        try:
            return self._stream.isatty()
        except ValueError:
            return False

    @property
    def of_kernel(self) -> bool:
        """Whether it is the output of a cell, written by the notebook's own process: no terminal, but shown at once."""
        return type(self._stream).__module__.startswith("ipykernel.")

    def __getattr__(self, name: str) -> Any:
        return getattr(self._stream, name)
