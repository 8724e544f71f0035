"""Names in running text: the longest at each place, left to right, none over another or over a link.

A batch of texts is one array of code points. All spans of n tokens that can still become a name are hashed at once,
for n = 1, 2, … until none is left: a filter (name_hashes.py) says which spans may be names and which may begin a longer
one, so that few are looked at for n > 2, and names of any length are found. Hashes only propose. A span is a name when
its characters are those that the trie gives for the proposed id, so the result is exactly that of looking up the trie
from every token, at several times the speed; what it costs is memory, about 60 bytes a character of a batch.
"""

from collections.abc import Callable, Sequence
from dataclasses import dataclass
from itertools import chain

import numpy as np
import numpy.typing as npt

from wikiprep.tables.mentions.name_hashes import NAME, PREFIX, Hashes, Ids, mix_hashes
from wikiprep.tables.mentions.name_table import NameTable, Spellings
from wikiprep.tables.mentions.normalized_offsets import NormalizedTexts, normalize_texts
from wikiprep.tables.mentions.tokens import Places, token_spans

_FEW = 64  # fronts smaller than this go on one by one: a step of numpy costs as much
Spans = Sequence[tuple[int, int]]

_BATCH = (
    1 << 19
)  # characters looked at together: enough to hide what a call of numpy costs, and arrays that fit a cache


def leftmost_spans(length_at: Places) -> Places:
    """First tokens of the spans that stand, ascending.

    `length_at`: by token, the length in tokens of the span that begins there, 0 for none; no span ends beyond the last
    token. From left to right, a span stands if it begins at or behind the end of the last that stands. Linear: spans
    fall into clusters that do not touch, and all clusters take a step at once.
    """
    begins = length_at > 0
    token = np.flatnonzero(begins)
    if not len(token):
        return token
    end = token + length_at[token]
    following = np.cumsum(begins)[end - 1]  # index of the first span at or behind the end of each
    opens = np.ones(len(token) + 1, np.bool_)  # no earlier span reaches into it; true behind the last
    np.greater_equal(token[1:], np.maximum.accumulate(end)[:-1], out=opens[1:-1])
    stands = opens[:-1].copy()
    front = np.flatnonzero(stands)
    while True:
        front = following[front]
        front = front[~opens[front]]
        stands[front] = True
        if len(front) < _FEW:
            break
    for index in front.tolist():
        index = int(following[index])
        while not opens[index]:
            stands[index] = True
            index = int(following[index])
    return token[stands]


@dataclass(frozen=True, slots=True)
class FoundNames:
    """Occurrences in order of text and place.

    `normal_name(texts[text_index][start:end])` is the name of `name_id` (`folded_name` with a table over folded forms).
    Offsets in code points, end exclusive.
    """

    text_index: Places
    start: Places
    end: Places
    name_id: Ids

    def __len__(self) -> int:
        return len(self.name_id)


