"""Records that are left out on request, as ranges of positions of the stream. What is behind them stays as it was.

A range says WHERE, not how many from now on: whoever gives it again, or goes on from a checkpoint before it, in it or
behind it, sees the same records. Global batches are full all the same: they take the next positions that are left.
"""

import re
from collections.abc import Iterable, Sequence
from dataclasses import dataclass

import numpy as np
import numpy.typing as npt

from wikiprep.errors import UsageError

Range = tuple[int, int]  # first position, and the one behind the last
Asked = tuple[int | None, int]  # first position, None for where the run goes on; how many

_FORM = re.compile("(?:([0-9]{1,18}):)?([1-9][0-9]{0,17})")


@dataclass(frozen=True)
class Skips:
    """Ranges that rise, with at least a position between them."""

    ranges: tuple[Range, ...] = ()

    @classmethod
    def of(cls, ranges: Iterable[Sequence[int]]) -> "Skips":
        """Of ranges in any order, overlapping or not."""
        merged: list[Range] = []
        for start, stop in sorted((int(start), int(stop)) for start, stop in ranges):
            if start >= stop:
                continue
            if merged and start <= merged[-1][1]:
                merged[-1] = merged[-1][0], max(stop, merged[-1][1])
            else:
                merged.append((start, stop))
        return cls(tuple(merged))

    def take(self, start: int, count: int) -> npt.NDArray[np.int64]:
        """The first `count` positions from `start` on that are left, rising."""
        pieces, position, missing = [], start, count
        for first, stop in self.ranges:
            if stop <= position:
                continue
            piece = np.arange(position, min(max(position, first), position + missing), dtype=np.int64)
            pieces.append(piece)
            missing -= len(piece)
            if not missing:
                break
            position = stop
        return np.concatenate([*pieces, np.arange(position, position + missing, dtype=np.int64)])

    def after(self, start: int, count: int) -> int:
        """The position behind the last of `taken(start, count)`; `start` for none of them."""
        position = start
        for first, stop in self.ranges:
            if stop <= position:
                continue
            room = max(0, first - position)
            if count <= room:
                break
            position, count = stop, count - room
        return position + count

    def between(self, start: int, stop: int) -> list[Range]:
        """The parts of the ranges from `start` to before `stop`."""
        parts = [(max(start, first), min(stop, last)) for first, last in self.ranges]
        return [part for part in parts if part[0] < part[1]]


NOTHING = Skips()


def read_skip(word: str) -> Asked:
    """Of "N" or "POSITION:N". Raises UsageError for any other form."""
    match = _FORM.fullmatch(word)
    if match is None:
        raise UsageError(f"--skip-records {word}", "it takes N, or POSITION:N with a position as the log gives it")
    return None if match[1] is None else int(match[1]), int(match[2])


def range_of(request: Asked, position: int, skipped: Sequence[Range]) -> Range:
    """The range that is meant where a run that leaves `skipped` out goes on at `position`.

    Without a position it is the known one of as many records, if there is one: the same command given again, as by a
    job that is put back into the queue, asks for nothing new.
    """
    start, count = request
    if start is not None:
        return start, start + count
    same_size = [(first, stop) for first, stop in skipped if stop - first == count]
    return same_size[-1] if same_size else (position, position + count)
