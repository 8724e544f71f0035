"""The pages of one range become article rows, page rows and rejects: what the guard's child process does."""

from collections import Counter
from collections.abc import Callable, Iterator, Mapping
from pathlib import Path
from typing import TYPE_CHECKING, Protocol

import orjson

from wikiprep.corpus.articles import ArticleRow, ArticleWriter
from wikiprep.counts import Count
from wikiprep.dump.pages import BadPage, LostRange, Page, RangeReader
from wikiprep.dump.site import Site
from wikiprep.dump.unpacked import read_copied_chunks
from wikiprep.files import Store
from wikiprep.guard.shared_memory import Watch
from wikiprep.parsoid.document import HtmlPage
from wikiprep.stages.extract_counts import (
    BLANK,
    DAMAGED_BYTES,
    DAMAGED_RANGES,
    FLAGS,
    KINDS,
    LINKS_DROPPED,
    LINKS_FOUND,
    LINKS_KEPT,
    PAGES_READ,
    PARAGRAPHS,
    QIDS,
    REJECTED,
    REJECTS,
    TEXT_CHARACTERS,
    VARIANT,
    XML_BYTES,
    TemplateCalls,
)
from wikiprep.stages.extract_work import ExtractedRange, ExtractWork, Piece
from wikiprep.stages.facts_between_stages import copy_of
from wikiprep.stages.kinds import Kind, KindRules, kind_of
from wikiprep.stages.tables_of_unit import PageRows, RejectRows, TemplateRows
from wikiprep.tables.page_items import PageItems
from wikiprep.tables.page_props import DISAMBIGUATIONS, ITEMS, PageProperties
from wikiprep.tables.template_definitions import BODIES, NAMES, TemplateDefinitions
from wikiprep.wikidata.merged_ids import MERGED, MergedIds
from wikiprep.wikitext.article import Extraction
from wikiprep.wikitext.article_columns import columns_of

if TYPE_CHECKING:
    from wikiprep.wikidata.lookups import ItemTitles  # loads pyarrow.compute, which few builds need

PROPERTIES = (DISAMBIGUATIONS, ITEMS)
DEFINITIONS = (NAMES, BODIES)
_LINKS = {"found": LINKS_FOUND, "kept": LINKS_KEPT}  # as an extraction calls them; its other words are reasons


class PageReader(Protocol):
    """The pages of a unit in their order; how far it is: in bytes of the unit's weight, and of the text read."""

    bytes_read: int
    xml_bytes: int

    def __iter__(self) -> Iterator[Page | BadPage | LostRange]: ...


def extract_range(
    payload: tuple[ExtractWork, Store], watch: Watch, skip: Mapping[int, str], only: int | None
) -> ExtractedRange | None:
    """Read, extract and publish; with `only`, try that one page, publish nothing, and give None."""
    work, store = payload
    items = open_items(work, store)
    rules = open_rules(work, store, items)
    unpacked = store.root / copy_of(work.part) if store.root and work.definitions else None
    reader = _open_reader(work, store, unpacked)
    with store.scratch(work.part) as folder:
        writers = _Writers(folder, work.site, items)
        for ordinal, page in watch_pages(reader, watch, lambda: writers.counts[REJECTED], only):
            if isinstance(page, LostRange):
                writers.lose(page)
            else:
                writers.add(page, kind_of(page, skip.get(ordinal), rules))
            if only is not None:
                return None
        writers.counts[XML_BYTES] = reader.xml_bytes
        writers.counts.update(items.counts)
        files = [store.publish(source, rel) for source, rel in writers.close(work.part)]
    if unpacked is not None:
        unpacked.unlink(missing_ok=True)
    counts = {key: n for key, n in sorted(writers.counts.items()) if n}
    return ExtractedRange(files, counts, writers.newest, writers.calls.facts)


def open_items(work: ExtractWork, store: Store) -> PageItems:
    """What knows the Wikidata items of pages: tables of the output, memory-mapped."""
    return PageItems(
        PageProperties.open(_fetch_tables(store, work.properties, PROPERTIES)) if work.properties else None,
        _open_item_titles(store, work.wikidata) if work.wikidata else None,
        work.site.siteinfo.dbname,
        MergedIds.open(store.fetch(f"{work.merged}/{MERGED}")) if work.merged else None,
    )


def open_rules(work: ExtractWork, store: Store, items: PageItems) -> KindRules:
    """The rules by which pages become kinds and text, with the wiki's templates memory-mapped."""
    return KindRules(
        work.site,
        work.text,
        lambda page: items.is_disambiguation(page.page_id, page.title),
        work.own_templates,
        TemplateDefinitions.open(_fetch_tables(store, work.definitions, DEFINITIONS)) if work.definitions else None,
        _html_extractor(work),
    )


def article_row(page: Page, kind: str, qid: str | None, extraction: Extraction) -> ArticleRow:
    """A document as `articles/` has it."""
    return ArticleRow(
        page.page_id,
        page.revision_id,
        page.timestamp,
        page.title,
        qid,
        kind,
        extraction.categories,
        extraction.interlanguage,
        extraction.flags,
        extraction.paragraphs,
    )


def link_counts(extraction: Extraction) -> Iterator[tuple[Count, int]]:
    """The links of a document by the keys that the equation of links adds up."""
    for reason, n in extraction.links.items():
        yield _LINKS.get(reason) or LINKS_DROPPED.of(reason), n


