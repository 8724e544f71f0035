"""Whether the files hold what the manifest counts: everything is counted again from the files themselves."""

from collections import Counter
from collections.abc import Iterator, Mapping

import numpy as np
import orjson
import pyarrow.compute as pc
import pyarrow.parquet as pq

from wikiprep.corpus.articles import read_articles
from wikiprep.corpus.record_counts import LINKS_ENTITY, LINKS_UNK, RECORDS_WRITTEN, SENTENCE_STARTS, records_in
from wikiprep.corpus.shards import read_shard
from wikiprep.corpus.spans import ADDED, LINK
from wikiprep.counts import Count
from wikiprep.files import Store
from wikiprep.manifest import Manifest
from wikiprep.progress import NO_PROGRESS, Advance, Progress
from wikiprep.stages.extract_counts import (
    ARTICLES,
    DAMAGED_RANGES,
    DISAMBIGUATIONS,
    KINDS,
    LINKS_KEPT,
    PARAGRAPHS,
    REJECTED,
    articles_in,
)
from wikiprep.tables.choose_entities import COVERED, SIZE
from wikiprep.tables.page_tables import OF_KIND, REDIRECTS_READ

COUNTS = "counts"  # a part of what `verify` reads
UNK_ID = 1


def check_equations(manifest: Manifest) -> Iterator[str]:
    """Whether each equation of the manifest closes, and is made of a stage's own counts."""
    for equation in manifest.equations:
        name, whole, total = equation.name, equation.whole, equation.total
        parts_sum = sum(equation.parts.values())
        if parts_sum != total:
            yield f"manifest.json: {name}: {whole} is {total}, its parts sum to {parts_sum}"
        terms = {whole: total, **equation.parts}
        if not any(all(counts.get(key, 0) == n for key, n in terms.items()) for counts in manifest.counts.values()):
            yield f"manifest.json: {name}: its numbers are not the counts of any stage"


def check_counts(store: Store, manifest: Manifest, progress: Progress = NO_PROGRESS) -> Iterator[str]:
    """Counts of articles, links, rejects, pages, redirects, entities and records, from the files."""
    with progress.part(COUNTS, articles_in(manifest) + records_in(manifest), "row") as advance:
        yield from _check_counts(store, manifest, advance)


def _check_counts(store: Store, manifest: Manifest, advance: Advance) -> Iterator[str]:
    expected = {name: Counter(counts) for name, counts in manifest.counts.items()}
    source = expected.get("extract", expected.get("import", Counter()))
    article_counts = _count_articles(store, manifest, advance)
    yield from _compare("articles/", article_counts, source, (ARTICLES, DISAMBIGUATIONS, LINKS_KEPT, PARAGRAPHS))
    if "extract" in expected:
        rejects = _count_rows(store, manifest, "rejects/part-") - source[DAMAGED_RANGES]
        yield from _report_difference("rejects/", "rejected pages", rejects, source[REJECTED])
    if "pages" in expected:
        yield from _compare("tables/pages.parquet", _count_pages(store), expected["pages"], _PAGE_KINDS)
        redirects = pq.ParquetFile(store.fetch("tables/redirects.parquet")).metadata.num_rows
        yield from _report_difference(
            "tables/redirects.parquet", "redirects", redirects, expected["pages"][REDIRECTS_READ]
        )
    vocabulary = expected.get("vocabulary", expected.get("imported_vocabulary"))
    if vocabulary is not None:
        yield from _check_vocabulary(store, vocabulary)
    if "records" in expected:
        keys = (RECORDS_WRITTEN, SENTENCE_STARTS, LINKS_ENTITY, LINKS_UNK, *ADDED.values())
        yield from _compare("records/", _count_records(store, manifest, advance), expected["records"], keys)


def _check_vocabulary(store: Store, expected: Counter[Count]) -> Iterator[str]:
    where = "tables/entity_vocab.parquet"
    table = pq.read_table(store.fetch(where), columns=["id", "title", "count"])
    yield from _report_difference(where, "entities", pc.count_distinct(table["id"]).as_py(), expected[SIZE])
    if COVERED in expected:
        links = pc.sum(table["count"]).as_py() or 0
        yield from _report_difference(where, "links to entities", links, expected[COVERED])
    ids = dict(zip(table["title"].to_pylist(), table["id"].to_pylist(), strict=True))
    if orjson.loads(store.read("tokenizer/entity_vocab.json")) != ids:
        yield f"tokenizer/entity_vocab.json: its titles and ids are not those of {where}"


_PAGE_KINDS = tuple(key for kind, key in OF_KIND.items() if kind != "reject")


def _count_articles(store: Store, manifest: Manifest, advance: Advance) -> Counter[Count]:
    counts: Counter[Count] = Counter()
    columns = ["kind", "paragraphs.list.element.kind", "paragraphs.list.element.links.list.element.start"]
    for path in manifest.paths("articles/"):
        for batch in read_articles(store.fetch(path), columns):
            for kind in pc.value_counts(batch["kind"]).to_pylist():
                counts[KINDS[kind["values"]]] += kind["counts"]
            paragraphs = pc.list_flatten(batch["paragraphs"])
            counts[PARAGRAPHS] += len(paragraphs)
            counts[LINKS_KEPT] += pc.sum(pc.list_value_length(paragraphs.field("links"))).as_py() or 0
            advance(batch.num_rows)
    return counts


def _count_pages(store: Store) -> Counter[Count]:
    counts: Counter[Count] = Counter()
    for batch in pq.ParquetFile(store.fetch("tables/pages.parquet")).iter_batches(columns=["kind"]):
        for kind in pc.value_counts(batch["kind"]).to_pylist():
            counts[OF_KIND[kind["values"]]] += kind["counts"]
    return counts


def _count_records(store: Store, manifest: Manifest, advance: Advance) -> Counter[Count]:
    counts: Counter[Count] = Counter()
    for path in manifest.paths("records/"):
        for batch in read_shard(store.fetch(path)):
            counts[RECORDS_WRITTEN] += batch.num_rows
            counts[SENTENCE_STARTS] += len(pc.list_flatten(batch["sentence_starts"]))
            entities = pc.list_flatten(batch["entity_ids"]).to_numpy(zero_copy_only=False)
            sources = pc.list_flatten(batch["entity_sources"]).to_numpy(zero_copy_only=False)
            unk = int(np.count_nonzero(entities == UNK_ID))
            counts[LINKS_UNK] += unk
            counts[LINKS_ENTITY] += int(np.count_nonzero(sources == LINK)) - unk
            for source, key in ADDED.items():
                counts[key] += int(np.count_nonzero(sources == source))
            advance(batch.num_rows)
    return counts


def _count_rows(store: Store, manifest: Manifest, prefix: str) -> int:
    return sum(pq.ParquetFile(store.fetch(path)).metadata.num_rows for path in manifest.paths(prefix))


def _compare(
    where: str, counts: Mapping[Count, int], expected: Mapping[Count, int], keys: tuple[Count, ...]
) -> Iterator[str]:
    for key in keys:
        yield from _report_difference(where, key, counts.get(key, 0), expected.get(key, 0))


def _report_difference(where: str, what: str, count: int, expected: int) -> Iterator[str]:
    if count != expected:
        yield f"{where}: holds {count} {what}, the manifest counts {expected}"
