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

from wikiprep.checks.parts import POINTERS
from wikiprep.corpus.articles import read_articles
from wikiprep.corpus.shards import read_shard
from wikiprep.files import Store
from wikiprep.progress import NO_PROGRESS, Advance, Progress, counted
from wikiprep.stages.sizes import articles_in, records_in
from wikiprep.stages.tokenizer import TOKENS

_SHOWN = 3


def check_dangling(store: Store, manifest: Mapping[str, Any], progress: Progress = NO_PROGRESS) -> Iterator[str]:
    """Yields one line for each kind of row that points to nothing, with examples."""
    with progress.part(POINTERS, articles_in(manifest) + records_in(manifest), "row") as advance:
        yield from _check_dangling(store, manifest, advance)


def _check_dangling(store: Store, manifest: Mapping[str, Any], advance: Advance) -> Iterator[str]:
    counts = manifest["counts"]
    paths = [entry["path"] for entry in manifest["files"]]
    if "pages" not in counts:  # annotated text: there is no list of pages to check against
        if "records" in counts:
            yield from _records(store, paths, None, counts["tokenizer"][TOKENS], advance)
        return
    pages = pq.read_table(store.fetch("tables/pages.parquet"), columns=["page_id", "title", "kind"])
    documents = pages.filter(pc.is_in(pages["kind"], pa.array(["article", "disambiguation"])))
    articles = _article_ids(store, paths, advance)
    known = np.sort(_ids(documents["page_id"]))
    yield from _missing("tables/pages.parquet: documents without a row in articles/", known, articles)
    # A second page of one title is a reject of the stage `pages`, but has its row in articles/.
    rejects = pages.filter(pc.equal(pages["kind"], "reject"))
    everything = np.union1d(known, _ids(rejects["page_id"]))
    yield from _missing("articles/: rows without a page in tables/pages.parquet", articles, everything)
    yield from _redirects(store, documents)
    if "vocabulary" in counts:
        yield from _vocabulary(store, documents, manifest["options"]["vocabulary"])
    if "records" in counts:
        yield from _records(store, paths, known, counts["tokenizer"][TOKENS], advance)


def _article_ids(store: Store, paths: list[str], advance: Advance) -> npt.NDArray[np.int64]:
    parts = [
        _ids(batch["page_id"])
        for path in paths
        if path.startswith("articles/")
        for batch in counted(read_articles(store.fetch(path), ["page_id"]), advance, _rows)
    ]
    return np.sort(np.concatenate(parts)) if parts else np.empty(0, np.int64)


def _redirects(store: Store, documents: pa.Table) -> Iterator[str]:
    redirects = pq.read_table(store.fetch("tables/redirects.parquet"), columns=["title", "final", "status"])
    resolved = redirects.filter(pc.equal(redirects["status"], "resolved"))
    lost = resolved.filter(pc.invert(pc.is_in(resolved["final"], documents["title"].combine_chunks())))
    if lost.num_rows:
        yield f"tables/redirects.parquet: {lost.num_rows} redirects end at no document, {_some(lost['title'])}"


def _vocabulary(store: Store, documents: pa.Table, options: Mapping[str, Any]) -> Iterator[str]:
    entities = pq.read_table(store.fetch("tables/entity_vocab.parquet"), columns=["id", "title", "page_id"])
    paged = entities.filter(pc.is_valid(entities["page_id"]))
    lost = paged.filter(pc.invert(pc.is_in(paged["page_id"], documents["page_id"].combine_chunks())))
    if lost.num_rows:
        yield f"tables/entity_vocab.parquet: {lost.num_rows} entities whose page is no document, {_some(lost['title'])}"
    page = pc.index_in(paged["page_id"], documents["page_id"].combine_chunks())
    renamed = paged.filter(pc.not_equal(documents["title"].take(page), paged["title"]))
    if renamed.num_rows:
        names = _some(renamed["title"])
        yield f"tables/entity_vocab.parquet: {renamed.num_rows} entities with another title than their page, {names}"
    if options["vocab_targets"] == "existing" and not options.get("entity_vocab"):
        free = entities.filter(pc.is_null(entities["page_id"]))
        odd = free.filter(pc.invert(pc.is_in(free["title"], pa.array(["[PAD]", "[UNK]", "[MASK]", "[MASK2]"]))))
        if odd.num_rows:
            yield f"tables/entity_vocab.parquet: {odd.num_rows} entities without a page, {_some(odd['title'])}"


def _records(
    store: Store, paths: list[str], documents: npt.NDArray[np.int64] | None, tokens: int, advance: Advance
) -> Iterator[str]:
    size = pq.read_table(store.fetch("tables/entity_vocab.parquet"), columns=["id"])
    # [PAD] and [MASK] are of the vocabulary, but nothing in a text stands for them.
    entities = np.setdiff1d(_ids(size["id"]), [0, 2])
    for path in paths:
        if not path.startswith("records/"):
            continue
        for batch in counted(read_shard(store.fetch(path)), advance, _rows):
            used = np.unique(_ids(pc.list_flatten(batch["entity_ids"])))
            yield from _missing(f"{path}: entity ids outside the vocabulary", used, entities)
            words = _ids(pc.list_flatten(batch["word_ids"]))
            if len(words) and not 0 <= words.min() <= words.max() < tokens:
                yield f"{path}: word ids outside the tokenizer, which has {tokens} tokens"
            if documents is not None:
                pages = np.unique(_ids(batch["page_id"]))
                yield from _missing(f"{path}: pages that are no documents", pages, documents)


def _rows(batch: pa.RecordBatch) -> int:
    return int(batch.num_rows)


def _ids(column: Any) -> npt.NDArray[np.int64]:
    ids: npt.NDArray[np.int64] = (
        pc.drop_null(column).to_numpy(zero_copy_only=False)
        if isinstance(column, pa.Array)
        else pc.drop_null(column).to_numpy()
    )
    return ids


def _missing(what: str, wanted: npt.NDArray[np.int64], known: npt.NDArray[np.int64]) -> Iterator[str]:
    lost = wanted[~np.isin(wanted, known)]
    if len(lost):
        yield f"{what}: {len(lost)}, such as {', '.join(map(str, lost[:_SHOWN].tolist()))}"


def _some(titles: Any) -> str:
    return "such as " + ", ".join(map(repr, titles.slice(0, _SHOWN).to_pylist()))
