"""Hashes of spans of text: any span of a batch in a few operations, from sums over its characters.

The hash of characters c_0 … c_k is the sum of (c_i + 1) * B^i modulo 2^64, B odd, and then mixed. With P the sums of
(c_i + 1) * B^i from the batch's beginning, a span's sum is (P[end] - P[start]) * B^-start: B has an inverse, since it
is odd. So a span needs its two ends only, whatever its length, and the same characters have the same hash wherever
they stand. Equal hashes are no proof: whoever looks up compares characters too.
"""

import numpy as np
import numpy.typing as npt

from wikiprep.tables.mentions.tokens import Chars, Places

Hashes = npt.NDArray[np.uint64]

_GOLDEN = 0x9E3779B97F4A7C15
_MIX = np.uint64(0xD6E8FEB86659FD93)
_HALF = np.uint64(32)
_ONE = np.uint64(1)
_WORD = (1 << 64) - 1


class SpanHasher:
    """Hashes of the family's member `seed`. Keeps 16 bytes for each character of the longest batch seen."""

    def __init__(self, seed: int) -> None:
        base = (seed * 2 + 1) * _GOLDEN & _WORD
        base ^= base >> 29
        self._base = (base * 0xBF58476D1CE4E5B9 & _WORD) | 1
        self._powers = self._inverses = np.ones(1, np.uint64)

    def sums(self, chars: Chars) -> Hashes:
        """P of the module's docstring: one more than there are characters."""
        self._grow(len(chars))
        result = np.zeros(len(chars) + 1, np.uint64)
        terms = chars.astype(np.uint64)
        terms += _ONE
        terms *= self._powers[: len(chars)]
        np.cumsum(terms, out=result[1:])
        return result

    def inverses(self, starts: Places) -> Hashes:
        """B^-start for starts inside the batch that `sums` saw last."""
        return self._inverses[starts]

    def _grow(self, size: int) -> None:
        if size > len(self._powers):
            self._powers = _powers(self._base, size)
            self._inverses = _powers(pow(self._base, -1, 1 << 64), size)


def mix_hashes(sums: Hashes) -> Hashes:
    """The hash from a span's sum, in place: its high bits depend on all bits."""
    sums ^= sums >> _HALF
    sums *= _MIX
    return sums


def _powers(base: int, size: int) -> Hashes:
    result = np.full(size, base, np.uint64)
    result[0] = 1
    return np.cumprod(result, out=result)
