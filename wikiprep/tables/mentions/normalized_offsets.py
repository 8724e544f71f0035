"""Texts in the normal form of names, with the way back to the offsets of the original.

Almost every text of a wiki is in NFC, and folding seldom changes a length; then form and original differ at most in
white space and nothing is computed by character. Where they differ, the text is cut into pieces that normalise by
themselves: one character, or a character with the marks that compose with it. All characters of a piece share its
offsets, so a name's span is always whole pieces, and `normal_name(text[start:end])` is the name found.
"""

import re
import unicodedata
from collections.abc import Iterable, Sequence
from dataclasses import dataclass
from functools import cache, lru_cache
from unicodedata import combining, decomposition, normalize

import numpy as np
import numpy.typing as npt

from wikiprep.tables.mentions.normalize import folded_name, normal_name
from wikiprep.tables.mentions.tokens import SPACE, Chars, Places, class_table, code_points

_SPACE = 0x20
_BETWEEN = np.array([_SPACE], np.uint32)  # what stands between two texts
# No character beyond these changes under NFC or folding: there are Han letters, selectors, tags, private use.
_CODES = (*range(0xD800), *range(0xE000, 0x20000), *range(0x2F800, 0x2FA20))
_HANGUL = (*range(0x1160, 0x1200), *range(0xD7B0, 0xD800))  # vowels and finals, which compose by a formula


@dataclass(frozen=True, slots=True)
class NormalizedTexts:
    """A batch of texts in form, one after the other with a space between.

    `chars` and `classes` (tokens.py) by formed character; `first` and `after` give the offsets in the original texts,
    laid end to end with one character between, of the piece that a formed character comes from; None where it is the
    character of the same place. `text_starts`: where each original begins, and one past the end of the last.
    """

    chars: Chars
    classes: npt.NDArray[np.uint8]
    first: Places | None
    after: Places | None
    text_starts: Places

    def unbroken(self) -> npt.NDArray[np.bool_] | None:
        """The characters that share their piece with the one before; None where there are none."""
        if self.first is None:
            return None
        same = np.zeros(len(self.chars), np.bool_)
        np.equal(self.first[1:], self.first[:-1], out=same[1:])
        return same

    def begin(self, places: Places) -> Places:
        """Where the pieces of the characters at `places` begin in the originals."""
        return places if self.first is None else self.first[places]

    def end(self, places: Places) -> Places:
        """Where what ends before `places` ends in the originals."""
        return places if self.after is None else self.after[places - 1]


def normalize_texts(texts: Sequence[str], *, folded: bool) -> NormalizedTexts:
    """`texts` in the form of `normal_name`, or of `folded_name`; white space at their ends is kept, as one space."""
    text_starts = np.zeros(len(texts) + 1, np.int64)
    np.cumsum(np.fromiter(map(len, texts), np.int64, len(texts)) + 1, out=text_starts[1:])
    chars = _same_length(" ".join(texts), folded)
    if chars is not None:
        return _collapse_spaces(chars, None, None, text_starts)
    text_pieces = [_pieces(text, folded) for text in texts]
    columns: list[tuple[Chars, Places, Places]] = []
    for (chars, first, after), start, following in zip(text_pieces, text_starts[:-1], text_starts[1:], strict=True):
        columns.append((chars, first + start, after + start))
        columns.append((_BETWEEN, following[None] - 1, following[None]))
    chars, first, after = (np.concatenate(column)[:-1] for column in zip(*columns, strict=True))
    return _collapse_spaces(chars, first, after, text_starts)


def _collapse_spaces(chars: Chars, first: Places | None, after: Places | None, text_starts: Places) -> NormalizedTexts:
    classes = class_table()[chars]
    space = classes == SPACE
    if not np.array_equal(space, chars == _SPACE):
        chars = np.where(space, np.uint32(_SPACE), chars)
    is_repeated = space[1:] & space[:-1]
    if is_repeated.any():
        kept_places = np.concatenate(([0], np.flatnonzero(~is_repeated) + 1))
        chars, classes = chars[kept_places], classes[kept_places]
        first, after = (
            (kept_places, kept_places + 1)
            if first is None or after is None
            else (first[kept_places], after[kept_places])
        )
    return NormalizedTexts(chars, classes, first, after, text_starts)


def _same_length(text: str, folded: bool) -> Chars | None:
    """The form (white space aside) of a text each of whose characters becomes one; else None."""
    chars = _in_nfc(text)
    if chars is None or not folded:
        return chars
    folds = text.casefold()
    return _in_nfc(folds) if len(folds) == len(text) else None


def _in_nfc(text: str) -> Chars | None:
    """The code points of a text in NFC; None where it is not."""
    chars = code_points(text)
    if text.isascii():
        return chars
    is_unsafe = unsafe_characters()[chars]
    if not is_unsafe.any():
        return chars
    # The library's test is slow, and need not see more than what is unsafe, with the characters around.
    around = is_unsafe.copy()
    around[:-1] |= is_unsafe[1:]
    around[1:] |= is_unsafe[:-1]
    excerpt = chars[around].tobytes().decode("utf-32-le", "surrogatepass")
    return chars if unicodedata.is_normalized("NFC", excerpt) else None


def _pieces(text: str, folded: bool) -> tuple[Chars, Places, Places]:
    """The form (white space aside), and by its characters the first offset of the piece and the one after its last."""
    chars = _same_length(text, folded)
    if chars is not None:
        places = np.arange(len(text), dtype=np.int64)
        return chars, places, places + 1
    # In the original, by turns a stretch that keeps its length and one or more pieces; of the pieces' characters, the
    # stretch they are in and where their piece begins and ends in it.
    borders, parts = [0], list[str]()
    stretches, firsts, afters = list[int](), list[int](), list[int]()
    for match in unsafe_runs(folded).finditer(text):
        start, end = match.span()
        form, begin, behind = _piece_form(match[0], folded)
        parts += (text[borders[-1] : start].casefold() if folded else text[borders[-1] : start], form)
        stretches += [len(borders)] * len(form)
        firsts += begin
        afters += behind
        borders += (start, end)
    parts.append(text[borders[-1] :].casefold() if folded else text[borders[-1] :])
    sizes = np.fromiter(map(len, parts), np.int64, len(parts))
    starts = np.array(borders, np.int64)
    first = np.arange(sizes.sum()) + np.repeat(starts - (np.cumsum(sizes) - sizes), sizes)
    after = first + 1
    pieces = np.repeat(np.arange(len(parts)) % 2 == 1, sizes)
    base = starts[np.array(stretches, np.int64)]
    first[pieces], after[pieces] = base + np.array(firsts, np.int64), base + np.array(afters, np.int64)
    return code_points("".join(parts)), first, after


@lru_cache(1 << 16)
def _piece_form(text: str, folded: bool) -> tuple[str, tuple[int, ...], tuple[int, ...]]:
    """The form, and by its characters where their piece begins and ends: characters by themselves, or all together."""
    form = folded_name if folded else normal_name
    whole, forms = form(text), list(map(form, text))
    if "".join(forms) != whole:
        return whole, (0,) * len(whole), (len(text),) * len(whole)
    first = tuple([place for place, part in enumerate(forms) for _ in part])
    return whole, first, tuple([place + 1 for place in first])


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
