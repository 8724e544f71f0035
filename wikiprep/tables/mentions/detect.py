"""Names in any text with the pages that they can mean, by the mention table alone: no page is known to help.

The longest names at token boundaries, left to right, never over a blocked span or across one. Only names that pass the
threshold of link probability are looked for, so that a rare longer one ("of the") hides no shorter one. What a name
means is left to the caller: `best` is the most linked candidate, which knows nothing of the context.
"""

from collections.abc import Sequence
from dataclasses import dataclass

import numpy as np
import numpy.typing as npt

from wikiprep.tables.mentions.finder import NameFinder, Spans
from wikiprep.tables.mentions.folded_finder import FoldedFinder
from wikiprep.tables.mentions.mention_table import MIN_LINK_PROBABILITY, Candidate, MentionTable
from wikiprep.tables.mentions.name_hashes import Ids

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
