"""`ExtractArticles`: the text of pages with every link as a span, and their Wikidata items."""

import hashlib
import os
import pickle
from collections.abc import Mapping, Sequence
from dataclasses import replace
from typing import Any

import apache_beam as beam

from wikiprep.config import ExtractConfig
from wikiprep.counts import Count
from wikiprep.dump.ranges import Range
from wikiprep.dump.site import Site
from wikiprep.errors import UsageError
from wikiprep.files import Store
from wikiprep.pipelines.transforms import coders as _coders  # registers them
from wikiprep.pipelines.transforms.corpus import BuiltCorpus, OpenedCorpus, check_options
from wikiprep.pipelines.transforms.elements import ExtractedArticle, Reject, SourcePage
from wikiprep.pipelines.transforms.extract_pages import ExtractTerms, extract_pages
from wikiprep.pipelines.transforms.page_batches import GuardedDoFn, Limits, Outcome
from wikiprep.pipelines.transforms.worker import Rejecting, Worker
from wikiprep.stages.extract_range import DEFINITIONS, PROPERTIES
from wikiprep.stages.extract_work import ExtractWork
from wikiprep.wikidata.items_table import TITLE_ARRAYS, TITLE_TRIE
from wikiprep.wikidata.merged_ids import MERGED
from wikiprep.wikitext.templates.own_table import OwnTable
from wikiprep.wikitext.templates.template_table import read_own_table
from wikiprep.wikitext.variants import require_variant

__all__ = ["ExtractArticles"]
_REGISTERED = _coders
_NO_RANGE = Range("", "plain", 0, 0, 0)  # the pages are given


@beam.typehints.with_input_types(SourcePage)
class ExtractArticles(Rejecting):
    """`SourcePage` to `ExtractedArticle`: articles and disambiguation pages; other pages are counted and go no further.

    Args:
        site: the wiki of the pages: that of `ReadPages(…).site`, of `wikiprep.dump.site.Site.for_language("en")`.
        corpus: a folder or address that the local driver or another engine built of the same wiki (`wikiprep tables`
            will do). Its definitions of templates, page_props and Wikidata items are used, and, where `options` are
            not given, its options. Without one, templates are shown by the shipped tables alone, and no page has an
            item.
        options: those of `[extract]` (docs/options.md).
        page_timeout: seconds that a page may take; page_memory: MB. A page that takes more, or that ends its process,
            is a reject.

    With `.with_rejects()` a second output has a `Reject` for each page that could not be used.

    Raises:
        WikiprepError: for options that cannot be, a corpus of another wiki, missing tables.
    """

    def __init__(
        self,
        site: Site,
        *,
        corpus: str | os.PathLike[str] | OpenedCorpus | None = None,
        options: ExtractConfig | None = None,
        page_timeout: float = 60.0,
        page_memory: int = 1024,
    ) -> None:
        super().__init__()
        if not isinstance(site, Site):
            raise UsageError(
                f"site is {site!r:.80}, not a wiki", "give that of the pages' source: ReadPages('dump.xml.bz2').site"
            )
        built_corpus = None if corpus is None else BuiltCorpus.open(corpus)
        config, table = _options(built_corpus, options)
        if built_corpus is not None:
            built_corpus.must_be_of(site.siteinfo.dbname, "the pages")
        work = _build_work(site, built_corpus, config, table)
        # Without a corpus nothing is fetched, and the store is asked for nothing.
        store = built_corpus.store if built_corpus is not None else Store("/nowhere")
        key = hashlib.sha256(pickle.dumps((work, store.url))).hexdigest()
        self._terms = ExtractTerms(work, store, key)
        self._worker = Worker((built_corpus.store.url,) if built_corpus is not None else ())
        self._limits = Limits.of(page_timeout, page_memory)
        self._wiki = site.siteinfo.dbname

    def expand(self, pages: beam.PCollection) -> beam.PCollection:
        """The articles, and with `.with_rejects()` the rejects."""
        step = _Extract(
            "ExtractArticles", self._worker, SourcePage, self._wiki, self._limits, self._terms, extract_pages
        )
        return self.outputs(pages, step, ExtractedArticle, Reject)


class _Extract(GuardedDoFn):
    def characters(self, element: SourcePage) -> int:
        return len(element.page.text)

    def finish(self, elements: Sequence[Any], value: Any) -> tuple[Sequence[Outcome], Mapping[Count, int]]:
        outcomes, counts = value
        return outcomes, counts


def _options(corpus: BuiltCorpus | None, options: ExtractConfig | None) -> tuple[ExtractConfig, OwnTable | None]:
    """The options, and the user's template table that they name."""
    if options is not None:
        path = check_options(options, "extract").template_table
        return options, read_own_table(path) if path else None
    if corpus is None:
        return ExtractConfig(templates="render"), None
    config = corpus.options(ExtractConfig, "extract", "extract")
    if config is None:
        raise UsageError(
            f"{corpus.store.url}: was not made of a dump, and has no options of extraction",
            "give options=ExtractConfig()",
        )
    if config.template_table is not None:
        raise UsageError(
            f"{corpus.store.url}: was built with a template table of its own",
            "give the options, the table's file with them: options=ExtractConfig(template_table='FILE')",
        )
    return config, None


def _build_work(site: Site, corpus: BuiltCorpus | None, options: ExtractConfig, table: OwnTable | None) -> ExtractWork:
    """What `extract_range` is given, with the tables of the corpus where they lie."""
    definitions = properties = items = merged = None
    if options.templates == "expand":
        definitions = corpus.folder_of("definitions") if corpus is not None else None
        if corpus is None or definitions is None:
            raise UsageError(
                f"templates='expand' needs the wiki's own templates, and {corpus.store.url if corpus else 'no corpus'} "
                f"{'has none' if corpus else 'is given'}",
                "give corpus=, a folder that was built with --templates expand, or ExtractConfig(templates='render')",
            )
        corpus.require(definitions, DEFINITIONS, "the definitions of templates")
    if corpus is not None:
        if properties := corpus.folder_of("properties"):
            corpus.require(properties, PROPERTIES, "the tables of page_props")
        if items := corpus.folder_of("wikidata"):
            corpus.require(items, (TITLE_TRIE, TITLE_ARRAYS), "the items of titles")
        merged = corpus.folder_of("wikidata", "merged") or corpus.folder_of("wikidata_merged")
        if merged:
            corpus.require(merged, (MERGED,), "the items that were merged into others")
    variant = require_variant(site.language.code, options.variant) if options.variant else None
    return ExtractWork(
        _NO_RANGE,
        "",
        site,
        replace(options, variant=variant, template_table=None),  # whose content is in `table`
        keep_damaged=False,
        own_templates=table,
        properties=properties,
        definitions=definitions,
        wikidata=items,
        merged=merged,
    )
