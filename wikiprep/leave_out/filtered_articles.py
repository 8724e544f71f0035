"""A part of the articles without the pages and sentences that lists name: what all later stages read in its place.

A part that has none of them is not copied.
"""

from collections import Counter
from collections.abc import Callable, Iterator, Mapping, Sequence
from dataclasses import dataclass, field
from pathlib import Path

import numpy as np
import numpy.typing as npt
import pyarrow as pa
import pyarrow.compute as pc
import pyarrow.parquet as pq

from wikiprep.corpus.articles import article_batch, article_rows, read_articles
from wikiprep.corpus.schema import article_schema
from wikiprep.counts import Count, Equation, Reasons
from wikiprep.leave_out.lists import Entry
from wikiprep.leave_out.sentences import SentenceFinder, cut

PAGE, SENTENCE = "left out page", "left out sentence"
PAGES_READ = Count("pages.read", "Articles and disambiguation pages of `articles/`.")
PAGES_USED = Count("pages.used", "Pages that later stages read, some without a listed sentence.")
PAGES_LEFT_OUT = Count("pages.left_out", "Pages that a list names.")
PARAGRAPHS_READ = Count("paragraphs.read", "Their paragraphs.")
PARAGRAPHS_USED = Count("paragraphs.used", "Paragraphs that later stages read.")
_WHY = {"page": "Of a page that a list names.", "sentence": "In a sentence that a list names."}
PARAGRAPHS_LEFT_OUT = Reasons("paragraphs.left_out.", "Paragraphs that no later stage reads.", **_WHY)
LINKS_READ = Count("links.read", "Their links.")
LINKS_USED = Count("links.used", "Links that later stages read.")
LINKS_LEFT_OUT = Reasons("links.left_out.", "Links that no later stage reads.", **_WHY)
CHARACTERS_READ = Count("text_characters.read", "Characters of their text.")
CHARACTERS_USED = Count("text_characters.used", "Characters that later stages read.")
SENTENCES_LEFT_OUT = Count("sentences.left_out", "Sentences that were cut out of pages which are used.")
EQUATIONS = (
    Equation("articles left out", PAGES_READ, (PAGES_USED, PAGES_LEFT_OUT)),
    Equation("paragraphs left out", PARAGRAPHS_READ, (PARAGRAPHS_USED, PARAGRAPHS_LEFT_OUT)),
    Equation("links left out", LINKS_READ, (LINKS_USED, LINKS_LEFT_OUT)),
)
_READ = (PAGES_READ, PARAGRAPHS_READ, LINKS_READ, CHARACTERS_READ)
_USED = (PAGES_USED, PARAGRAPHS_USED, LINKS_USED, CHARACTERS_USED)
_MAX_SHOWN = 200
_COLUMNS = ["page_id", "paragraphs.list.element.text", "paragraphs.list.element.links.list.element.start"]


@dataclass(frozen=True)
class Exclusions:
    """`pages`: page id -> where it is listed. `sentences`: those listed, and what finds them in text."""

    pages: Mapping[int, str]
    sentences: Sequence[Entry]
    language: str
    finder: SentenceFinder

    @classmethod
    def of(cls, pages: Mapping[int, str], sentences: Sequence[Entry], language: str) -> "Exclusions":
        """With the finder made."""
        return cls(pages, sentences, language, SentenceFinder([entry.value for entry in sentences]))


@dataclass
class FilterResult:
    """`rejects`: (page id, title, reason, detail) of what was left out. `matched`: places in `Exclusions.sentences`.

    `changed`: whether anything is left out, so that there is a copy. Counts close by EQUATIONS.
    """

    counts: Counter[Count] = field(default_factory=Counter)
    rejects: list[tuple[int | None, str, str, str]] = field(default_factory=list)
    matched: set[int] = field(default_factory=set)
    changed: bool = False