class NameFinder:
    """Finds the names of a table. Keeps working memory between calls: some 30 MB."""

    def __init__(self, table: NameTable, accepts: Callable[[Ids], npt.NDArray[np.bool_]] | None = None) -> None:
        """`accepts` says of ids which names are looked for at all: a longer one left out hides no shorter one."""
        self._table = table
        self._accepts = accepts
        self._spellings = Spellings(table)

    def find(self, texts: Sequence[str], blocked: Sequence[Spans] | None = None) -> FoundNames:
        """Names in `texts` outside the `blocked` spans of each (links, as offsets), and never across one.

        Names begin and end at borders of whole tokens (tokens.py); a token that a blocked span cuts is blocked whole.
        Raises ValueError for spans beyond their text or of another number of texts than given.
        """
        if blocked is None:
            return self.find_between(texts, *np.empty((3, 0), np.int64))
        if len(blocked) != len(texts):
            raise ValueError(f"blocked spans for {len(blocked)} texts, but {len(texts)} texts")
        counts = np.fromiter(map(len, blocked), np.int64, len(blocked))
        flat = np.fromiter(chain.from_iterable(chain.from_iterable(blocked)), np.int64, 2 * int(counts.sum()))
        return self.find_between(texts, np.repeat(np.arange(len(texts)), counts), flat[0::2], flat[1::2])

    def find_between(
        self, texts: Sequence[str], blocked_text: Places, blocked_start: Places, blocked_end: Places
    ) -> FoundNames:
        """The same with blocked spans as three arrays, `blocked_text` (index of the text) ascending."""
        lengths = np.fromiter(map(len, texts), np.int64, len(texts))
        if len(blocked_text):
            check_spans(lengths, blocked_text, blocked_start, blocked_end)
        parts = []
        for first, last in batches(lengths):
            low, high = np.searchsorted(blocked_text, (first, last))
            part = slice(low, high)
            parts.append(
                self._find(texts[first:last], first, blocked_text[part], blocked_start[part], blocked_end[part])
            )
        columns = zip(*parts, strict=True) if parts else [[np.empty(0, np.int64)]] * 3 + [[np.empty(0, np.int32)]]
        return FoundNames(*map(np.concatenate, columns))

    def _find(
        self, texts: Sequence[str], base: int, blocked_text: Places, blocked_start: Places, blocked_end: Places
    ) -> tuple[Places, Places, Places, Ids]:
        batch = normalize_texts(texts, folded=self._table.folded)
        starts, ends = token_spans(batch.classes, batch.unbroken())
        begin, end = batch.begin(starts), batch.end(ends)
        offsets = batch.text_starts[blocked_text - base]
        free, limit = free_runs(begin, end, batch.text_starts, offsets + blocked_start, offsets + blocked_end)
        proposals = self._propose(batch, starts, ends, free, limit)
        token, length, name_id = self._confirm(batch, starts, ends, proposals)
        begin, end = begin[token], end[token + length - 1]
        text = np.searchsorted(batch.text_starts, begin, side="right") - 1
        return text + base, begin - batch.text_starts[text], end - batch.text_starts[text], name_id

    def _propose(
        self, batch: NormalizedTexts, starts: Places, ends: Places, free: Places, limit: Places
    ) -> list[tuple[Places, Hashes]]:
        """By length in tokens, from 1: the first tokens of the spans that may be names, and the spans' hashes."""
        hashes = self._table.hashes
        sums = hashes.hasher.sums(batch.chars)
        before, after, inverse = sums[starts], sums[ends], hashes.hasher.inverses(starts)
        proposals = []
        active, length = free, 0
        while len(active) and length < hashes.longest:
            spans = after[active + length] - before[active]
            spans *= inverse[active]
            flags = hashes.flags(mix_hashes(spans))
            may_be_names = np.flatnonzero(flags & NAME)
            proposals.append((active[may_be_names], spans[may_be_names]))
            length += 1
            active = active[(flags & PREFIX) != 0]
            active = active[active + length < limit[active]]
        return proposals

    def _confirm(
        self, batch: NormalizedTexts, starts: Places, ends: Places, proposals: list[tuple[Places, Hashes]]
    ) -> tuple[Places, Places, Ids]:
        """The chosen spans (first token, length in tokens, id), once all of them hold the characters of their names."""
        while True:
            length_at, id_at = np.zeros(len(starts), np.int64), np.full(len(starts), -1, np.int32)
            for count in range(len(proposals), 0, -1):
                tokens, hashes = proposals[count - 1]
                rest = np.flatnonzero(id_at[tokens] < 0)
                ids = self._table.hashes.ids(hashes[rest])
                accepted = ids >= 0
                if self._accepts is not None:
                    accepted[accepted] = self._accepts(ids[accepted])
                tokens = tokens[rest[accepted]]
                length_at[tokens], id_at[tokens] = count, ids[accepted]
            token = leftmost_spans(length_at)
            length, ids = length_at[token], id_at[token]
            begin, end = starts[token], ends[token + length - 1]
            wrong = ~self._spellings.equal(batch.chars, begin, end, ids)
            if not wrong.any():
                return token, length, ids
            # Equal hashes of different names: take those proposals back, and choose again.
            for count in np.unique(length[wrong]).tolist():
                tokens, hashes = proposals[count - 1]
                is_confirmed = ~np.isin(tokens, token[wrong & (length == count)])
                proposals[count - 1] = tokens[is_confirmed], hashes[is_confirmed]


def free_runs(
    begin: Places, end: Places, text_starts: Places, blocked_start: Places, blocked_end: Places
) -> tuple[Places, Places]:
    """Tokens outside of blocked spans, and for every token the first that no span from it may hold.

    All in offsets of the originals laid end to end. A span of no characters blocks nothing.
    """
    real = blocked_start < blocked_end
    low = np.searchsorted(end, blocked_start[real], side="right")
    high = np.searchsorted(begin, blocked_end[real], side="left")
    size = len(begin)
    cover = np.bincount(low, minlength=size + 1) - np.bincount(high, minlength=size + 1)
    borders = np.unique(np.concatenate((np.searchsorted(begin, text_starts[:-1]), low, high, [0, size])))
    limit = np.repeat(borders[1:], np.diff(borders))
    return np.flatnonzero(np.cumsum(cover)[:size] == 0), limit


def batches(lengths: Places) -> list[tuple[int, int]]:
    """Runs of whole texts of about _BATCH characters, or one longer text."""
    total = np.cumsum(lengths + 1)
    batches, first = [], 0
    while first < len(lengths):
        characters_before = total[first - 1] if first else 0
        last = max(first + 1, int(np.searchsorted(total, characters_before + _BATCH, side="right")))
        batches.append((first, last))
        first = last
    return batches


def check_spans(lengths: Places, text: Places, start: Places, end: Places) -> None:
    if np.any(np.diff(text) < 0) or text[0] < 0 or text[-1] >= len(lengths):
        raise ValueError("blocked spans are of texts that are not there, or not in order of texts")
    wrong = np.flatnonzero((start < 0) | (end < start) | (end > lengths[text]))
    if len(wrong):
        i = wrong[0]
        raise ValueError(f"blocked span {start[i]}:{end[i]} is not in text {text[i]} of {lengths[text[i]]} characters")
