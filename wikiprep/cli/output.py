"""Standard output of the command: data is UTF-8 whatever the locale, and a failure to write is known for what it is."""

import io
import os
import sys

STDOUT = "standard output"


class _NamedFile(io.FileIO):
    """A file whose write errors carry the stream's name, which tells them from those of other files."""

    def write(self, data: object, /) -> int:
        """As `FileIO.write`."""
        try:
            return super().write(data)  # type: ignore[arg-type]
        except OSError as error:
            error.filename = STDOUT
            raise


def name_output() -> None:
    """Let errors of writing to standard output carry the file name STDOUT. Nothing happens where it is closed."""
    old = sys.stdout
    if not isinstance(old, io.TextIOWrapper):
        return
    old.flush()
    raw = _NamedFile(old.fileno(), "wb", closefd=False)
    buffer = raw if old.write_through else io.BufferedWriter(raw)  # python -u
    # A terminal that cannot show a title's letters gets question marks, not a traceback.
    sys.stdout = io.TextIOWrapper(
        buffer, old.encoding, "replace", line_buffering=old.line_buffering, write_through=old.write_through
    )


def flush_output() -> None:
    """Flush standard output, so that a failure comes while it can still be reported."""
    if sys.stdout is not None and not sys.stdout.closed:
        sys.stdout.flush()


def discard_output() -> None:
    """Send standard output to nowhere: at exit Python would try to flush once more, and complain."""
    os.dup2(os.open(os.devnull, os.O_WRONLY), sys.stdout.fileno())


def utf8_output() -> None:
    """Let standard output write UTF-8."""
    if isinstance(sys.stdout, io.TextIOWrapper):
        sys.stdout.reconfigure(encoding="utf-8")
