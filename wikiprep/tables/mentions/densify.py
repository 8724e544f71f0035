"""Mentions that a page does not link: names of what it links elsewhere, and of its own subject.

Wikipedia links a name once. Here the later ones get a span too, by the rules of `page_names.py`:
exactly the name, one referent on the page, a link probability of 1 % or more, never over a link or across one. A name
counts from the page's first link to what it means (that of the page's own subject everywhere).
"""

from collections import Counter

import numpy as np
import numpy.typing as npt

from wikiprep.corpus.article_arrays import FlatArticles
from wikiprep.corpus.spans import DENSIFIED, SUBJECT, AddedSpans
from wikiprep.counts import Count
from wikiprep.tables.mentions.page_names import PageNamer


class Densifier:
    """Adds spans to batches of articles. `namer` has `subject` on."""

    def __init__(self, namer: PageNamer) -> None:
        self._namer = namer

    def added(self, flat: FlatArticles, selected: npt.NDArray[np.bool_], counts: Counter[Count]) -> AddedSpans:
        """The spans of the paragraphs that are `selected`. `counts` gets what became of names (PageNamer.names_of)."""
        names = self._namer.names_of(flat, counts)
        number = np.flatnonzero(selected)
        texts = flat.texts.take(number).to_pylist()
        lengths = np.fromiter(map(len, texts), np.int64, len(texts))
        rank = np.cumsum(selected) - 1
        start, end = flat.link_starts, flat.link_ends
        link_rows = np.flatnonzero(selected[flat.link_paragraph] & (start >= 0) & (start < end))
        text = rank[flat.link_paragraph[link_rows]]
        end = np.minimum(end[link_rows], lengths[text])
        start = np.minimum(start[link_rows], end)
        matches = names.finder().find(texts, flat.page_of_paragraph[number], text, start, end)
        paragraph, name = number[matches.text_index], matches.name_id
        since_text, since_place = names.since_text[name], names.since_place[name]
        after_first_link = (paragraph > since_text) | ((paragraph == since_text) & (matches.start >= since_place))
        target_numbers: dict[str, int] = {}
        target = np.array([target_numbers.setdefault(title, len(target_numbers)) for title in names.title], np.int64)
        source = np.where(names.subject[name], SUBJECT, DENSIFIED).astype(np.int8)
        return AddedSpans(
            paragraph, matches.start, matches.end, target[name], source, after_first_link, list(target_numbers)
        )
