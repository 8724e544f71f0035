"""Standard input as a file that a person named "-": its bytes, and numbered lines of it or of a file, as they come."""

import sys
from collections.abc import Iterator
from typing import BinaryIO

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
