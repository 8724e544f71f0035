"""Names in any text with the pages that they can mean, by the mention table alone: no page is known to help.

The longest names at token boundaries, left to right, never over a blocked span or across one. Only names that pass the
threshold of link probability are looked for, so that a rare longer one ("of the") hides no shorter one. What a name
means is left to the caller: `best` is the most linked candidate, which knows nothing of the context.
"""

from collections.abc import Callable, Sequence
from dataclasses import dataclass

import numpy as np
import numpy.typing as npt

from wikiprep.tables.mentions.finder import NameFinder, Spans, check_spans, free_runs
from wikiprep.tables.mentions.lookups import hash_of_folded
from wikiprep.tables.mentions.mention_table import MIN_LINK_PROBABILITY, Candidate, MentionTable
from wikiprep.tables.mentions.name_hashes import Ids
from wikiprep.tables.mentions.normalize import loosen
from wikiprep.tables.mentions.normalized_offsets import normalize_texts
from wikiprep.tables.mentions.tokens import token_spans

MOST_TOKENS = 10


class FoldedFinder:
    """Finds names whatever their case, quotes and hyphens: the loose form of a span is that of some name of the table.

    Only forms that `accepts` says yes to, which may be asked of what is no name. A build keeps no trie of folded forms,
    only their hashes (lookups.FOLDED), to stay small. So every span of up to MOST_TOKENS tokens is folded and hashed:
    some 0.2 MB of text a core-second, a fraction of the speed of finder.py, for the same kind of spans. Names of more
    tokens are not found this way.
    """

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


_CACHE_SIZE = 100_000  # names whose candidates are kept


@dataclass(frozen=True, slots=True)
class Detected:
    """A name in a text.

    `text` is text[start:end], in code points, `name` its normal form (with `folded` its loose one, normalize.py).

    `candidates`: at most `k`, the most linked first, each with its prior; never empty.
    """

    start: int
    end: int
    text: str
    name: str
    link_probability: float
    candidates: tuple[Candidate, ...]

    @property
    def best(self) -> Candidate:
        """The candidate of the highest prior."""
        return self.candidates[0]


@dataclass(frozen=True, slots=True)
class _Name:
    """A name as it was looked up, with the candidates that are likely enough."""

    name: str
    link_probability: float
    candidates: tuple[Candidate, ...]


class Detector:
    """Detects with one table and one set of thresholds.

    `min_link_probability`: of the name (`link_probability.py`). `min_prior`: candidates with a lower one are left out,
    and names left without any. `k`: candidates at most, None for all. `folded`: whatever the case, quotes and
    hyphens, all forms of a name together.
    """

    def __init__(
        self,
        table: MentionTable,
        min_link_probability: float = MIN_LINK_PROBABILITY,
        *,
        min_prior: float = 0.0,
        k: int | None = 10,
        folded: bool = False,
    ) -> None:
        self._table = table
        self._min_link_probability, self._min_prior, self._k, self._folded = min_link_probability, min_prior, k, folded
        self._finder = FoldedFinder(table, self._accepts_folded) if folded else NameFinder(table.names, self._accepts)
        self._cache: dict[str, _Name] = {}

    def detect(self, texts: Sequence[str], blocked: Sequence[Spans] | None = None) -> list[list[Detected]]:
        """For each text what was found, in order of place. `blocked`: spans (links) of each text to keep clear of."""
        if isinstance(self._finder, FoldedFinder):
            return [
                self._detect_spans(text, self._finder.find(text, spans))
                for text, spans in zip(texts, blocked or [()] * len(texts), strict=True)
            ]
        matches = self._finder.find(texts, blocked)
        spans: list[list[tuple[int, int, str]]] = [[] for _ in texts]
        names = self._table.names.names(matches.name_id.tolist())
        columns = (matches.text_index.tolist(), matches.start.tolist(), matches.end.tolist(), names)
        for text, start, end, name in zip(*columns, strict=True):
            spans[text].append((start, end, name))
        return [self._detect_spans(text, text_spans) for text, text_spans in zip(texts, spans, strict=True)]

    def _detect_spans(self, text: str, spans: list[tuple[int, int, str]]) -> list[Detected]:
        detected = []
        for start, end, name in spans:
            entry = self._look_up(name)
            if entry.candidates:
                detected.append(
                    Detected(start, end, text[start:end], entry.name, entry.link_probability, entry.candidates)
                )
        return detected

    def _look_up(self, name: str) -> _Name:
        if name not in self._cache:
            if len(self._cache) >= _CACHE_SIZE:
                self._cache.clear()
            candidates = self._table.candidates(name, self._k, folded=self._folded)
            likely = tuple(candidate for candidate in candidates if candidate.prior >= self._min_prior)
            self._cache[name] = _Name(name, self._table.link_probability(name, folded=self._folded), likely)
        return self._cache[name]

    def _accepts(self, ids: Ids) -> npt.NDArray[np.bool_]:
        pages, texts = self._table.link_pages_of[ids], self._table.text_pages_of[ids]
        accepted: npt.NDArray[np.bool_] = pages / np.maximum(texts, 1) >= self._min_link_probability
        return accepted

    def _accepts_folded(self, name: str) -> bool:
        entry = self._look_up(name)
        return bool(entry.candidates) and entry.link_probability >= self._min_link_probability
