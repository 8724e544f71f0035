"""Spans that records get beside the links of a page, and what makes them (`tables/mentions/densify.py`)."""

from collections import Counter
from dataclasses import dataclass
from typing import Protocol

import numpy as np
import numpy.typing as npt

from wikiprep.corpus.flat import FlatArticles
from wikiprep.corpus.joined import Positions
from wikiprep.counts import Count

LINK, DENSIFIED, SUBJECT = 0, 1, 2  # entity_sources of a record: a link, a later mention, the page's own subject


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
