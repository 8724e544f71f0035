"""Whether everything that a row points to exists: entities and redirects to pages, records to articles and entities.

Ids are compared as sorted arrays; at the size of the English Wikipedia that is about 1 GB.
"""

from collections.abc import Iterator, Mapping
from typing import Any

import numpy as np
import numpy.typing as npt
import pyarrow as pa
import pyarrow.compute as pc
import pyarrow.parquet as pq

from wikiprep.corpus.articles import read_articles
from wikiprep.corpus.record_counts import records_in
from wikiprep.corpus.shards import read_shard
from wikiprep.files import Store
from wikiprep.manifest import Manifest
from wikiprep.progress import NO_PROGRESS, Advance, Progress, advance_over
from wikiprep.stages.extract_counts import articles_in
from wikiprep.stages.tokenizer import TOKENS

POINTERS = "pointers"  # a part of what `verify` reads
_MAX_EXAMPLES = 3


def check_dangling(store: Store, manifest: Manifest, progress: Progress = NO_PROGRESS) -> Iterator[str]:
    """Yields one line for each kind of row that points to nothing, with examples."""
    with progress.part(POINTERS, articles_in(manifest) + records_in(manifest), "row") as advance:
        yield from _check_dangling(store, manifest, advance)


def _check_dangling(store: Store, manifest: Manifest, advance: Advance) -> Iterator[str]:
    counts, paths = manifest.counts, manifest.paths()
    if "pages" not in counts:  # annotated text: there is no list of pages to check against
        if "records" in counts:
            yield from _check_records(store, paths, None, counts["tokenizer"][TOKENS], advance)
        return
    pages = pq.read_table(store.fetch("tables/pages.parquet"), columns=["page_id", "title", "kind"])
    documents = pages.filter(pc.is_in(pages["kind"], pa.array(["article", "disambiguation"])))
    articles = _article_ids(store, paths, advance)
    document_ids = np.sort(_ids(documents["page_id"]))
    yield from _report_missing("tables/pages.parquet: documents without a row in articles/", document_ids, articles)
    # A second page of one title is a reject of the stage `pages`, but has its row in articles/.
    rejects = pages.filter(pc.equal(pages["kind"], "reject"))
    page_ids = np.union1d(document_ids, _ids(rejects["page_id"]))
    yield from _report_missing("articles/: rows without a page in tables/pages.parquet", articles, page_ids)
    yield from _check_redirects(store, documents)
    if "vocabulary" in counts:
        yield from _check_vocabulary(store, documents, manifest.options["vocabulary"])
    if "records" in counts:
        yield from _check_records(store, paths, document_ids, counts["tokenizer"][TOKENS], advance)


def _article_ids(store: Store, paths: list[str], advance: Advance) -> npt.NDArray[np.int64]:
    parts = [
        _ids(batch["page_id"])
        for path in paths
        if path.startswith("articles/")
        for batch in advance_over(read_articles(store.fetch(path), ["page_id"]), advance, _rows)
    ]
    return np.sort(np.concatenate(parts)) if parts else np.empty(0, np.int64)


def _check_redirects(store: Store, documents: pa.Table) -> Iterator[str]:
    redirects = pq.read_table(store.fetch("tables/redirects.parquet"), columns=["title", "final", "status"])
    resolved = redirects.filter(pc.equal(redirects["status"], "resolved"))
    dangling = resolved.filter(pc.invert(pc.is_in(resolved["final"], documents["title"].combine_chunks())))
    if dangling.num_rows:
        yield (
            f"tables/redirects.parquet: {dangling.num_rows} redirects end at no document, "
            f"{_examples(dangling['title'])}"
        )


def _check_vocabulary(store: Store, documents: pa.Table, options: Mapping[str, Any]) -> Iterator[str]:
    entities = pq.read_table(store.fetch("tables/entity_vocab.parquet"), columns=["id", "title", "page_id"])
    with_page = entities.filter(pc.is_valid(entities["page_id"]))
    dangling = with_page.filter(pc.invert(pc.is_in(with_page["page_id"], documents["page_id"].combine_chunks())))
    if dangling.num_rows:
        yield (
            f"tables/entity_vocab.parquet: {dangling.num_rows} entities whose page is no document, "
            f"{_examples(dangling['title'])}"
        )
    page = pc.index_in(with_page["page_id"], documents["page_id"].combine_chunks())
    renamed = with_page.filter(pc.not_equal(documents["title"].take(page), with_page["title"]))
    if renamed.num_rows:
        names = _examples(renamed["title"])
        yield f"tables/entity_vocab.parquet: {renamed.num_rows} entities with another title than their page, {names}"
    if options["vocab_targets"] == "existing" and not options.get("entity_vocab"):
        without_page = entities.filter(pc.is_null(entities["page_id"]))
        unexpected = without_page.filter(
            pc.invert(pc.is_in(without_page["title"], pa.array(["[PAD]", "[UNK]", "[MASK]", "[MASK2]"])))
        )
        if unexpected.num_rows:
            yield (
                f"tables/entity_vocab.parquet: {unexpected.num_rows} entities without a page, "
                f"{_examples(unexpected['title'])}"
            )


def _check_records(
    store: Store, paths: list[str], document_ids: npt.NDArray[np.int64] | None, tokens: int, advance: Advance
) -> Iterator[str]:
    id_table = pq.read_table(store.fetch("tables/entity_vocab.parquet"), columns=["id"])
    # [PAD] and [MASK] are of the vocabulary, but nothing in a text stands for them.
    entities = np.setdiff1d(_ids(id_table["id"]), [0, 2])
    for path in paths:
        if not path.startswith("records/"):
            continue
        for batch in advance_over(read_shard(store.fetch(path)), advance, _rows):
            used_ids = np.unique(_ids(pc.list_flatten(batch["entity_ids"])))
            yield from _report_missing(f"{path}: entity ids outside the vocabulary", used_ids, entities)
            words = _ids(pc.list_flatten(batch["word_ids"]))
            if len(words) and not 0 <= words.min() <= words.max() < tokens:
                yield f"{path}: word ids outside the tokenizer, which has {tokens} tokens"
            if document_ids is not None:
                pages = np.unique(_ids(batch["page_id"]))
                yield from _report_missing(f"{path}: pages that are no documents", pages, document_ids)


def _rows(batch: pa.RecordBatch) -> int:
    return int(batch.num_rows)


def _ids(column: Any) -> npt.NDArray[np.int64]:
    ids: npt.NDArray[np.int64] = (
        pc.drop_null(column).to_numpy(zero_copy_only=False)
        if isinstance(column, pa.Array)
        else pc.drop_null(column).to_numpy()
    )
    return ids


def _report_missing(what: str, ids: npt.NDArray[np.int64], known_ids: npt.NDArray[np.int64]) -> Iterator[str]:
    missing_ids = ids[~np.isin(ids, known_ids)]
    if len(missing_ids):
        yield f"{what}: {len(missing_ids)}, such as {', '.join(map(str, missing_ids[:_MAX_EXAMPLES].tolist()))}"


def _examples(titles: Any) -> str:
    return "such as " + ", ".join(map(repr, titles.slice(0, _MAX_EXAMPLES).to_pylist()))
