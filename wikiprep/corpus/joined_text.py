"""Many paragraphs as one array of code points, so that the work on text is a few passes over a batch.

Every paragraph has a separator (U+2029) before it, and its white space is normalised: runs become one space, none stays
at its ends. White space is what `str.split` splits at, and NUL, which `encoder_choice.py` uses as a mark. Positions are
indices into the array; those of the paragraphs as given are carried over.
"""

from collections.abc import Sequence
from dataclasses import dataclass

import numpy as np
from numpy.typing import NDArray

SPACE = 0x20
SEPARATOR = 0x2029

Codes = NDArray[np.uint32]
Positions = NDArray[np.int64]

_BLANK = np.zeros(0x10000, dtype=bool)
_BLANK[[code for code in range(0x10000) if code == 0 or chr(code).isspace()]] = True


@dataclass(frozen=True)
class JoinedText:
    """`codes[separators[i] + 1 : separators[i + 1]]` is paragraph i; the last one ends with the array."""

    codes: Codes
    separators: Positions

    def text(self) -> str:
        """The array as a string of the same length."""
        return self.codes.tobytes().decode("utf-32-le")

    def gaps(self) -> NDArray[np.bool_]:
        """True where the array holds a space or a separator."""
        gaps: NDArray[np.bool_] = (self.codes == SPACE) | (self.codes == SEPARATOR)
        return gaps


def join(
    texts: Sequence[str], paragraphs: Positions, starts: Positions, ends: Positions
) -> tuple[JoinedText, Positions, Positions]:
    """`texts` joined, and the spans `texts[paragraphs[k]][starts[k]:ends[k]]` as positions in the array.

    Spans lose the white space at their ends; one that has nothing else comes back empty (end <= start). A span must
    lie within its text.
    """
    codes = np.frombuffer(("\u2029" + "\u2029".join(texts)).encode("utf-32-le"), dtype=np.uint32)[
        : None if texts else 0
    ]
    lengths = np.fromiter(map(len, texts), np.int64, len(texts))
    separators = np.cumsum(lengths + 1) - lengths - 1
    first = separators[paragraphs] + 1
    starts, ends = first + starts, first + ends
    surplus, unusual = _blanks(codes, separators)
    if len(unusual):
        codes = codes.copy()
        codes[unusual] = SPACE
    if len(surplus):
        keep = np.ones(len(codes) + 1, dtype=bool)
        keep[surplus] = False
        new_positions = np.cumsum(keep) - keep  # position -> position once the surplus is gone
        codes = codes[keep[:-1]]
        starts, ends, separators = new_positions[starts], new_positions[ends], new_positions[separators]
    joined = JoinedText(codes, separators)
    if len(starts):
        gaps = np.append(joined.gaps(), True)
        starts = starts + gaps[starts]
        ends = ends - gaps[ends - 1]
    return joined, starts, ends


def _blanks(codes: Codes, separators: Positions) -> tuple[Positions, Positions]:
    """Positions of white space to drop, and of white space to make a plain space. Looks at runs of it."""
    blanks = np.flatnonzero(np.take(_BLANK, codes, mode="clip"))  # all beyond U+FFFF count as U+FFFF: not blank
    if not len(blanks):
        return blanks, blanks
    edge = np.zeros(len(codes), dtype=bool)
    edge[separators] = True
    inner = ~edge[blanks]
    opens = np.ones(len(blanks), dtype=bool)  # first of its run
    opens[1:] = np.diff(blanks) > 1
    run = np.cumsum(opens) - 1
    at_edge = np.logical_or.reduceat(~inner, np.flatnonzero(opens))  # the run touches an end of a paragraph
    at_edge[-1] |= blanks[-1] == len(codes) - 1
    surplus = inner & (~opens | at_edge[run])
    unusual = inner & ~surplus & (codes[blanks] != SPACE)
    return blanks[surplus], blanks[unusual]