def leave_out(
    articles: Path, exclusions: Exclusions, out: Path, tell: Callable[[int], None] = lambda pages: None
) -> FilterResult:
    """Write the articles that are used into `out`, unless all are; `tell` hears of pages looked at."""
    used = FilterResult()
    listed_ids = np.array(sorted(exclusions.pages), np.int64)
    changed_rows = _rows_to_change(articles, exclusions, listed_ids, used.counts, tell)
    if not changed_rows:
        used.counts[PAGES_USED] += used.counts[PAGES_READ]
        used.counts[LINKS_USED] += used.counts[LINKS_READ]
        used.counts[PARAGRAPHS_USED] += used.counts[PARAGRAPHS_READ]
        return used
    used.changed = True
    with pq.ParquetWriter(str(out), article_schema(), version="2.6", compression="zstd", compression_level=3) as writer:
        first = 0
        for batch in read_articles(articles):
            rows = [row - first for row in changed_rows if first <= row < first + batch.num_rows]
            first += batch.num_rows
            for piece in _filter_batch(batch, rows, exclusions, used):
                _count(piece, used.counts, _USED)
                writer.write_batch(piece, row_group_size=max(1, piece.num_rows))
    return used


def _rows_to_change(
    articles: Path,
    exclusions: Exclusions,
    listed_ids: npt.NDArray[np.int64],
    counts: Counter[Count],
    tell: Callable[[int], None],
) -> list[int]:
    """The rows that are listed, or whose text may have a listed sentence; counts what is read."""
    rows, first = [], 0
    for batch in read_articles(articles, _COLUMNS):
        _count(batch, counts, _READ)
        ids = pc.fill_null(batch["page_id"], -1).to_numpy(zero_copy_only=False)
        is_listed = np.isin(ids, listed_ids)
        if exclusions.sentences:
            paragraphs = pc.list_flatten(batch["paragraphs"])
            of_row = pc.list_parent_indices(batch["paragraphs"]).to_numpy()
            for row, text in zip(of_row.tolist(), paragraphs.field("text").to_pylist(), strict=True):
                if not is_listed[row] and exclusions.finder.may_have(text):
                    is_listed[row] = True
        rows += (np.flatnonzero(is_listed) + first).tolist()
        first += batch.num_rows
        tell(first)
    return rows


def _filter_batch(
    batch: pa.RecordBatch, rows: list[int], exclusions: Exclusions, used: FilterResult
) -> Iterator[pa.RecordBatch]:
    """The batch with `rows` taken out or cut, in pieces."""
    start = 0
    for row in rows:
        if row > start:
            yield batch.slice(start, row - start)
        start = row + 1
        (article,) = article_rows(batch.slice(row, 1))
        links = sum(len(p.links) for p in article.paragraphs)
        place = None if article.page_id is None else exclusions.pages.get(article.page_id)
        if place is not None:
            used.counts[PAGES_LEFT_OUT] += 1
            used.counts[LINKS_LEFT_OUT.of("page")] += links
            used.counts[PARAGRAPHS_LEFT_OUT.of("page")] += len(article.paragraphs)
            used.rejects.append((article.page_id, article.title, PAGE, place))
            continue
        rest, removals = cut(article, exclusions.finder, exclusions.language)
        used.counts[SENTENCES_LEFT_OUT] += sum(removal.sentences for removal in removals)
        used.counts[LINKS_LEFT_OUT.of("sentence")] += links - sum(len(p.links) for p in rest.paragraphs)
        used.counts[PARAGRAPHS_LEFT_OUT.of("sentence")] += len(article.paragraphs) - len(rest.paragraphs)
        for removal in removals:
            used.matched.update(removal.numbers)
            places = "; ".join(exclusions.sentences[number].place for number in removal.numbers)
            text = removal.text if len(removal.text) <= _MAX_SHOWN else f"{removal.text[: _MAX_SHOWN - 1]}…"
            used.rejects.append((article.page_id, article.title, SENTENCE, f"{places}: {text}"))
        yield article_batch([rest])
    if start < batch.num_rows:
        yield batch.slice(start)


def _count(batch: pa.RecordBatch, counts: Counter[Count], keys: tuple[Count, Count, Count, Count]) -> None:
    pages, paragraphs_key, links, characters = keys
    paragraphs = pc.list_flatten(batch["paragraphs"])
    counts[pages] += batch.num_rows
    counts[paragraphs_key] += len(paragraphs)
    counts[links] += pc.sum(pc.list_value_length(paragraphs.field("links"))).as_py() or 0
    counts[characters] += pc.sum(pc.utf8_length(paragraphs.field("text"))).as_py() or 0
