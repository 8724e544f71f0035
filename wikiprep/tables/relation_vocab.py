"""The relation vocabulary: the properties that hold between mentions of records, the most frequent first."""

from collections import Counter
from collections.abc import Sequence
from dataclasses import dataclass
from pathlib import Path

import numpy as np
import numpy.typing as npt
import pyarrow as pa
import pyarrow.parquet as pq

from wikiprep.counts import Count, Equation, declare_counts
from wikiprep.storage.parquet_files import RowGroupWriter
from wikiprep.storage.tables import TableResult
from wikiprep.tables.relation_counts import sum_relations
from wikiprep.wikidata.sorted_runs import merge_runs
from wikiprep.wikidata.triples_table import RANGE_ROWS

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
