"""Which triples the records of a part show, and how often: a small sorted file, for the relation vocabulary."""

from pathlib import Path

import numpy as np
import numpy.typing as npt
import pyarrow as pa

from wikiprep.corpus.mention_items import FlatRelations, mention_items
from wikiprep.wikidata.triples_table import pairs_of


def relation_count_schema() -> pa.Schema:
    """By `pair` (head in the upper 32 bits, tail in the lower), then property; `count` relations of records."""
    return pa.schema([("pair", pa.uint64()), ("property", pa.int32()), ("count", pa.int64())])


class RelationCounts:
    """Adds up the relations of batches of records. `items`: Wikidata's item of each entity id."""

    def __init__(self, items: npt.NDArray[np.int64]) -> None:
        self._items = items
        self._pairs: list[npt.NDArray[np.uint64]] = []
        self._properties: list[npt.NDArray[np.int32]] = []

    def add(self, records: pa.RecordBatch) -> None:
        """Count a batch."""
        relations, items = FlatRelations(records), mention_items(records, self._items)
        if len(relations):
            self._pairs.append(pairs_of(items[relations.head], items[relations.tail]))
            self._properties.append(relations.property)

    def write(self, path: Path) -> bool:
        """Write the sums; False, and no file, where nothing was counted."""
        if not self._pairs:
            return False
        pair, prop = np.concatenate(self._pairs), np.concatenate(self._properties)
        pair, prop, count = sum_relations(pair, prop, np.ones(len(pair), np.int64))
        batch = pa.RecordBatch.from_arrays([pa.array(a) for a in (pair, prop, count)], schema=relation_count_schema())
        with pa.OSFile(str(path), "wb") as sink, pa.ipc.new_file(sink, batch.schema) as writer:
            writer.write_batch(batch)
        return True


def sum_relations(
    pair: npt.NDArray[np.uint64], prop: npt.NDArray[np.int32], count: npt.NDArray[np.int64]
) -> tuple[npt.NDArray[np.uint64], npt.NDArray[np.int32], npt.NDArray[np.int64]]:
    """Counts of equal triples added up, in order of pair, then property. There is at least one row."""
    order = np.lexsort((prop, pair))
    pair, prop, count = pair[order], prop[order], count[order]
    first = np.ones(len(pair), bool)
    first[1:] = (pair[1:] != pair[:-1]) | (prop[1:] != prop[:-1])
    return pair[first], prop[first], np.add.reduceat(count, np.flatnonzero(first))
