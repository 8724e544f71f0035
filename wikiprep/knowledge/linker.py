"""From subwords to entities: which row of a table of vectors each piece of a text gets. Needs no torch.

The rule of ILKA: all pieces of a word get the entity of the word, by lemma and part of speech; a word that is not found
and special tokens get none.
"""

import itertools
import re
from collections.abc import Sequence
from typing import Protocol

import numpy as np
import numpy.typing as npt

from wikiprep.knowledge.text_words import Tagger, Word, plain_words

NONE = -1  # no entity
_PARTS = re.compile(r"[^-‐‑.'’]+")
_POSSESSIVE = re.compile(r"['’](s)?$", re.IGNORECASE)

Rows = npt.NDArray[np.int32]


class Lexicon(Protocol):
    """Which entity a word means."""

    def find(self, word: str, pos: str | None) -> int:
        """The row of the entity, or NONE. `word` as the text has it, words of a phrase with a blank between them;
        `pos` is one of `text_words.PARTS_OF_SPEECH` or None. The same call gives the same answer."""
        ...


class Linker:
    """Entities of the pieces of texts.

    `tagger` finds the words of a text that comes without them; `phrases`: runs of up to so many words are looked up
    too, the longest first, from left to right (1, as published: single words).
    """

    def __init__(self, lexicon: Lexicon, tagger: Tagger = plain_words, phrases: int = 1) -> None:
        if phrases < 1:
            raise ValueError(f"phrases of {phrases} words")
        self.lexicon, self.tagger, self.phrases = lexicon, tagger, phrases
        self._row_cache: dict[tuple[str, str | None], int] = {}

    def rows(self, text: str, offsets: Sequence[tuple[int, int]], words: Sequence[Word] | None = None) -> Rows:
        """The entity of each piece, int32 [L]: a row of the vectors, or NONE.

        `offsets`: characters [start, end) of the L pieces, as a tokenizer gives them; (n, n) for special tokens and
        padding, which have no entity. White space at the start of a piece (byte-level BPE) is no part of it; a piece of
        several words is of its first. `words`: as the data set brings them (`text_words.tagged_words`), in order and
        without overlaps; None for the tagger's.
        """
        linked = self.words(text, words)
        starts = np.array([start for start, _, _ in linked], np.int64)
        ends = np.array([end for _, end, _ in linked], np.int64)
        entities = np.array([row for _, _, row in linked], np.int32)
        result = np.full(len(offsets), NONE, np.int32)
        if not linked or not len(offsets):
            return result
        piece_spans = np.array([_without_space(text, start, end) for start, end in offsets], np.int64).reshape(-1, 2)
        # The first word that ends behind the piece's start: it is the piece's if it begins before the piece's end.
        word_index = np.searchsorted(ends, piece_spans[:, 0], side="right")
        nearest = np.minimum(word_index, len(linked) - 1)
        covered = (
            (word_index < len(linked)) & (starts[nearest] < piece_spans[:, 1]) & (piece_spans[:, 0] < piece_spans[:, 1])
        )
        result[covered] = entities[nearest[covered]]
        return result

    def words(self, text: str, words: Sequence[Word] | None = None) -> list[tuple[int, int, int]]:
        """Of each word, or part of one (`self-made`), or run of words: characters [start, end), entity or NONE."""
        remaining = list(self.tagger(text) if words is None else words)
        linked: list[tuple[int, int, int]] = []
        while remaining:
            count, row = self._longest_match(text, remaining)
            if row != NONE or count > 1:
                linked.append((remaining[0].start, remaining[count - 1].end, row))
            else:
                linked += self._link_parts(text, remaining[0])
            del remaining[:count]
        return linked

    def _longest_match(self, text: str, remaining: Sequence[Word]) -> tuple[int, int]:
        for count in range(min(self.phrases, len(remaining)), 0, -1):
            run = remaining[:count]
            gaps = [text[a.end : b.start] for a, b in itertools.pairwise(run)]
            if all(gap.isspace() for gap in gaps):
                row = self._find(" ".join(text[word.start : word.end] for word in run), run[-1].pos)
                if row != NONE:
                    return count, row
        return 1, NONE

    def _link_parts(self, text: str, word: Word) -> list[tuple[int, int, int]]:
        """Of a word that is not found as it stands.

        Without its possessive, else by its parts, as texts are hyphenated freely.
        """
        surface = text[word.start : word.end]
        bare = _POSSESSIVE.sub("", surface)
        if bare != surface:
            row = self._find(bare, word.pos)
            if row != NONE:
                return [(word.start, word.end, row)]
        if "'" in surface or "’" in surface:  # "don't" is no "don"
            return [(word.start, word.end, NONE)]
        spans = [(word.start + part.start(), word.start + part.end()) for part in _PARTS.finditer(surface)]
        last = len(spans) - 1
        if last < 1:
            return [(word.start, word.end, NONE)]
        return [(a, b, self._find(text[a:b], word.pos if i == last else None)) for i, (a, b) in enumerate(spans)]

    def _find(self, word: str, pos: str | None) -> int:
        key = word, pos
        if key not in self._row_cache:
            self._row_cache[key] = self.lexicon.find(word, pos)
        return self._row_cache[key]


def _without_space(text: str, start: int, end: int) -> tuple[int, int]:
    while start < end and text[start].isspace():
        start += 1
    return start, end