def _open_reader(work: ExtractWork, store: Store, unpacked: Path | None) -> PageReader:
    """Of the range's pages, or of the piece's."""
    if not isinstance(work.range, Piece):
        chunks = read_copied_chunks(unpacked) if unpacked is not None and unpacked.is_file() else None
        return RangeReader(work.range, work.site.siteinfo, keep_damaged=work.keep_damaged, chunks=chunks)
    from wikiprep.parsoid.pieces import PieceReader

    piece = work.range
    older_lines = orjson.loads(store.fetch(piece.older).read_bytes()).get(piece.path, ())
    places = frozenset((name, line) for name, line in older_lines)
    return PieceReader(store.fetch(piece.path), work.site, piece.folder, places, work.keep_damaged)


def _html_extractor(work: ExtractWork) -> Callable[[HtmlPage], Extraction] | None:
    """What extracts pages of HTML, where they are."""
    if not isinstance(work.range, Piece):
        return None
    from wikiprep.parsoid.extract import HtmlExtractor

    extractor = HtmlExtractor(work.site, work.text)
    return lambda page: extractor.extract(page.text, page.title, page.templates)


def _open_item_titles(store: Store, folder: str) -> "ItemTitles":
    from wikiprep.wikidata.items_table import TITLE_ARRAYS, TITLE_TRIE
    from wikiprep.wikidata.lookups import ItemTitles

    return ItemTitles.open(_fetch_tables(store, folder, (TITLE_ARRAYS, TITLE_TRIE)))


def _fetch_tables(store: Store, folder: str, names: tuple[str, ...]) -> Path:
    """The local folder of tables that belong together."""
    first, *_ = [store.fetch(f"{folder}/{name}") for name in names]
    return first.parent


def watch_pages(
    reader: PageReader, watch: Watch, rejects: Callable[[], int] = lambda: 0, only: int | None = None
) -> Iterator[tuple[int, Page | BadPage | LostRange]]:
    """The pages with their ordinals, or `only` one of them, each announced before it is handed out."""
    for ordinal, page in enumerate(reader):
        if only is not None and ordinal != only:
            continue  # not announced: what is not worked on cannot be blamed
        progress = (ordinal + 1, reader.bytes_read, rejects())
        if isinstance(page, LostRange):
            watch.begin(ordinal, None, None, *progress)
        else:
            watch.begin(ordinal, page.page_id, page.title, *progress)
        yield ordinal, page
        watch.end()  # reading the next page is not this one's fault


class _Writers:
    """The unit's files while they are written, and its counts."""

    def __init__(self, folder: Path, site: Site, items: PageItems) -> None:
        self.counts: Counter[Count] = Counter()
        self.newest = ""  # timestamp of the newest revision: the dump is not older
        self._folder = folder
        self._site = site
        self._items = items
        self._articles = ArticleWriter(folder / "articles.parquet")
        self._pages = PageRows(folder / "pages.arrow")
        self._rejects = RejectRows(folder / "rejects.parquet")
        self._templates = TemplateRows()
        self.calls = TemplateCalls()

    def lose(self, damaged_range: LostRange) -> None:
        self.counts[DAMAGED_RANGES] += 1
        self.counts[DAMAGED_BYTES] += damaged_range.end - damaged_range.start
        self._rejects.add(
            None, None, "damaged range", f"bytes {damaged_range.start} to {damaged_range.end}: {damaged_range.detail}"
        )

    def add(self, page: Page | BadPage, kind: Kind) -> None:
        counts = self.counts
        counts[PAGES_READ] += 1
        counts[KINDS[kind.name]] += 1
        if kind.name == "reject":
            counts[REJECTS.of(kind.reason)] += 1
            self._rejects.add(page.page_id, page.title, kind.reason, kind.detail)
        if isinstance(page, BadPage):
            return
        self.newest = max(self.newest, page.timestamp or "")
        source_qid = page.qid if isinstance(page, HtmlPage) else None
        qid = self._items.qid(page.page_id, page.title, source_qid)
        counts[QIDS] += qid is not None
        target = self._site.titles.parse(page.redirect) if page.redirect is not None else None
        self._pages.add(page, kind.name, target, qid)
        if kind.extraction is not None:
            extraction = kind.extraction
            counts[TEXT_CHARACTERS] += columns_of(extraction.paragraphs).characters
            counts[PARAGRAPHS] += len(extraction.paragraphs)
            counts[BLANK] += not page.text.strip()
            for name, n in link_counts(extraction):
                counts[name] += n
            if extraction.variant:
                counts[VARIANT["pages"]] += extraction.variant["paragraphs"] > 0
                for variant_key, n in extraction.variant.items():
                    counts[VARIANT[variant_key]] += n
            for flag in extraction.flags:
                counts[FLAGS.of(flag)] += 1
            self._templates.add(extraction.templates)
            self.calls.add(extraction)
            self._articles.add(article_row(page, kind.name, qid, extraction))

    def close(self, part: str) -> list[tuple[Path, str]]:
        """Finish the files: (local path, path in the output)."""
        self._articles.close()
        self._pages.close()
        self._rejects.close()
        self._templates.write(self._folder / "templates.parquet")
        return [
            (self._folder / "articles.parquet", f"articles/{part}.parquet"),
            (self._folder / "rejects.parquet", f"rejects/{part}.parquet"),
            (self._folder / "pages.arrow", f"_state/extract/pages/{part}.arrow"),
            (self._folder / "templates.parquet", f"_state/extract/templates/{part}.parquet"),
        ]
