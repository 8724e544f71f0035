"""Where names may begin and end: the tokens of a text, for a whole batch of texts at once.

A token is
- a word: a run of letters and digits (Unicode categories L and N);
- or one character that is neither white space nor part of a word: punctuation, symbols, emoji; and each letter of the
  scripts written without spaces (Han, kana, bopomofo, and those that Unicode's line breaking rules call complex
  context: Thai, Lao, Burmese, Khmer, Tai scripts, Ahom), so that a name is found inside a sentence of theirs.
Marks (category M) and joiners (zero-width ones, soft hyphen) belong to what they follow; one that follows nothing, or
white space, begins a word.

Hangul and Arabic are words like Latin. What is written together is one token, so an Arabic name behind a prefix (wa-,
al-, bi-) and a Korean one before a particle are other names than the bare ones: cutting them takes a morphology, and
guessing would find a name in every word that happens to begin like a prefix. The bare name is still counted where a
link leaves the prefix outside, since a link is one occurrence of exactly its own text.
"""

from functools import cache
from unicodedata import category

import numpy as np
import numpy.typing as npt

Chars = npt.NDArray[np.uint32]
Places = npt.NDArray[np.int64]

SPACE, WORD, SINGLE, MARK = range(4)

_JOINERS = "\u00ad\u200c\u200d"
_IOTA = "\u0345"  # a mark that folds to a letter: treated as the letter, so that folding moves no boundary
# Letters in these ranges are a token each; both ends belong.
_UNSPACED = (
    (0x0E00, 0x0EFF), (0x1000, 0x109F), (0x1780, 0x17FF), (0x1950, 0x19DF), (0x1A20, 0x1AAF),
    (0x2E80, 0x2FFF), (0x3005, 0x3007), (0x3021, 0x312F), (0x31A0, 0x31FF), (0x3400, 0x4DBF), (0x4E00, 0x9FFF),
    (0xA9E0, 0xA9FF), (0xAA60, 0xAADF), (0xF900, 0xFAFF), (0xFF66, 0xFF9F), (0x11700, 0x1174F), (0x1AFF0, 0x1B16F),
)  # fmt: skip
# Beyond these planes there are Han letters, symbols and what is not assigned: a token each.
_LETTERS, _TAGS = (0, 0x20000), (0xE0000, 0xE0200)


@cache
def class_table() -> npt.NDArray[np.uint8]:
    """SPACE, WORD, SINGLE or MARK by code point; 1.1 MB, made once a process."""
    table = np.full(0x110000, SINGLE, np.uint8)
    kinds = np.array([category(chr(code)) for code in range(*_LETTERS)])
    letter = np.strings.startswith(kinds, "L") | (kinds == "Nl")
    for first, last in _UNSPACED:
        letter[first : last + 1] = False
    table[slice(*_LETTERS)][letter | np.isin(kinds, ("Nd", "No"))] = WORD
    table[slice(*_LETTERS)][np.strings.startswith(kinds, "M")] = MARK
    table[slice(*_TAGS)] = [MARK if category(chr(code)) == "Mn" else SINGLE for code in range(*_TAGS)]
    table[[ord(character) for character in _JOINERS]] = MARK
    table[ord(_IOTA)] = WORD
    table[[code for code in range(*_LETTERS) if chr(code).isspace()]] = SPACE
    return table


def code_points(text: str) -> Chars:
    """The text's code points (read-only); offsets in it are those of the string."""
    return np.frombuffer(text.encode("utf-32-le", "surrogatepass"), np.dtype("<u4"))


def token_spans(classes: npt.NDArray[np.uint8], unbroken: npt.NDArray[np.bool_] | None = None) -> tuple[Places, Places]:
    """Starts and ends (exclusive) of all tokens, in order, of a text given by its characters' classes.

    `unbroken`: characters before which no token may begin (those of `formed` that share a source with the one before).
    """
    solid = classes != SPACE
    word, mark = classes == WORD, classes == MARK
    if mark.any():
        # A mark continues the token of the last character before it that is none.
        base = np.maximum.accumulate(np.where(mark, -1, np.arange(len(classes))))
        word |= mark & ((base < 0) | (classes[base] != SINGLE))
    begins = solid.copy()
    begins[1:] &= ~solid[:-1] | (classes[1:] == SINGLE) | (~mark[1:] & word[1:] & ~word[:-1])
    if unbroken is not None:
        begins &= ~unbroken
    ends = solid
    ends[:-1] &= ~solid[1:] | begins[1:]
    return np.flatnonzero(begins), np.flatnonzero(ends) + 1
