"""Independent ranges of a dump: a fixed grid of compressed bytes over each file.

bz2 is cut at blocks and plain XML at bytes; a page belongs to the range that holds the start of its `<page>`. gz, xz,
zst and UTF-16 can only be read from the beginning and are one range a file.
"""

from collections.abc import Sequence
from dataclasses import dataclass
from typing import Protocol

from wikiprep.compression import Compression

SMALLEST = 1 << 10  # bytes; a grid finer than this only reads blocks twice


@dataclass(frozen=True, slots=True)
class Range:
    """The bytes [start, end) of a file of `size` bytes."""

    path: str
    compression: Compression
    start: int
    end: int
    size: int


class Cuttable(Protocol):
    """A file of `size` bytes; `splittable` if reading can begin anywhere in it."""

    @property
    def path(self) -> str: ...

    @property
    def size(self) -> int: ...

    @property
    def compression(self) -> Compression: ...

    @property
    def splittable(self) -> bool: ...


def plan_ranges(parts: Sequence[Cuttable], range_bytes: int) -> list[Range]:
    """The grid of `range_bytes` compressed bytes over every part, in order; a pure function of names and sizes."""
    step = max(int(range_bytes), SMALLEST)
    ranges = []
    for part in parts:
        width = step if part.splittable else max(part.size, 1)
        for start in range(0, part.size, width):
            ranges.append(Range(part.path, part.compression, start, min(start + width, part.size), part.size))
    return ranges
