"""Which pieces of large folders are read: some parts, some row groups or batches of each, by a seed.

What a piece is of is told beside the numbers, so that nobody takes a sample for the whole.
"""

import random
from collections.abc import Callable, Sequence
from dataclasses import dataclass

PARTS, EACH = 48, 4  # of the English Wikipedia's 431 parts about 190 row groups, a tenth of its text


@dataclass(frozen=True, slots=True)
class Piece:
    """Row group or batch `number` of a file."""

    path: str
    number: int


@dataclass(frozen=True, slots=True)
class Sample:
    """`pieces` in the order of the folder; `whole`: nothing was left out."""

    pieces: Sequence[Piece]
    whole: bool


def choose(paths: Sequence[str], pieces_of: Callable[[str], int], seed: int, what: str) -> Sample:
    """All pieces of a small folder, some of a large one. `pieces_of` is asked of the chosen files alone."""
    rng = random.Random(f"{what} {seed}")
    file_numbers = sorted(rng.sample(range(len(paths)), min(PARTS, len(paths))))
    pieces, is_whole = [], len(file_numbers) == len(paths)
    for place in file_numbers:
        piece_count = pieces_of(paths[place])
        numbers = sorted(rng.sample(range(piece_count), min(EACH, piece_count)))
        is_whole = is_whole and len(numbers) == piece_count
        pieces += [Piece(paths[place], number) for number in numbers]
    return Sample(pieces, is_whole)
