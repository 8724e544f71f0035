"""Links and added spans on their way into records: what became of each, so that the counts close.

Added spans are what records get beside the links of a page; `tables/mentions/densify.py` makes them.
"""

from collections import Counter
from dataclasses import dataclass
from typing import Any, Protocol

import numpy as np
import numpy.typing as npt
from numpy.typing import NDArray

from wikiprep.corpus.article_arrays import FlatArticles
from wikiprep.corpus.joined_text import Positions
from wikiprep.corpus.packing import Mask
from wikiprep.corpus.record_counts import LINKS_DROPPED, LINKS_ENTITY, LINKS_FOUND, LINKS_UNK, SPAN_REASONS
from wikiprep.counts import Count, Equation, Reasons

LINK, DENSIFIED, SUBJECT = 0, 1, 2  # entity_sources of a record: a link, a later mention, the page's own subject
UNK = 1  # the entity of a mention outside the vocabulary
REASONS = tuple(SPAN_REASONS)
ADDED_FOUND = Count("added.found", "Spans that --densify finds beside links.")
ADDED = {
    DENSIFIED: Count("added.densified", "Later mentions of what the page links, in the records."),
    SUBJECT: Count("added.subject", "Mentions of the page's own subject, in the records."),
}
_OF_ADDED = {reason: SPAN_REASONS[reason] for reason in REASONS[REASONS.index("blank") :]}
_OF_ADDED["outside_vocabulary"] = "To what is no entity of the vocabulary."
ADDED_DROPPED = Reasons(
    "added.dropped.", "Spans that --densify finds and that are no mention in the records.", **_OF_ADDED
)
SPANS_ADDED = Equation("spans added to links", ADDED_FOUND, (*ADDED.values(), ADDED_DROPPED))


@dataclass(frozen=True, slots=True)
class AddedSpans:
    """Spans outside of links, in order of text, none over another; parallel arrays.

    `target`: place in `targets`, titles. `source`: DENSIFIED or SUBJECT. `late`: not before the page's first link to
    the target (for SUBJECT always true).
    """

    paragraph: Positions
    start: Positions
    end: Positions
    target: Positions
    source: npt.NDArray[np.int8]
    late: npt.NDArray[np.bool_]
    targets: list[str]

    def __len__(self) -> int:
        return len(self.paragraph)


class SpanAdder(Protocol):
    """What knows which text of a page is a mention without being a link."""

    def added(self, flat: FlatArticles, selected: npt.NDArray[np.bool_], counts: Counter[Count]) -> AddedSpans:
        """The spans of the paragraphs that are `selected`; `counts` gets what became of the names asked for."""


@dataclass
class Outcomes:
    """What became of every link of a slice, then of every added span: -1 while it lives, else an index into REASONS."""

    outcome: NDArray[np.int8]

    @staticmethod
    def of(count: int) -> "Outcomes":
        return Outcomes(np.full(count, -1, np.int8))

    def drop(self, numbers: Positions, dropped: Mask, reason: str) -> Mask:
        """Marks `numbers[gone]`; returns which stay."""
        self.outcome[numbers[dropped]] = REASONS.index(reason)
        return ~dropped

    def count(self, counts: Counter[Count], links: int, entities: NDArray[np.int32], sources: NDArray[np.int8]) -> None:
        """Closes the counts of the first `links`, and of the spans added behind them: mentions and reasons."""
        real = sources == LINK
        counts[LINKS_FOUND] += links
        counts[LINKS_ENTITY] += int((entities[real] != UNK).sum())
        counts[LINKS_UNK] += int((entities[real] == UNK).sum())
        _count_reasons(counts, LINKS_DROPPED, self.outcome[:links])
        if len(self.outcome) > links:
            counts[ADDED_FOUND] += len(self.outcome) - links
            for source, key in ADDED.items():
                counts[key] += int((sources == source).sum())
            _count_reasons(counts, ADDED_DROPPED, self.outcome[links:])


def _count_reasons(counts: Counter[Count], dropped: Reasons, outcomes: NDArray[np.int8]) -> None:
    numbers = np.bincount(outcomes[outcomes >= 0], minlength=len(REASONS)).tolist()
    counts.update({dropped.of(reason): n for reason, n in zip(REASONS, numbers, strict=True) if n})


@dataclass(frozen=True)
class Spans:
    """Spans of the text that have an entity, before paragraphs are joined; parallel arrays.

    `number`: their outcome's."""

    number: Positions
    source: NDArray[np.int8]
    entity: NDArray[np.int32]
    paragraph: Positions
    start: Positions
    end: Positions

    def _columns(self) -> tuple[NDArray[Any], ...]:
        return self.number, self.source, self.entity, self.paragraph, self.start, self.end

    def with_more(self, other: "Spans") -> "Spans":
        """These, then the others."""
        return Spans(*map(np.concatenate, zip(self._columns(), other._columns(), strict=True)))

    def keep(self, stays: Mask) -> "Spans":
        """Those that a mask chooses."""
        return Spans(*(column[stays] for column in self._columns()))


def places_in_records(record: Positions, sources: NDArray[np.int8]) -> Positions:
    """The place of each mention, in order of text, among those of its record: links first, so that they stay first."""
    order = np.lexsort((sources != LINK, record))
    sorted_record = record[order]
    place = np.empty(len(record), np.int64)
    place[order] = np.arange(len(record)) - np.searchsorted(sorted_record, sorted_record, "left")
    return place
