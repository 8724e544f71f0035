"""Whether Wikidata's tables hold what the manifest counts, in order, and every triple is between items of the table.

Memory: 8 bytes an item and 24 bytes a triple of one row group.
"""

from collections.abc import Iterator

import numpy as np
import pyarrow.compute as pc
import pyarrow.parquet as pq

from wikiprep.files import Store
from wikiprep.manifest import Manifest
from wikiprep.progress import NO_PROGRESS, Advance, Progress
from wikiprep.stages.wikidata import lookup_folder
from wikiprep.tables.choose_entities import WITH_QID
from wikiprep.wikidata.items_table import ITEMS_DUPLICATE, ITEMS_KEPT, TITLES_KEPT
from wikiprep.wikidata.lookups import ItemTitles, Triples
from wikiprep.wikidata.merge_runs import PROPERTIES_DUPLICATE, PROPERTIES_KEPT
from wikiprep.wikidata.read_range import DAMAGED_RANGES, ENTITIES_REJECTED, LINES_REJECTED
from wikiprep.wikidata.triples_table import KEPT, are_in

PART = "triples"  # a part of what `verify` reads

ITEMS, PROPERTIES, TRIPLES, REJECTS = (
    "tables/wikidata_items.parquet",
    "tables/wikidata_properties.parquet",
    "tables/wikidata_triples.parquet",
    "rejects/wikidata.parquet",
)


def check_wikidata(store: Store, manifest: Manifest, progress: Progress = NO_PROGRESS) -> Iterator[str]:
    """Yields one line a problem; nothing for a corpus without Wikidata."""
    if not manifest.has_stage("wikidata"):
        return
    counts, read_counts = manifest.counts["wikidata"], manifest.counts["wikidata_read"]
    rejects = LINES_REJECTED.total(read_counts) + ENTITIES_REJECTED.total(read_counts)
    rejects += read_counts.get(DAMAGED_RANGES, 0) + counts.get(ITEMS_DUPLICATE, 0) + counts.get(PROPERTIES_DUPLICATE, 0)
    for path, expected in (
        (ITEMS, counts[ITEMS_KEPT]),
        (PROPERTIES, counts[PROPERTIES_KEPT]),
        (TRIPLES, counts[KEPT]),
        (REJECTS, rejects),
    ):
        rows = pq.ParquetFile(store.fetch(path)).metadata.num_rows
        if rows != expected:
            yield f"{path}: holds {rows} rows, the manifest counts {expected}"
    titles = ItemTitles.open(lookup_folder(store, "tables"))
    if len(titles) != counts[TITLES_KEPT]:
        yield f"tables/wikidata_titles.arrow: holds {len(titles)} titles, the manifest counts {counts[TITLES_KEPT]}"
    with progress.part(PART, counts[KEPT], "triple") as advance:
        yield from _check_triples(store, advance)
    vocabulary = manifest.counts_of("vocabulary").get(WITH_QID)
    if vocabulary is not None:
        column = pq.read_table(store.fetch("tables/entity_vocab.parquet"), columns=["qid"])["qid"]
        if (qid_count := len(column) - column.null_count) != vocabulary:
            yield f"tables/entity_vocab.parquet: holds {qid_count} QIDs, the manifest counts {vocabulary}"


def _check_triples(store: Store, advance: Advance) -> Iterator[str]:
    items = pq.read_table(store.fetch(ITEMS), columns=["qid"])["qid"].to_numpy()
    if np.any(items[1:] <= items[:-1]):
        yield f"{ITEMS}: not in order of qid"
        items = np.unique(items)
    lookup = Triples.open(store.fetch("tables/wikidata_triples.arrow").parent)
    before, at, unordered, unknown_ids, different = [-1, -1, -1], 0, 0, 0, 0
    for batch in pq.ParquetFile(store.fetch(TRIPLES)).iter_batches():
        columns = [batch[name].to_numpy() for name in ("head", "tail", "property")]
        for ids in columns[:2]:
            unknown_ids += int(np.count_nonzero(~are_in(items, ids)))
        last = [np.concatenate([[old], column]) for old, column in zip(before, columns, strict=True)]
        step = [np.sign(np.diff(column)) for column in last]
        unordered += int(np.count_nonzero(step[0] * 4 + step[1] * 2 + step[2] <= 0))
        before = [int(column[-1]) for column in columns]
        stored_columns = lookup.rows(at, at + batch.num_rows)
        same = all(
            np.array_equal(a, b) for a, b in zip(stored_columns, (*columns, batch["rank"].to_numpy()), strict=True)
        )
        different += not same
        at += batch.num_rows
        advance(batch.num_rows)
    if unknown_ids:
        yield f"{TRIPLES}: {unknown_ids} heads or tails are no items of {ITEMS}"
    if unordered:
        yield f"{TRIPLES}: {unordered} triples are not in order of head, tail and property, or come twice"
    if different or at != len(lookup):
        yield f"tables/wikidata_triples.arrow: its triples are not those of {TRIPLES}"
    flags = pq.read_table(store.fetch(ITEMS), columns=["titles"])["titles"]
    if pc.min(pc.list_value_length(flags)).as_py() == 0:
        yield f"{ITEMS}: an item without a page"
