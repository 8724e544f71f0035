"""Standard input as a file that a person named "-"."""

import sys
from typing import BinaryIO

from wikiprep.errors import UsageError


def standard_input() -> BinaryIO:
    """Its bytes. Raises UsageError where it is closed (`<&-`)."""
    if sys.stdin is None:
        raise UsageError("standard input is closed", "give a file, or send one: wikiprep … < FILE")
    return sys.stdin.buffer
