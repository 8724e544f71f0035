"""The relation vocabulary: the properties that hold between mentions of records, the most frequent first.

Each part of the records counts the triples that it shows in small sorted files (`RelationCounts`); the vocabulary is
made of all of them.
"""

from collections import Counter
from collections.abc import Sequence
from dataclasses import dataclass
from pathlib import Path

import numpy as np
import numpy.typing as npt
import pyarrow as pa
import pyarrow.parquet as pq

from wikiprep.corpus.relations import FlatRelations, mention_items
from wikiprep.counts import Count, Equation, declare_counts
from wikiprep.storage.parquet_files import RowGroupWriter
from wikiprep.storage.tables import TableResult
from wikiprep.wikidata.sorted_runs import merge_runs
from wikiprep.wikidata.triples_table import RANGE_ROWS, pairs_of

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


RELATION_VOCAB = "relation_vocab.parquet"
READ = Count("relations.read", "Relations of the records.")
OF_PROPERTY = declare_counts(
    "relations.",
    labelled="Relations whose property has a label.",
    without_label="Relations whose property has none in the dump's languages.",
    unknown_property="Relations whose property Wikidata's dump does not hold.",
)
BY_PROPERTY = Equation("relations by property", READ, tuple(OF_PROPERTY.values()))
PROPERTIES = Count("properties", "Properties with a relation.")
_SHIFT, _LOW = np.uint64(32), np.uint64(0xFFFFFFFF)


def relation_vocab_schema() -> pa.Schema:
    """tables/relation_vocab.parquet, by id: most relations first, ties by property.

    `property`: 31 for P31; `label` null where Wikidata's dump has none or lacks the property; `count` relations of
    records; `triples`, `heads`, `tails`: different ones of these.
    """
    return pa.schema(
        [
            ("id", pa.int32()),
            ("property", pa.int32()),
            ("label", pa.string()),
            *((name, pa.int64()) for name in ("count", "triples", "heads", "tails")),
        ],
        metadata={b"wikiprep.schema": b"relation-vocab/1"},
    )


@dataclass
class _Sums:
    """By property: relations of records, different triples, different heads and tails."""

    count: Counter[int]
    triples: Counter[int]
    heads: Counter[int]
    tails: Counter[int]


def build_relation_vocab(
    partials: Sequence[Path], properties: Path, out_dir: Path, rows: int = RANGE_ROWS
) -> TableResult:
    """Write RELATION_VOCAB into `out_dir` from files of `RelationCounts` and wikidata_properties.parquet.

    Counts close by BY_PROPERTY.
    Memory: `rows` rows, and 8 bytes for each different pair of property and tail.
    """
    sums = _sums(partials, rows)
    property_table = pq.read_table(properties, columns=["pid", "label"])
    labels = dict(zip(property_table["pid"].to_pylist(), property_table["label"].to_pylist(), strict=True))
    order = sorted(sums.count, key=lambda prop: (-sums.count[prop], prop))
    counts: Counter[Count] = Counter({READ: 0, PROPERTIES: len(order)})
    for prop in order:
        kind = "unknown_property" if prop not in labels else "labelled" if labels[prop] else "without_label"
        counts[READ] += sums.count[prop]
        counts[OF_PROPERTY[kind]] += sums.count[prop]
    tallies = (sums.count, sums.triples, sums.heads, sums.tails)
    columns = [
        pa.array(range(len(order)), pa.int32()),
        pa.array(order, pa.int32()),
        pa.array([labels.get(prop) for prop in order], pa.string()),
        *(pa.array([tally[prop] for prop in order], pa.int64()) for tally in tallies),
    ]
    writer = RowGroupWriter(out_dir / RELATION_VOCAB, relation_vocab_schema())
    writer.add(pa.Table.from_arrays(columns, schema=relation_vocab_schema()))
    writer.close()
    return TableResult(dict(counts), ())


def _sums(partials: Sequence[Path], rows: int) -> _Sums:
    sums = _Sums(Counter(), Counter(), Counter(), Counter())
    tails = np.empty(0, np.uint64)
    # Every head is in one table only (shift), so that those of a property are counted a table at a time.
    for table, _ in merge_runs(partials, "pair", rows, shift=32):
        pair, prop, count = sum_relations(*(table[name].to_numpy() for name in ("pair", "property", "count")))
        _add(sums.count, prop, count)
        _add(sums.triples, prop)
        _add(sums.heads, _properties(np.unique(_keys(prop, pair >> _SHIFT))))
        tails = np.union1d(tails, _keys(prop, pair & _LOW))
    _add(sums.tails, _properties(tails))
    return sums


def _keys(prop: npt.NDArray[np.int32], item: npt.NDArray[np.uint64]) -> npt.NDArray[np.uint64]:
    return prop.astype(np.uint64) << _SHIFT | item


def _properties(keys: npt.NDArray[np.uint64]) -> npt.NDArray[np.int32]:
    return (keys >> _SHIFT).astype(np.int32)


def _add(counter: Counter[int], prop: npt.NDArray[np.int32], count: npt.NDArray[np.int64] | None = None) -> None:
    numbers, at = np.unique(prop, return_inverse=True)
    sums = np.bincount(at, weights=None if count is None else count, minlength=len(numbers)).astype(np.int64)
    for number, total in zip(numbers.tolist(), sums.tolist(), strict=True):
        counter[number] += total
