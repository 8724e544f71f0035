"""Articles become records: what the guard's child does for `BuildRecords`. It imports no Beam."""

import hashlib
from collections import Counter
from collections.abc import Mapping, Sequence
from dataclasses import dataclass, replace

import numpy as np
import pyarrow as pa
from tokenizers import Tokenizer

from wikiprep.config import RecordsConfig, RelationsConfig
from wikiprep.corpus.articles import ArticleRow, article_batch
from wikiprep.corpus.builder import RecordBuilder
from wikiprep.corpus.tokenizers import load_tokenizer
from wikiprep.counts import Count
from wikiprep.errors import WikiprepError
from wikiprep.files import Store
from wikiprep.guard.shared_memory import Watch
from wikiprep.pipelines.transforms.corpus import make_room
from wikiprep.pipelines.transforms.elements import ResolvedArticle
from wikiprep.stages.records_part import PAGES_READ, PAGES_SKIPPED, PAGES_USED, open_aligner
from wikiprep.stages.tokenizer import TOKENIZER
from wikiprep.tables.entity_vocab import VOCAB_ARRAYS, VOCAB_TRIE, EntityVocab
from wikiprep.wikitext.article_columns import columns_of

SKIPPED = "disambiguation"


@dataclass(frozen=True)
class RecordsTerms:
    """`tokenizer`: what `load_tokenizer` takes, None for the corpus's own; `digest`: of what the driver found there.
    `kinds` of articles that become records. `key`: other for other terms."""

    store: Store
    tokenizer: str | None
    digest: str
    language: str
    wiki: str
    config: RecordsConfig
    relations: RelationsConfig | None
    kinds: tuple[str, ...]
    key: str = ""


@dataclass(frozen=True)
class BatchRecords:
    """The records of a batch of articles.

    `data`: the records of all pages, an Arrow stream of one batch; `numbers`: how many each page has; `lost`: why the
    guard gave a page up, by its place in the batch.
    """

    data: bytes
    numbers: list[int]
    lost: dict[int, str]
    counts: dict[Count, int]


_builders: dict[str, RecordBuilder] = {}  # by key: the memo of word -> ids stays warm from batch to batch


def make_records(
    payload: tuple[RecordsTerms, Sequence[ResolvedArticle]], watch: Watch, skip: Mapping[int, str], only: int | None
) -> BatchRecords:
    """The records of a batch of articles.

    They are worked on at once, since ICU and the tokenizer are quickest with much text; with `only`, which is the first
    of a batch that failed, one by one.
    """
    terms, articles = payload
    builder = _builder(terms)
    counts: Counter[Count] = Counter({PAGES_READ: len(articles)})
    chosen_articles = []
    for ordinal, article in enumerate(articles):
        if ordinal in skip:
            counts[PAGES_SKIPPED.of(skip[ordinal])] += 1
        elif article.row.kind not in terms.kinds:
            counts[PAGES_SKIPPED.of(SKIPPED)] += 1
        else:
            chosen_articles.append((ordinal, article))
    counts[PAGES_USED] = len(chosen_articles)
    if only is not None:
        for ordinal, article in chosen_articles:
            watch.begin(ordinal, article.row.page_id, article.row.title)
            builder.build(article_batch([_number_row(article, ordinal)]))
            watch.end()
        return BatchRecords(b"", [], {}, {})
    numbers = np.zeros(len(articles), np.int64)
    batch = pa.RecordBatch.from_pylist([], builder.schema)
    if chosen_articles:
        first, article = chosen_articles[0]
        watch.begin(first, article.row.page_id, article.row.title, len(articles))
        batch = builder.build(article_batch([_number_row(article, ordinal) for ordinal, article in chosen_articles]))
        watch.end()
        places = batch["page_id"].to_numpy()
        numbers = np.bincount(places, minlength=len(articles))
        ids = pa.array([article.row.page_id for article in articles], pa.int64())
        at = batch.schema.get_field_index("page_id")
        batch = batch.set_column(at, batch.schema.field(at), ids.take(batch["page_id"]))
    counts.update(builder.counts)
    return BatchRecords(_stream(batch), numbers.tolist(), dict(skip), {name: n for name, n in counts.items() if n})


def _number_row(article: ResolvedArticle, ordinal: int) -> ArticleRow:
    """The row with its place in the batch for its page id, and with the ends of links for their targets.

    By its place its records are found again: a page id may come twice, or not be known.
    """
    columns = columns_of(article.row.paragraphs)
    try:
        ends = [article.titles[target] or "" for target in columns.targets]  # no page has an empty title
    except KeyError as error:
        raise WikiprepError(
            f"{article.place.name}, page {article.row.title!r}: no end is given for its link to {error.args[0]!r}",
            "`titles` of a ResolvedArticle has each target of the article: its title, or None",
        ) from None
    return replace(article.row, page_id=ordinal, paragraphs=replace(columns, targets=ends))


def _stream(batch: pa.RecordBatch) -> bytes:
    sink = pa.BufferOutputStream()
    with pa.ipc.new_stream(sink, batch.schema) as writer:
        writer.write_batch(batch)
    data: bytes = sink.getvalue().to_pybytes()
    return data


def _builder(terms: RecordsTerms) -> RecordBuilder:
    if terms.key not in _builders:
        make_room(_builders)
        store = terms.store
        tokenizer = read_tokenizer(store, terms.tokenizer)
        if tokenizer_digest(tokenizer) != terms.digest:
            raise WikiprepError(
                f"the tokenizer {terms.tokenizer or store.url} is another here than where the pipeline was made",
                "give a folder that all workers share, or one in a bucket",
            )
        first, _ = [store.fetch(f"tables/{name}") for name in (VOCAB_ARRAYS, VOCAB_TRIE)]
        vocabulary = EntityVocab.open(first.parent)
        aligner = None if terms.relations is None else open_aligner(store, terms.relations, terms.wiki)
        _builders[terms.key] = RecordBuilder(tokenizer, terms.language, terms.config, vocabulary.id, aligner=aligner)
    builder = _builders[terms.key]
    builder.counts.clear()
    return builder


def read_tokenizer(store: Store, spec: str | None) -> Tokenizer:
    """That of `spec`, or of the corpus. Raises WikiprepError where there is none."""
    return load_tokenizer(store.fetch(TOKENIZER)) if spec is None else load_tokenizer(spec)


def tokenizer_digest(tokenizer: Tokenizer) -> str:
    """What tells two tokenizers apart."""
    return hashlib.sha256(tokenizer.to_str().encode()).hexdigest()
