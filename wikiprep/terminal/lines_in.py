"""Numbered lines of a file or of standard input ("-"), as they come."""

from collections.abc import Iterator

from wikiprep.terminal.standard_input import standard_input
from wikiprep.textlines import read_lines


def numbered_lines(source: str) -> Iterator[tuple[int, bytes]]:
    """Lines from 1 without their ends; blank ones are left out but counted. Raises WikiprepError as `read_lines`."""
    if source != "-":
        yield from read_lines(source)
        return
    for number, line in enumerate(standard_input(), 1):
        if line.strip():
            yield number, line.removeprefix(b"\xef\xbb\xbf" if number == 1 else b"").rstrip(b"\r\n")
