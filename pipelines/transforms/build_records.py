"""`BuildRecords`: token ids with entity spans, as many records a page as its text fills."""

import hashlib
import os
import pickle
from collections.abc import Mapping, Sequence
from dataclasses import replace
from pathlib import Path
from typing import Any

import apache_beam as beam
import pyarrow as pa

from wikiprep.config import RecordsConfig, RelationsConfig
from wikiprep.corpus.builder import RecordBuilder
from wikiprep.counts import Count
from wikiprep.errors import UsageError
from wikiprep.guard.shared_memory import GIVEN_UP
from wikiprep.pipelines.transforms import coders as _coders  # registers them
from wikiprep.pipelines.transforms.corpus import BuiltCorpus, OpenedCorpus, absolute, check_options
from wikiprep.pipelines.transforms.elements import PageRecords, Reject, ResolvedArticle
from wikiprep.pipelines.transforms.make_records import (
    BatchRecords,
    RecordsTerms,
    make_records,
    read_tokenizer,
    tokenizer_digest,
)
from wikiprep.pipelines.transforms.page_batches import GuardedDoFn, Limits, Outcome
from wikiprep.pipelines.transforms.worker import Rejecting, Worker
from wikiprep.stages.tokenizer import TOKENIZER
from wikiprep.stages.wikidata import FOLDER as ITEM_TABLES
from wikiprep.tables.entity_vocab import VOCAB_ARRAYS, VOCAB_TRIE
from wikiprep.wikidata.items_table import TITLE_ARRAYS, TITLE_TRIE
from wikiprep.wikidata.triples_table import TRIPLE_ARRAYS
from wikiprep.wikitext.article_columns import columns_of

__all__ = ["BuildRecords"]
_REGISTERED = _coders


@beam.typehints.with_input_types(ResolvedArticle)
class BuildRecords(Rejecting):
    """`ResolvedArticle` to `PageRecords`; a page without a record gives none.

    Args:
        vocabulary: the folder or address of the corpus whose entities these are; of its language and, where its records
            have relations, by its Wikidata tables.
        tokenizer: a folder, a file or a name on the hub; by default the corpus's own. Workers load it where it lies.
        options: those of `[records]` (docs/options.md); by default those that the corpus was built with.
        relations: those of `[relations]`, which need a corpus with Wikidata; by default as the corpus's records.
        keep_disambiguation: records of disambiguation pages too; by default as the corpus's.
        page_timeout: seconds that a page may take; page_memory: MB. A page that takes more, or that ends its process,
            is a reject.

    With `.with_rejects()` a second output has a `Reject` for each page that was given up.

    Raises:
        WikiprepError: for what is no corpus or tokenizer, for options that cannot be, and for those that need more than
            a page: `densify`, `compat`, and corpora that leave evaluation sets out.
    """

    def __init__(
        self,
        vocabulary: str | os.PathLike[str] | OpenedCorpus,
        tokenizer: str | os.PathLike[str] | None = None,
        *,
        options: RecordsConfig | None = None,
        relations: RelationsConfig | None = None,
        keep_disambiguation: bool | None = None,
        page_timeout: float = 60.0,
        page_memory: int = 1024,
    ) -> None:
        super().__init__()
        built_corpus = BuiltCorpus.open(vocabulary)
        built_corpus.require("tables", (VOCAB_TRIE, VOCAB_ARRAYS), "the tables of entities")
        config = options or built_corpus.options(RecordsConfig, "records", "records") or RecordsConfig()
        _refuse_unsupported(built_corpus, check_options(config, "records"))
        relations_config = relations or built_corpus.options(RelationsConfig, "records", "relations")
        relations_config = (
            None
            if relations_config is None or check_options(relations_config, "relations").relations == "none"
            else relations_config
        )
        if relations_config is not None:
            built_corpus.require(ITEM_TABLES, (TITLE_TRIE, TITLE_ARRAYS, TRIPLE_ARRAYS), "Wikidata's tables")
        spec = None if tokenizer is None else _absolute_spec(os.fspath(tokenizer))
        if spec is None and built_corpus.store.size(TOKENIZER) is None:
            raise UsageError(
                f"{built_corpus.store.url}: has no tokenizer", "give one: BuildRecords(vocabulary, tokenizer)"
            )
        loaded_tokenizer = read_tokenizer(built_corpus.store, spec)
        # Raises for options that no record can meet.
        RecordBuilder(loaded_tokenizer, built_corpus.language, config, lambda title: None)
        with_disambiguation = keep_disambiguation
        if with_disambiguation is None:
            with_disambiguation = bool(built_corpus.manifest.options_of("vocabulary").get("keep_disambiguation", False))
        kinds = ("article", "disambiguation") if with_disambiguation else ("article",)
        terms = RecordsTerms(
            built_corpus.store,
            spec,
            tokenizer_digest(loaded_tokenizer),
            built_corpus.language,
            built_corpus.wiki,
            config,
            relations_config,
            kinds,
        )
        self._terms = replace(terms, key=hashlib.sha256(pickle.dumps(terms)).hexdigest())
        self._worker = Worker((built_corpus.store.url,))
        self._limits = Limits.of(page_timeout, page_memory)

    def expand(self, articles: beam.PCollection) -> beam.PCollection:
        """The records, and with `.with_rejects()` the rejects."""
        terms = self._terms
        step = _Build("BuildRecords", self._worker, ResolvedArticle, terms.wiki, self._limits, terms, make_records)
        return self.outputs(articles, step, PageRecords, Reject)


class _Build(GuardedDoFn):
    def characters(self, element: ResolvedArticle) -> int:
        return columns_of(element.row.paragraphs).characters

    def finish(self, elements: Sequence[Any], value: BatchRecords) -> tuple[Sequence[Outcome], Mapping[Count, int]]:
        (batch,) = pa.ipc.open_stream(pa.py_buffer(value.data))
        outcomes: list[Outcome] = []
        start = 0
        for place, (element, number) in enumerate(zip(elements, value.numbers, strict=True)):
            records = PageRecords(element.place, element.wiki, batch.slice(start, number)) if number else None
            reason, row = value.lost.get(place), element.row
            reject = Reject(element.place, row.page_id, row.title, reason, GIVEN_UP) if reason else None
            outcomes.append((records, reject))
            start += number
        return outcomes, value.counts


def _absolute_spec(spec: str) -> str:
    """A path from the root where there is such a file or folder; else a name on the hub, or nothing."""
    return absolute(spec) if "://" in spec or Path(spec).expanduser().exists() else spec


def _refuse_unsupported(corpus: BuiltCorpus, config: RecordsConfig) -> None:
    if config.densify or config.compat:
        name = "densify" if config.densify else f"compat = {config.compat!r}"
        raise UsageError(
            f"BuildRecords does not do {name}",
            "give options=RecordsConfig(…) without it, or build all of it: wikiprep build-corpus … --runner RUNNER",
        )
    if corpus.left_out:
        raise UsageError(
            f"{corpus.store.url}: was built with --leave-out, which BuildRecords does not do: records would hold what "
            "evaluation sets hold",
            "give a corpus without, or build all of it: wikiprep build-corpus … --runner RUNNER",
        )
