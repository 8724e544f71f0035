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
from wikiprep.guard.watch import GIVEN_UP
from wikiprep.pipelines.transforms import coders as _coders  # registers them
from wikiprep.pipelines.transforms.corpus import BuiltCorpus, OpenedCorpus, absolute, checked
from wikiprep.pipelines.transforms.elements import PageRecords, Reject, ResolvedArticle
from wikiprep.pipelines.transforms.guarded import GuardedDoFn, Limits, Outcome
from wikiprep.pipelines.transforms.make_records import (
    BatchRecords,
    RecordsTerms,
    make_records,
    read_tokenizer,
    tokenizer_digest,
)
from wikiprep.pipelines.transforms.worker import Rejecting, Worker
from wikiprep.stages.tokenizer import TOKENIZER
from wikiprep.stages.wikidata import FOLDER as ITEM_TABLES
from wikiprep.tables.entity_vocab import VOCAB_ARRAYS, VOCAB_TRIE
from wikiprep.wikidata.items_table import TITLE_ARRAYS, TITLE_TRIE
from wikiprep.wikidata.triples_table import TRIPLE_ARRAYS
from wikiprep.wikitext.columns import columns_of

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
        built = BuiltCorpus.open(vocabulary)
        built.require("tables", (VOCAB_TRIE, VOCAB_ARRAYS), "the tables of entities")
        config = options or built.options(RecordsConfig, "records", "records") or RecordsConfig()
        _refuse_what_is_not_done(built, checked(config, "records"))
        related = relations or built.options(RelationsConfig, "records", "relations")
        related = None if related is None or checked(related, "relations").relations == "none" else related
        if related is not None:
            built.require(ITEM_TABLES, (TITLE_TRIE, TITLE_ARRAYS, TRIPLE_ARRAYS), "Wikidata's tables")
        spec = None if tokenizer is None else _place(os.fspath(tokenizer))
        if spec is None and built.store.size(TOKENIZER) is None:
            raise UsageError(f"{built.store.url}: has no tokenizer", "give one: BuildRecords(vocabulary, tokenizer)")
        found = read_tokenizer(built.store, spec)
        RecordBuilder(found, built.language, config, lambda title: None)  # raises for options that no record can meet
        kept = keep_disambiguation
        if kept is None:
            kept = bool(built.manifest["options"].get("vocabulary", {}).get("keep_disambiguation", False))
        kinds = ("article", "disambiguation") if kept else ("article",)
        terms = RecordsTerms(
            built.store, spec, tokenizer_digest(found), built.language, built.wiki, config, related, kinds
        )
        self._terms = replace(terms, key=hashlib.sha256(pickle.dumps(terms)).hexdigest())
        self._worker = Worker((built.store.url,))
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
            made = PageRecords(element.place, element.wiki, batch.slice(start, number)) if number else None
            reason, row = value.lost.get(place), element.row
            lost = Reject(element.place, row.page_id, row.title, reason, GIVEN_UP) if reason else None
            outcomes.append((made, lost))
            start += number
        return outcomes, value.counts


def _place(spec: str) -> str:
    """A path from the root where there is such a file or folder; else a name on the hub, or nothing."""
    return absolute(spec) if "://" in spec or Path(spec).expanduser().exists() else spec


def _refuse_what_is_not_done(built: BuiltCorpus, config: RecordsConfig) -> None:
    if config.densify or config.compat:
        name = "densify" if config.densify else f"compat = {config.compat!r}"
        raise UsageError(
            f"BuildRecords does not do {name}",
            "give options=RecordsConfig(…) without it, or build all of it: wikiprep build-corpus … --runner RUNNER",
        )
    if built.left_out:
        raise UsageError(
            f"{built.store.url}: was built with --leave-out, which BuildRecords does not do: records would hold what "
            "evaluation sets hold",
            "give a corpus without, or build all of it: wikiprep build-corpus … --runner RUNNER",
        )
