"""The rules that make records of sentences: which join, where long ones are split, which share a record.

Pure functions over positions. Where the reference drops (a sentence past the limit, a link across a sentence break),
these join and split instead; `luke2020.py` has the reference's own rules.
"""

from dataclasses import dataclass

import numpy as np
from numpy.typing import NDArray

from wikiprep.corpus.encoder import Encoder, Tokens
from wikiprep.corpus.joined_text import SEPARATOR, SPACE, JoinedText, Positions

Mask = NDArray[np.bool_]


def without_overlaps(starts: Positions, ends: Positions) -> Mask:
    """Which spans stay, of spans ordered by start, if one that starts before the last one that stays ended goes."""
    stays = np.ones(len(starts), dtype=bool)
    if len(starts) < 2 or (starts[1:] >= ends[:-1]).all():
        return stays
    last_end = -1
    for number, (start, end) in enumerate(zip(starts.tolist(), ends.tolist(), strict=True)):
        stays[number] = start >= last_end
        last_end = end if start >= last_end else last_end
    return stays


def outside_spans(positions: Positions, starts: Positions, ends: Positions) -> Mask:
    """Which positions lie in no span; a span's own start and end are outside. Spans are in order, without overlaps."""
    if not len(starts):
        return np.ones(len(positions), dtype=bool)
    last = np.searchsorted(starts, positions, "left") - 1  # the last span that starts before the position
    outside: Mask = (last < 0) | (positions >= ends[last])
    return outside


def first_of_records(lengths: list[int], pages: list[int], limit: int) -> list[int]:
    """Greedy packing: the sentences, by number, that open a record.

    Sentences have `lengths` tokens, none over `limit`; a record never spans two pages and holds at most `limit` tokens.
    """
    opens = []
    page, token_count = None, 0
    for number, (length, its_page) in enumerate(zip(lengths, pages, strict=True)):
        token_count += length
        if token_count > limit or its_page != page:
            opens.append(number)
            page, token_count = its_page, length
    return opens


@dataclass(frozen=True)
class SentenceSplitter:
    """Splits sentences of one batch. `starts` and `ends` are the mentions' tokens, none more than `limit` long."""

    encoder: Encoder
    joined: JoinedText
    tokens: Tokens
    starts: Positions
    ends: Positions
    limit: int

    def split(self, start: int, end: int) -> list[tuple[int, int]]:
        """Where to cut the sentence of tokens [start, end): (token, character position) of each cut.

        No part is over the limit, and parts are about equal. A cut is outside of mentions, before a word where there
        is one in reach, else where a character starts.
        """
        cuts = []
        while end - start > self.limit:
            parts = -(-(end - start) // self.limit)
            cuts.append(self._cut(start, start - (-(end - start) // parts)))
            start = cuts[-1][0]
        return cuts

    def _cut(self, start: int, target: int) -> tuple[int, int]:
        """The best cut after token `start`, near `target`, within the limit."""
        latest, middle = start + self.limit, (start + target) // 2
        first = int(np.searchsorted(self.tokens.first, start, "right")) - 1
        last = int(np.searchsorted(self.tokens.first, latest, "right"))
        units = range(first, min(last, len(self.tokens.units)))
        outer = [(int(self.tokens.first[unit]), int(self.tokens.units[unit])) for unit in units]
        if words := self._cuts_at_words(self._allowed_cuts(outer, middle, latest)):
            return _nearest_cut(words, target)
        inner = [cut for unit in units for cut in self.encoder.boundaries(self.joined, self.tokens, unit)]
        if words := self._cuts_at_words(self._allowed_cuts(inner, middle, latest)):
            return _nearest_cut(words, target)
        if characters := self._allowed_cuts(inner, start, latest):
            return _nearest_cut(characters, target)
        # One character of more tokens than the limit: its tokens are torn apart.
        return latest, max([position for token, position in inner if token <= latest])

    def _allowed_cuts(self, cuts: list[tuple[int, int]], after: int, latest: int) -> list[tuple[int, int]]:
        free = outside_spans(np.array([token for token, _ in cuts], np.int64), self.starts, self.ends).tolist()
        return [cut for cut, is_free in zip(cuts, free, strict=True) if is_free and after < cut[0] <= latest]

    def _cuts_at_words(self, cuts: list[tuple[int, int]]) -> list[tuple[int, int]]:
        return [cut for cut in cuts if self.joined.codes[cut[1] - 1] in (SPACE, SEPARATOR)]


def _nearest_cut(cuts: list[tuple[int, int]], target: int) -> tuple[int, int]:
    return min(cuts, key=lambda cut: (abs(cut[0] - target), cut))
