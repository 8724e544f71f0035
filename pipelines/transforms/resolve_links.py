"""`ResolveLinks`: where each link of an article leads, through all redirects."""

import os
from collections.abc import Callable, Iterator
from typing import Any

import apache_beam as beam

from wikiprep.corpus.builder import MEMO_TARGETS
from wikiprep.files import Store
from wikiprep.pipelines.transforms import coders as _coders  # registers them
from wikiprep.pipelines.transforms.corpus import BuiltCorpus, OpenedCorpus
from wikiprep.pipelines.transforms.elements import ExtractedArticle, Reject, ResolvedArticle
from wikiprep.pipelines.transforms.worker import REJECTS, CheckedDoFn, Rejecting, Worker
from wikiprep.tables.carried_links import CARRIED_MAP
from wikiprep.tables.entity_vocab import VOCAB_ARRAYS, VOCAB_TRIE
from wikiprep.tables.page_tables import DUPLICATE_TITLES
from wikiprep.tables.resolver import REDIRECT_MAP, open_resolver, open_titles
from wikiprep.tables.schema import DUPLICATE
from wikiprep.tables.title_lookup import TITLE_ARRAYS, TITLE_TRIE, TitleTable
from wikiprep.wikitext.article_columns import columns_of

__all__ = ["ResolveLinks"]
_REGISTERED = _coders


@beam.typehints.with_input_types(ExtractedArticle)
class ResolveLinks(Rejecting):
    """`ExtractedArticle` to `ResolvedArticle`, by the title and redirect tables of a corpus of the same wiki.

    Args:
        corpus: its folder or address; `wikiprep tables` makes one without records. Workers map the tables into memory,
            once a process; those of a bucket are fetched to local disk first.

    Of pages with one title the tables know one: where the corpus met such a title, the others are rejects
    ("duplicate title"), which `.with_rejects()` gives as a second output.

    Raises:
        WikiprepError: for a folder that is no corpus, or lacks the tables.
    """

    def __init__(self, corpus: str | os.PathLike[str] | OpenedCorpus) -> None:
        super().__init__()
        built_corpus = BuiltCorpus.open(corpus)
        built_corpus.require("tables", (VOCAB_TRIE, VOCAB_ARRAYS), "the tables of entities")
        self._own_titles = all(
            built_corpus.store.size(f"tables/{name}") is None for name in (CARRIED_MAP, REDIRECT_MAP)
        )
        if self._own_titles:
            built_corpus.require("tables", (TITLE_TRIE, TITLE_ARRAYS), "the tables of titles")
        counts = built_corpus.manifest.counts_of("pages")
        self._duplicates = counts.get(DUPLICATE_TITLES, 0) > 0
        self._corpus = built_corpus

    def expand(self, articles: beam.PCollection) -> beam.PCollection:
        """The articles with the ends of their links, and with `.with_rejects()` the rejects."""
        step = _Resolve(self._corpus.store, self._corpus.wiki, self._duplicates)
        return self.outputs(articles, step, ResolvedArticle, Reject)


class _Resolve(CheckedDoFn):
    def __init__(self, store: Store, wiki: str, duplicates: bool) -> None:
        super().__init__("ResolveLinks", Worker((store.url,)), ExtractedArticle, wiki)
        self._store, self._duplicates = store, duplicates

    def setup(self) -> None:
        """Map the tables."""
        super().setup()
        self._resolve: Callable[[str], str | None] = open_resolver(self._store).end
        self._titles: TitleTable | None = open_titles(self._store) if self._duplicates else None
        self._final_titles: dict[str, str | None] = {}

    def process(self, element: ExtractedArticle) -> Iterator[Any]:
        """Look each target of an article up once."""
        self.check(element)
        if self._titles is not None and self._is_another(self._titles, element):
            self.count({f"rejects.{DUPLICATE}": 1})
            detail = "another page of the dump has this title"
            reject = Reject(element.place, element.row.page_id, element.row.title, DUPLICATE, detail)
            yield beam.pvalue.TaggedOutput(REJECTS, reject)
            return
        targets = columns_of(element.row.paragraphs).targets
        titles = {target: self._title(target) for target in dict.fromkeys(targets)}
        dead_links = sum(titles[target] is None for target in targets)
        self.count({"articles": 1, "links.resolved": len(targets) - dead_links, "links.nowhere": dead_links})
        yield ResolvedArticle(element.place, element.wiki, element.row, titles)

    def _title(self, target: str) -> str | None:
        if target not in self._final_titles:
            if len(self._final_titles) > MEMO_TARGETS:
                self._final_titles.clear()
            self._final_titles[target] = self._resolve(target)
        return self._final_titles[target]

    def _is_another(self, titles: TitleTable, element: ExtractedArticle) -> bool:
        number = titles.number(element.row.title)
        return number >= 0 and int(titles.page_id_of[number]) not in (-1, element.row.page_id)
