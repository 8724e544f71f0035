"""Counts under which names the links of one article part lead to which pages.

The name of a link is the normal form of the text that it stands on. A link counts for the end of its redirect chain;
one to a section counts for its page. Only the text of documents counts: the lists of disambiguation pages say nothing
about how text mentions an entity (they give names another way, see `_entries`), unless these are kept as documents.
"""

import re
from collections import Counter
from collections.abc import Callable, Sequence
from pathlib import Path

import numpy as np
import numpy.typing as npt
import pyarrow as pa
import pyarrow.compute as pc

from wikiprep.corpus.article_arrays import FlatArticles, flatten
from wikiprep.corpus.articles import read_articles
from wikiprep.counts import Count, Equation, Reasons
from wikiprep.storage.tables import TableResult
from wikiprep.tables.mentions.link_targets import KEPT, NOT_MEANT, LinkTargetResolver, ResolvedTargets, Rules
from wikiprep.tables.mentions.normalize import normal_name, refusal
from wikiprep.tables.mentions.partials import PartialWriter
from wikiprep.tables.mentions.schema import partial_schema
from wikiprep.tables.schema import IsMain
from wikiprep.tables.title_lookup import TitleTable

COLUMNS = ["title", "kind", "paragraphs"]
READ = Count("mentions.links.read", "Links of the articles that are used.")
COUNTED = Count("mentions.links.counted", "Links that count under their name, for the page that they lead to.")
FROM_DISAMBIGUATION = "from_disambiguation"
DROPPED = Reasons(
    "mentions.links.dropped.",
    "Links that do not count; where they lead is asked first.",
    from_disambiguation="Of a disambiguation page, without --keep-disambiguation.",
    **NOT_MEANT,
)
LINKS = Equation("links under their names", READ, (COUNTED, DROPPED))
ENTRIES_READ = Count("mentions.entries.read", "Entries of disambiguation pages: the first link of each paragraph.")
ENTRIES_USED = Count("mentions.entries.used", "Entries whose page the disambiguation page's title is a name for.")
ENTRIES_DROPPED = Reasons("mentions.entries.dropped.", "Entries that give no name.", **NOT_MEANT)
ENTRIES = Equation("entries of disambiguation pages", ENTRIES_READ, (ENTRIES_USED, ENTRIES_DROPPED))
_BRACKET = re.compile(r"(.*\S)\s*[(（][^()（）]*[)）]", re.DOTALL)

Numbers = npt.NDArray[np.int64]


def count_link_names(
    articles: str | Path,
    titles: TitleTable,
    is_main: IsMain,
    rules: Rules,
    out_path: str | Path,
    *,
    tell: Callable[[int], None] = lambda pages: None,
) -> TableResult:
    """Count the links of an article part into a file of partial counts (partials.py). `tell` hears of pages done.

    Counts close by LINKS and ENTRIES.
    """
    counts = Counter(dict.fromkeys((READ, COUNTED, ENTRIES_READ, ENTRIES_USED), 0))
    pages, writer = 0, PartialWriter(out_path)
    resolver = LinkTargetResolver(titles, is_main, rules)
    for batch in read_articles(articles, COLUMNS):
        flat = flatten(batch)
        resolved = resolver.targets(flat.targets)
        numbering = _Places(titles, flat.targets, resolved)
        writer.add(_links(flat, resolved, numbering, rules, counts))
        writer.add(_entries(flat, resolved, numbering, counts))
        pages += batch.num_rows
        tell(pages)
    writer.close()
    return TableResult(dict(sorted(counts.items())))


def _links(
    flat: FlatArticles, resolved: ResolvedTargets, numbering: "_Places", rules: Rules, counts: Counter[Count]
) -> pa.Table:
    """The links of documents, counted within a batch; a page is never in two batches."""
    page = flat.page_of_paragraph[flat.link_paragraph]
    counts[READ] += len(page)
    document = _of_kind(flat, rules.kinds)[page]
    counts[DROPPED.of(FROM_DISAMBIGUATION)] += int(np.count_nonzero(~document))
    rows = np.flatnonzero(document)
    texts = flat.texts.to_pylist()
    spans = (flat.link_paragraph[rows], flat.link_starts[rows], flat.link_ends[rows])
    link_texts = [texts[p][start:end] for p, start, end in zip(*(span.tolist() for span in spans), strict=True)]
    surfaces = pa.array(link_texts, pa.string()).dictionary_encode()
    names = [normal_name(surface) for surface in surfaces.dictionary.to_pylist()]
    refusals = [refusal(name) or KEPT for name in names]
    surface = surfaces.indices.to_numpy(zero_copy_only=False).astype(np.int64)
    target = flat.link_target[rows]
    # Where it leads is asked first: of a link with two faults the reason is the target's.
    reasons = np.array(resolved.reason, dtype=object)[target]
    reasons = np.where(reasons == KEPT, np.array(refusals, dtype=object)[surface], reasons)
    for reason, n in Counter(reasons.tolist()).items():
        counts[DROPPED.of(reason) if reason else COUNTED] += n
    is_kept = reasons == KEPT
    name_of, name = _number_distinct(names)
    return _group_links(
        page[rows[is_kept]], name_of[surface[is_kept]], name, numbering.of_target[target[is_kept]], numbering
    )


