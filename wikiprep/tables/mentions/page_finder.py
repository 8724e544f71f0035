"""Finds in texts the names of their own pages, many pages at once: what `finder.py` does for one table of names.

The spans are those of `finder.py` (whole tokens, longest first, left to right, never over a link or across one), but
each page has names of its own, some dozens. A name is kept under a hash of its characters and its page, so that one
pass over the tokens of all pages asks each about its own page's names only. Hashes propose, characters decide.
"""

from collections.abc import Sequence
from functools import cache

import numpy as np
import numpy.typing as npt

from wikiprep.tables.mentions.finder import FoundNames, batches, check_spans, free_runs, leftmost_spans
from wikiprep.tables.mentions.name_hashes import NAME, PREFIX, Hashes, SpanHasher, mix_hashes
from wikiprep.tables.mentions.normalized_offsets import NormalizedTexts, normalize_texts
from wikiprep.tables.mentions.tokens import Places, class_table, code_points, token_spans

_PAGES = np.uint64(0x9E3779B97F4A7C15)  # odd: pages are told apart by all bits of the hash
_ROUND = np.uint64(29)
_SLOTS = 8  # of the filter, for each name or beginning of one
_SEEDS = 8


class PageFinder:
    """The names of some pages: `names[i]`, in normal form, is one of page `pages[i]`; no pair of the two comes twice.

    `folded`: names are in folded form, and are found whatever the case of a text; offsets are those of the text.

    `find` may be called for any texts of these pages. Keeps 16 bytes a character of the longest batch.
    """

    def __init__(self, names: Sequence[str], pages: Places, *, folded: bool = False) -> None:
        self._names, self._folded = names, folded
        for seed in range(_SEEDS):
            self._hasher = _hasher(seed)
            whole, beginnings, owner = _hashes_of(names, self._hasher)
            keys = _keys(pages)
            whole, beginnings = _mix_key(whole, keys), _mix_key(beginnings, keys[owner])
            self._order = np.argsort(whole, kind="stable")
            self._sorted = whole[self._order]
            if not np.any(self._sorted[1:] == self._sorted[:-1]):
                break
        bits = max(4, ((len(whole) + len(beginnings)) * _SLOTS).bit_length())
        self._shift = np.uint64(64 - bits)
        self._flags = np.zeros(1 << bits, np.uint8)
        self._flags[whole >> self._shift] |= NAME
        self._flags[beginnings >> self._shift] |= PREFIX

    def find(
        self,
        texts: Sequence[str],
        page_of_text: Places,
        blocked_text: Places,
        blocked_start: Places,
        blocked_end: Places,
    ) -> FoundNames:
        """Occurrences in order of text and place; `name_id` is the place in `names`.

        `page_of_text`: the page of each text. Blocked spans (links) as in NameFinder.find_between.
        """
        lengths = np.fromiter(map(len, texts), np.int64, len(texts))
        if len(blocked_text):
            check_spans(lengths, blocked_text, blocked_start, blocked_end)
        parts = []
        for first, last in batches(lengths) if len(self._names) else ():
            part = slice(*np.searchsorted(blocked_text, (first, last)))
            spans = blocked_text[part] - first, blocked_start[part], blocked_end[part]
            text, *rest = self._find(texts[first:last], page_of_text[first:last], *spans)
            parts.append((text + first, *rest))
        none = [[np.empty(0, np.int64)]] * 3 + [[np.empty(0, np.int32)]]
        return FoundNames(*map(np.concatenate, zip(*parts, strict=True) if parts else none))

    def _find(
        self, texts: Sequence[str], page_of_text: Places, text: Places, start: Places, end: Places
    ) -> tuple[Places, Places, Places, npt.NDArray[np.int32]]:
        batch = normalize_texts(texts, folded=self._folded)
        starts, ends = token_spans(batch.classes, batch.unbroken())
        begin, after = batch.begin(starts), batch.end(ends)
        offsets = batch.text_starts[text]
        free, limit = free_runs(begin, after, batch.text_starts, offsets + start, offsets + end)
        text_of = np.searchsorted(batch.text_starts, begin, side="right") - 1
        length_at, name_at = self._longest(batch, starts, ends, free, limit, page_of_text[text_of])
        token = leftmost_spans(length_at)
        begin, after, text_of = begin[token], after[token + length_at[token] - 1], text_of[token]
        shift = batch.text_starts[text_of]
        return text_of, begin - shift, after - shift, name_at[token]

    def _longest(
        self, batch: NormalizedTexts, starts: Places, ends: Places, free: Places, limit: Places, page: Places
    ) -> tuple[Places, npt.NDArray[np.int32]]:
        """By token: the length in tokens of the longest name that begins there (0: none), and which it is."""
        sums = self._hasher.sums(batch.chars)
        before, behind, inverse = sums[starts], sums[ends], self._hasher.inverses(starts)
        length_at, name_at = np.zeros(len(starts), np.int64), np.full(len(starts), -1, np.int32)
        keys, text = _keys(page), batch.chars.tobytes().decode("utf-32-le", "surrogatepass")
        active, length = free, 0
        while len(active):
            hashes = behind[active + length] - before[active]
            hashes *= inverse[active]
            hashes = _mix_key(mix_hashes(hashes), keys[active])
            flags = self._flags.take((hashes >> self._shift).view(np.int64))
            may_be_names = np.flatnonzero(flags & NAME)
            tokens, names = self._confirm(text, starts, ends, active[may_be_names], length, hashes[may_be_names])
            length += 1
            length_at[tokens], name_at[tokens] = length, names
            active = active[(flags & PREFIX) != 0]
            active = active[active + length < limit[active]]
        return length_at, name_at

    def _confirm(
        self, text: str, starts: Places, ends: Places, tokens: Places, extra_tokens: int, hashes: Hashes
    ) -> tuple[Places, npt.NDArray[np.int32]]:
        """Tokens from which `extra_tokens` further ones spell the name that the hash proposes, and their names."""
        place = np.searchsorted(self._sorted, hashes)
        place[place == len(self._sorted)] = 0
        proposed = self._sorted[place] == hashes
        tokens, names = tokens[proposed], self._order[place[proposed]]
        spans = zip(starts[tokens].tolist(), ends[tokens + extra_tokens].tolist(), names.tolist(), strict=True)
        spells_name = [text[start:end] == self._names[name] for start, end, name in spans]
        is_confirmed = np.array(spells_name, np.bool_)
        return tokens[is_confirmed], names[is_confirmed].astype(np.int32)


