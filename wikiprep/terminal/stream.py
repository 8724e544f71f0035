"""A text stream for displays, which must never end a build: no encoding errors, no broken pipes."""

import contextlib
from typing import IO, Any


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
