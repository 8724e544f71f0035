"""Which characters a normal form may change: where a text is more than its code points one by one."""

import re
from collections.abc import Iterable
from functools import cache
from unicodedata import combining, decomposition, normalize

import numpy as np
import numpy.typing as npt

from wikiprep.tables.mentions.normalize import folded_name

# No character beyond these changes under NFC or folding: there are Han letters, selectors, tags, private use.
_CODES = (*range(0xD800), *range(0xE000, 0x20000), *range(0x2F800, 0x2FA20))
_HANGUL = (*range(0x1160, 0x1200), *range(0xD7B0, 0xD800))  # vowels and finals, which compose by a formula


@cache
def composing_characters() -> frozenset[str]:
    """Characters that can compose with one before them, or change places with it."""
    characters = set(map(chr, _HANGUL))
    for character in map(chr, _CODES):
        if combining(character):
            characters.add(character)
        parts = decomposition(character).split()
        if len(parts) == 2 and parts[0][0] != "<":
            characters.add(chr(int(parts[1], 16)))
    return frozenset(characters)


@cache
def unsafe_characters() -> npt.NDArray[np.bool_]:
    """By code point: True where a character may not be the same in NFC. A text without such characters is in NFC."""
    table = np.zeros(0x110000, np.bool_)
    table[[code for code in _CODES if decomposition(chr(code)) and normalize("NFC", chr(code)) != chr(code)]] = True
    table[list(map(ord, composing_characters()))] = True
    return table


@cache
def unsafe_runs(folded: bool) -> re.Pattern[str]:
    """Finds what does not become one character each: a run of such characters, with the one before it.

    That one may compose with what follows; before it a text can be cut, since no character composes with a safe one
    behind it. White space is never part of a match.
    """
    table = unsafe_characters()
    codes = np.flatnonzero(table).tolist()
    if folded:
        codes += [
            code
            for code in _CODES
            if (fold := chr(code).casefold()) != chr(code) and (len(fold) > 1 or table[ord(folded_name(fold)[:1])])
        ]
    inside = _ranges(code for code in codes if not chr(code).isspace())
    return re.compile(f"[^\\s{inside}]?[{inside}]+")


def _ranges(codes: Iterable[int]) -> str:
    """The inside of a character class."""
    table = np.zeros(0x110002, np.int8)
    table[[code + 1 for code in codes]] = 1
    edges = np.diff(table)
    spans = zip(np.flatnonzero(edges == 1).tolist(), np.flatnonzero(edges == -1).tolist(), strict=True)
    return "".join([f"\\U{first:08x}-\\U{after - 1:08x}" for first, after in spans])