@cache
def _hasher(seed: int) -> SpanHasher:
    """One a process: it keeps what it computed for the longest batch."""
    return SpanHasher(seed)


def _keys(pages: Places) -> Hashes:
    """What tells the pages apart."""
    return pages.astype(np.uint64) * _PAGES


def _mix_key(hashes: Hashes, keys: Hashes) -> Hashes:
    """The hash of a name of a page, in place."""
    hashes ^= keys
    hashes ^= hashes >> _ROUND
    hashes *= _PAGES
    return hashes


def _hashes_of(names: Sequence[str], hasher: SpanHasher) -> tuple[Hashes, Hashes, Places]:
    """Hashes of names and of their beginnings of whole tokens, and whose beginning each is (place in `names`)."""
    chars = code_points(" ".join(names))
    ends = np.cumsum(np.fromiter(map(len, names), np.int64, len(names)) + 1) - 1
    starts = np.concatenate((np.zeros(min(1, len(ends)), np.int64), ends[:-1] + 1))
    sums, inverses = hasher.sums(chars), hasher.inverses(starts)
    _, token_ends = token_spans(class_table()[chars])
    owner = np.searchsorted(ends, token_ends)
    inner = token_ends != ends[owner]
    token_ends, owner = token_ends[inner], owner[inner]
    beginnings = (sums[token_ends] - sums[starts[owner]]) * inverses[owner]
    return mix_hashes((sums[ends] - sums[starts]) * inverses), mix_hashes(beginnings), owner
