"""Pages become articles: what the guard's child does for `ExtractArticles`. It imports no Beam."""

from collections import Counter
from collections.abc import Mapping, Sequence
from dataclasses import dataclass

from wikiprep.counts import Count
from wikiprep.files import Store
from wikiprep.guard.shared_memory import Watch
from wikiprep.pipelines.transforms.corpus import make_room
from wikiprep.pipelines.transforms.elements import ExtractedArticle, Reject, SourcePage
from wikiprep.stages.extract_counts import KINDS, PAGES_READ, REJECTS
from wikiprep.stages.extract_range import article_row, link_counts, open_items, open_rules
from wikiprep.stages.extract_work import ExtractWork
from wikiprep.stages.kinds import KindRules, kind_of
from wikiprep.tables.page_items import PageItems
from wikiprep.wikitext.article_columns import columns_of

Extracted = tuple[list[tuple[ExtractedArticle | None, Reject | None]], dict[Count, int]]


@dataclass(frozen=True)
class ExtractTerms:
    """`work`: all but its range, of which nothing is read. `key`: other for other terms."""

    work: ExtractWork
    store: Store
    key: str


_tables_by_key: dict[str, tuple[PageItems, KindRules]] = {}  # by key: the tables stay mapped from batch to batch


def extract_pages(
    payload: tuple[ExtractTerms, Sequence[SourcePage]], watch: Watch, skip: Mapping[int, str], only: int | None
) -> Extracted:
    """What became of each page, and counts; with `only`, try that one page."""
    terms, pages = payload
    items, rules = _open_tables(terms)
    counts: Counter[Count] = Counter()
    outcomes: list[tuple[ExtractedArticle | None, Reject | None]] = []
    for ordinal, element in enumerate(pages):
        if only is not None and ordinal != only:
            continue
        watch.begin(ordinal, element.page.page_id, element.page.title, ordinal + 1)
        outcomes.append(_extract(element, skip.get(ordinal), items, rules, counts))
        watch.end()
    return outcomes, dict(counts)


def _extract(
    element: SourcePage, lost_reason: str | None, items: PageItems, rules: KindRules, counts: Counter[Count]
) -> tuple[ExtractedArticle | None, Reject | None]:
    page = element.page
    kind = kind_of(page, lost_reason, rules)
    counts[PAGES_READ] += 1
    counts[KINDS[kind.name]] += 1
    if kind.name == "reject":
        counts[REJECTS.of(kind.reason)] += 1
        return None, Reject(element.place, page.page_id, page.title, kind.reason, kind.detail)
    if kind.extraction is None:
        return None, None
    counts.update(dict(link_counts(kind.extraction)))
    row = article_row(page, kind.name, items.qid(page.page_id, page.title), kind.extraction)
    row.paragraphs = columns_of(row.paragraphs)
    return ExtractedArticle(element.place, element.wiki, row), None


def _open_tables(terms: ExtractTerms) -> tuple[PageItems, KindRules]:
    if terms.key not in _tables_by_key:
        make_room(_tables_by_key)
        items = open_items(terms.work, terms.store)
        _tables_by_key[terms.key] = items, open_rules(terms.work, terms.store, items)
    return _tables_by_key[terms.key]
