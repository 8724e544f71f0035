"""Finds names in text whatever their case, quotes and hyphens: the loose form of a span is that of some name.

A build keeps no trie of folded forms, only their hashes (lookups.FOLDED), to stay small. So every span of up to
MOST_TOKENS tokens is folded and hashed: some 0.2 MB of text a core-second, a fraction of the speed of finder.py, for
the same kind of spans. Names of more tokens are not found this way.
"""

from collections.abc import Callable

import numpy as np

from wikiprep.tables.mentions.finder import Spans, check_spans, free_runs
from wikiprep.tables.mentions.lookups import hash_of_folded
from wikiprep.tables.mentions.mention_table import MentionTable
from wikiprep.tables.mentions.normalize import loosen
from wikiprep.tables.mentions.normalized_offsets import normalize_texts
from wikiprep.tables.mentions.tokens import token_spans

MOST_TOKENS = 10


class FoldedFinder:
    """Finds names of a mention table: those forms that `accepts` says yes to. It may be asked of what is no name."""

    def __init__(self, table: MentionTable, accepts: Callable[[str], bool]) -> None:
        self._table = table
        self._accepts = accepts

    def find(self, text: str, blocked: Spans) -> list[tuple[int, int, str]]:
        """(start, end, loose name) in order of place, the longest at each; see NameFinder.find."""
        spans = np.array(list(blocked), np.int64).reshape(-1, 2).T
        if spans.size:
            check_spans(np.array([len(text)]), np.zeros(spans.shape[1], np.int64), spans[0], spans[1])
        batch = normalize_texts([text], folded=True)
        starts, ends = token_spans(batch.classes, batch.unbroken())
        begin, after = batch.begin(starts), batch.end(ends)
        free, limit = free_runs(begin, after, batch.text_starts, spans[0], spans[1])
        chars = batch.chars.tobytes().decode("utf-32-le", "surrogatepass")
        low, high, limits = starts.tolist(), ends.tolist(), limit.tolist()
        # A span does not begin or end with what is not seen.
        seen = [bool(loosen(chars[start:end])) for start, end in zip(low, high, strict=True)]
        proposed = [
            (token, last)
            for token in free.tolist()
            if seen[token]
            for last in range(token, min(limits[token], token + MOST_TOKENS))
            if seen[last]
        ]
        forms = [loosen(chars[low[token] : high[last]]) for token, last in proposed]
        is_name = self._table.has_folded(np.array([hash_of_folded(form) for form in forms], np.uint64))
        longest: dict[int, tuple[int, str]] = {}  # later ones are longer
        for place in np.flatnonzero(is_name).tolist():
            token, last = proposed[place]
            if self._accepts(forms[place]):
                longest[token] = last, forms[place]
        matches, last_end = [], -1
        for token, (last, form) in longest.items():
            if token > last_end:
                matches.append((int(begin[token]), int(after[last]), form))
                last_end = last
        return matches