def _number_distinct(names: Sequence[str]) -> tuple[Numbers, list[str]]:
    """Each name's place among the distinct ones, and these."""
    places: dict[str, int] = {}
    return np.array([places.setdefault(name, len(places)) for name in names], np.int64), list(places)


def _group_links(page: Numbers, name: Numbers, names: list[str], end: Numbers, numbering: "_Places") -> pa.Table:
    """One row each (name, end) of links on `page`: how many links, on how many pages; and the pages of the name."""
    key, row, links = np.unique(name * numbering.size + end, return_inverse=True, return_counts=True)
    # Ascending, so that the first row of a name can carry the name's pages.
    name_of_row = key // numbering.size
    name_pages = np.zeros(len(key), np.int64)
    first = np.flatnonzero(np.diff(name_of_row, prepend=-1))
    name_pages[first] = _pages(name, page)[name_of_row[first]]
    return _table(
        [names[i] for i in name_of_row.tolist()], numbering, key % numbering.size, links, _pages(row, page), name_pages
    )


def _pages(key: Numbers, page: Numbers) -> Numbers:
    """On how many pages each key occurs, for keys 0, 1, ..."""
    if not len(key):
        return np.empty(0, np.int64)
    pages = int(page.max()) + 1
    return np.bincount(np.unique(key * pages + page) // pages)


class _Places:
    """Resolved targets of a batch as numbers: of the title table, and from its size on of the `targets` it lacks."""

    def __init__(self, titles: TitleTable, targets: list[str], resolved: ResolvedTargets) -> None:
        self._titles, self._targets = titles, targets
        self.size = len(titles) + len(targets)
        self.of_target = np.where(resolved.number >= 0, resolved.number, len(titles) + np.arange(len(targets)))

    def columns(self, end: Numbers) -> tuple[pa.Array, pa.Array]:
        """Numbers of resolved targets, -1 for those that the table lacks, and their titles."""
        table_size = len(self._titles)
        title = [self._targets[i - table_size] if i >= table_size else self._titles.title(i) for i in end.tolist()]
        return pa.array(np.where(end < table_size, end, -1), pa.int32()), pa.array(title, pa.string())


def _entries(flat: FlatArticles, resolved: ResolvedTargets, numbering: _Places, counts: Counter[Count]) -> pa.Table:
    """What disambiguation pages list: the first link of each paragraph is an entry, the page's title a name for it.

    "Mercury (disambiguation)" is a name as it is and, as people write it, without the part in brackets.
    """
    page = flat.page_of_paragraph[flat.link_paragraph]
    first = np.diff(flat.link_paragraph, prepend=-1) != 0
    rows = np.flatnonzero(first & _of_kind(flat, ("disambiguation",))[page])
    titles = flat.pages.column("title").to_pylist()
    names: list[str] = []
    places: list[int] = []
    counts[ENTRIES_READ] += len(rows)
    for page_index, target in zip(page[rows].tolist(), flat.link_target[rows].tolist(), strict=True):
        reason = resolved.reason[target] or refusal(normal_name(titles[page_index])) or KEPT
        counts[ENTRIES_DROPPED.of(reason) if reason else ENTRIES_USED] += 1
        for name in () if reason else names_of_disambiguation(titles[page_index]):
            names.append(name)
            places.append(int(numbering.of_target[target]))
    none = np.zeros(len(names), np.int64)
    return _table(names, numbering, np.array(places, np.int64), none, none, none, is_disambiguation=True)


def names_of_disambiguation(title: str) -> list[str]:
    """The names that a disambiguation page is about: its title, and its title without a last part in brackets."""
    whole = normal_name(title)
    match = _BRACKET.fullmatch(whole)
    return [name for name in (whole, match[1] if match else "") if refusal(name) is None]


def _of_kind(flat: FlatArticles, kinds: tuple[str, ...]) -> npt.NDArray[np.bool_]:
    """Which pages of the batch are of one of the kinds."""
    is_of_kind: npt.NDArray[np.bool_] = pc.is_in(flat.pages.column("kind"), pa.array(kinds)).to_numpy(
        zero_copy_only=False
    )
    return is_of_kind


def _table(
    names: list[str],
    numbering: _Places,
    end: Numbers,
    links: Numbers,
    pages: Numbers,
    name_pages: Numbers,
    *,
    is_disambiguation: bool = False,
) -> pa.Table:
    no = pa.array(np.zeros(len(names), bool))
    marks = [no, no, pa.array(np.full(len(names), is_disambiguation))]
    columns = [pa.array(names, pa.string()), *numbering.columns(end), links, pages, name_pages, *marks]
    return pa.Table.from_arrays([pa.array(c) for c in columns], schema=partial_schema())
