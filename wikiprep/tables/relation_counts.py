"""Which triples the records of a part show, and how often: small sorted files, for the relation vocabulary."""

from pathlib import Path

import numpy as np
import numpy.typing as npt
import pyarrow as pa

from wikiprep.corpus.relations import FlatRelations, mention_items
from wikiprep.wikidata.triples_table import pairs_of

ROWS = 2_000_000  # 24 MB, and twice that while they are sorted


def relation_count_schema() -> pa.Schema:
    """By `pair` (head in the upper 32 bits, tail in the lower), then property; `count` relations of records."""
    return pa.schema([("pair", pa.uint64()), ("property", pa.int32()), ("count", pa.int64())])


class RelationCounts:
    """Adds up the relations of batches of records in sorted files of `folder`, one each `rows` relations or so.

    A part may be a whole dump. `items`: Wikidata's item of each entity id.
    """

    def __init__(self, items: npt.NDArray[np.int64], folder: Path, rows: int = ROWS) -> None:
        self._items, self._folder, self._limit = items, folder, rows
        self._pairs: list[npt.NDArray[np.uint64]] = []
        self._properties: list[npt.NDArray[np.int32]] = []
        self._rows = 0
        self._files: list[Path] = []

    def add(self, records: pa.RecordBatch) -> None:
        """Count a batch."""
        relations, items = FlatRelations(records), mention_items(records, self._items)
        if len(relations):
            self._pairs.append(pairs_of(items[relations.head], items[relations.tail]))
            self._properties.append(relations.property)
            self._rows += len(relations)
        if self._rows >= self._limit:
            self._flush()

    def close(self) -> list[Path]:
        """The files, none where nothing was counted."""
        if self._rows:
            self._flush()
        return self._files

    def _flush(self) -> None:
        pair, prop = np.concatenate(self._pairs), np.concatenate(self._properties)
        pair, prop, count = sum_relations(pair, prop, np.ones(len(pair), np.int64))
        batch = pa.RecordBatch.from_arrays([pa.array(a) for a in (pair, prop, count)], schema=relation_count_schema())
        path = self._folder / f"relations-{len(self._files):05}.arrow"
        with pa.OSFile(str(path), "wb") as sink, pa.ipc.new_file(sink, batch.schema) as writer:
            writer.write_batch(batch)
        self._files.append(path)
        self._pairs, self._properties, self._rows = [], [], 0


def sum_relations(
    pair: npt.NDArray[np.uint64], prop: npt.NDArray[np.int32], count: npt.NDArray[np.int64]
) -> tuple[npt.NDArray[np.uint64], npt.NDArray[np.int32], npt.NDArray[np.int64]]:
    """Counts of equal triples added up, in order of pair, then property. There is at least one row."""
    order = np.lexsort((prop, pair))
    pair, prop, count = pair[order], prop[order], count[order]
    first = np.ones(len(pair), bool)
    first[1:] = (pair[1:] != pair[:-1]) | (prop[1:] != prop[:-1])
    return pair[first], prop[first], np.add.reduceat(count, np.flatnonzero(first))
