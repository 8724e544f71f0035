"""How often, and on how many pages, each name occurs in running text, linked or not.

The span of a link is one occurrence of exactly its own name, if that is a name; elsewhere names are found as longest
matches at token boundaries, never across a link (finder.py). Text is that of the pages whose links count, so that what
is linked on a page also occurs there: a link probability cannot pass 1.
"""

from collections.abc import Callable, Iterator, Sequence
from pathlib import Path
from typing import Any

import numpy as np
import numpy.typing as npt
import pyarrow as pa
import pyarrow.compute as pc

from wikiprep.corpus.article_arrays import flatten
from wikiprep.corpus.articles import read_articles
from wikiprep.counts import Count, Equation
from wikiprep.storage.memory_maps import open_partial
from wikiprep.storage.tables import TableResult
from wikiprep.tables.mentions.finder import NameFinder
from wikiprep.tables.mentions.name_table import NameTable
from wikiprep.tables.mentions.normalize import normal_name

COLUMNS = ["kind", "paragraphs"]
HELD_ROWS = 4_000_000  # (name, page) pairs held before they are summed up
_SCHEMA = pa.schema(
    [("name", pa.int32()), ("text_count", pa.int64()), ("text_page_count", pa.int64())],
    metadata={b"wikiprep.schema": b"mention-texts/1"},
)
SPANS_READ = Count("mentions.spans.read", "Links of the pages whose text counts.")
SPANS_NAMED = Count("mentions.spans.named", "Links that stand on a name.")
SPANS_UNNAMED = Count("mentions.spans.unnamed", "Links that stand on what is none.")
SPANS = Equation("links as occurrences", SPANS_READ, (SPANS_NAMED, SPANS_UNNAMED))
FOUND = Count("mentions.occurrences", "Occurrences of names in text.")
LINKED = Count("mentions.occurrences.linked", "Occurrences that are a link.")
UNLINKED = Count("mentions.occurrences.unlinked", "Occurrences between links.")
OCCURRENCES = Equation("occurrences of names", FOUND, (LINKED, UNLINKED))
CHARACTERS = Count("also.mentions.text.characters", "Characters of the text that was searched.")

Numbers = npt.NDArray[np.int64]


def count_texts(
    articles: str | Path,
    names: NameTable,
    kinds: tuple[str, ...],
    out_path: str | Path,
    *,
    tell: Callable[[int], None] = lambda pages: None,
) -> TableResult:
    """Count the names in the text of an article part into a file for `TextCounts`.

    `kinds`: the kinds of pages whose text counts; `tell` hears of pages done. Counts close by SPANS and
    OCCURRENCES.
    """
    counts = dict.fromkeys((SPANS_READ, SPANS_NAMED, UNLINKED, CHARACTERS), 0)
    finder = NameFinder(names)
    pages, writer = 0, _OccurrenceWriter(out_path)
    for batch in read_articles(articles, COLUMNS):
        flat = flatten(batch.filter(pc.is_in(batch["kind"], pa.array(kinds))))
        texts = flat.texts.to_pylist()
        spans = (flat.link_paragraph, flat.link_starts, flat.link_ends)
        matches = finder.find_between(texts, *spans)
        linked_names = _name_links(texts, spans, names)
        has_name = linked_names >= 0
        writer.add(
            np.concatenate((matches.name_id, linked_names[has_name])),
            flat.page_of_paragraph[np.concatenate((matches.text_index, flat.link_paragraph[has_name]))],
        )
        counts[SPANS_READ] += len(linked_names)
        counts[SPANS_NAMED] += int(np.count_nonzero(has_name))
        counts[UNLINKED] += len(matches)
        counts[CHARACTERS] += sum(map(len, texts))
        pages += batch.num_rows
        tell(pages)
    writer.close()
    linked_total = counts[SPANS_NAMED]
    counts[SPANS_UNNAMED] = counts[SPANS_READ] - linked_total
    counts[LINKED] = linked_total
    counts[FOUND] = linked_total + counts[UNLINKED]
    return TableResult(dict(sorted(counts.items())))


def _name_links(texts: list[str], spans: tuple[Numbers, Numbers, Numbers], names: NameTable) -> Numbers:
    """The name id of each link's span, -1 for one that is no name."""
    ids_by_text: dict[str, int] = {}
    ids = np.empty(len(spans[0]), np.int64)
    for row, (text, start, end) in enumerate(zip(*(span.tolist() for span in spans), strict=True)):
        link_text = texts[text][start:end]
        name_id = ids_by_text.get(link_text)
        if name_id is None:
            name_id = names.id(normal_name(link_text))
            ids_by_text[link_text] = name_id = -1 if name_id is None else name_id
        ids[row] = name_id
    return ids


class _OccurrenceWriter:
    """Sums occurrences up and writes them by name id; a new batch each time that HELD_ROWS are held."""

    def __init__(self, path: str | Path) -> None:
        self._sink = pa.OSFile(str(path), "wb")
        self._writer = pa.ipc.new_file(self._sink, _SCHEMA)
        self._pending: list[tuple[Numbers, Numbers, Numbers]] = []
        self._rows = 0

    def add(self, name: Numbers, page: Numbers) -> None:
        """One entry an occurrence; a page is never in two calls."""
        pages = int(page.max(initial=0)) + 1
        key, count = np.unique(name * pages + page, return_counts=True)
        self._pending.append(_sum_by_name(key // pages, count, np.ones(len(key), np.int64)))
        self._rows += len(self._pending[-1][0])
        if self._rows > HELD_ROWS:
            self._flush()

    def close(self) -> None:
        """Write what is left and the footer."""
        self._flush()
        self._writer.close()
        self._sink.close()

    def _flush(self) -> None:
        if self._pending:
            rows = _sum_by_name(*(np.concatenate(column) for column in zip(*self._pending, strict=True)))
            columns = [pa.array(values, field.type) for values, field in zip(rows, _SCHEMA, strict=True)]
            self._writer.write_batch(pa.RecordBatch.from_arrays(columns, schema=_SCHEMA))
        self._pending, self._rows = [], 0


def _sum_by_name(name: Numbers, count: Numbers, pages: Numbers) -> tuple[Numbers, Numbers, Numbers]:
    """The sums of each name, names ascending."""
    names, name_index = np.unique(name, return_inverse=True)
    counts, page_counts = np.zeros(len(names), np.int64), np.zeros(len(names), np.int64)
    np.add.at(counts, name_index, count)
    np.add.at(page_counts, name_index, pages)
    return names, counts, page_counts


class TextCounts:
    """The files of all parts, merged a range of name ids at a time."""

    def __init__(self, paths: Sequence[str | Path]) -> None:
        self._paths = list(paths)

    def of(self, start: int, stop: int) -> tuple[Numbers, Numbers]:
        """text_count and text_page_count of the names with ids `start` to `stop` (exclusive)."""
        counts, pages = np.zeros(stop - start, np.int64), np.zeros(stop - start, np.int64)
        for path in self._paths:
            for name, count, page_count in _read(path):
                low, high = np.searchsorted(name, (start, stop))
                counts[name[low:high] - start] += count[low:high]
                pages[name[low:high] - start] += page_count[low:high]
        return counts, pages


def _read(path: str | Path) -> Iterator[tuple[Any, Any, Any]]:
    with open_partial(path, _SCHEMA, "counts of text", mapped=True) as reader:
        for number in range(reader.num_record_batches):
            batch = reader.get_batch(number)
            yield tuple(column.to_numpy() for column in batch.columns)
