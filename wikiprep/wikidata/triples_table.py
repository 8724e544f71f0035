"""The triples of all runs as one table and one look-up, both sorted, with merged items put right.

The look-up is three arrays: `pair` (head in the upper 32 bits, tail in the lower), property, rank: 13 bytes a triple,
so 1.3 GB for 100 million, memory-mapped and shared by all processes. Building holds a range of heads at a time.
"""

from collections import Counter
from collections.abc import Mapping, Sequence
from pathlib import Path
from typing import Any, BinaryIO

import numpy as np
import numpy.typing as npt
import pyarrow as pa

from wikiprep.counts import Count, Equation, Reasons
from wikiprep.storage.memory_maps import Array, write_arrays
from wikiprep.storage.parquet_files import RowGroupWriter
from wikiprep.wikidata.items_table import MergedItems
from wikiprep.wikidata.merged_ids import MergedIds
from wikiprep.wikidata.schema import triple_schema
from wikiprep.wikidata.sorted_runs import merge_runs

TRIPLES, TRIPLE_ARRAYS = "wikidata_triples.parquet", "wikidata_triples.arrow"
OUTSIDE = "wikidata_outside.parquet"
RANGE_ROWS = 250_000
READ = Count("triples.read", "Triples that the ranges of the dump gave.")
KEPT = Count("triples.kept", "Rows of `tables/wikidata_triples.parquet`: triples between items with a page.")
DROPPED = Reasons(
    "triples.dropped.",
    "Triples that are not in that table.",
    **{
        "of a duplicate": "Of an item that an earlier line has.",
        "dangling": "To an item that the dump does not hold.",
        "tail without page": "To an item without a page in this wiki (--wikidata-outside has a table of them).",
        "same triple again": "The same as another, since items were merged.",
    },
)
ALL_TRIPLES = Equation("triples between items", READ, (KEPT, DROPPED))
PREFERRED = Count("also.triples.preferred", "Triples whose statement has the rank preferred.")
TO_ITSELF = Count("also.triples.to itself", "Triples of an item with itself.")
TO_MERGED = Count("also.triples.to a merged item", "Triples to an item that was merged into another.")
OUTSIDE_KEPT = Count("also.triples.outside", "Rows of `tables/wikidata_outside.parquet`.")
COLUMNS = ("pair", "property", "rank")
_TYPES: dict[str, np.dtype[Any]] = {"pair": np.dtype("<u8"), "property": np.dtype("<i4"), "rank": np.dtype("<i1")}
_LOW = np.uint64(0xFFFFFFFF)
_SHIFT = np.uint64(32)

Pairs = npt.NDArray[np.uint64]


class SeenItems:
    """Which items the dump has at all: a bit each, 17 MB for Wikidata."""

    def __init__(self) -> None:
        self._bits = np.zeros(1 << 10, np.uint8)

    def add(self, numbers: npt.NDArray[np.uint32]) -> None:
        """Remember items."""
        if not len(numbers):
            return
        need = int(numbers.max()) // 8 + 1
        if need > len(self._bits):
            self._bits = np.concatenate([self._bits, np.zeros(need + need // 4 - len(self._bits), np.uint8)])
        np.bitwise_or.at(self._bits, numbers >> 3, np.left_shift(1, numbers & 7).astype(np.uint8))

    def has(self, numbers: npt.NDArray[np.int64]) -> npt.NDArray[np.bool_]:
        """Whether each item is in the dump."""
        inside = (numbers >= 0) & (numbers < len(self._bits) * 8)
        safe = np.where(inside, numbers, 0)
        is_seen: npt.NDArray[np.bool_] = inside & ((self._bits[safe >> 3] >> (safe & 7).astype(np.uint8) & 1) == 1)
        return is_seen


def pairs_of(heads: npt.NDArray[np.int64], tails: npt.NDArray[np.int64]) -> Pairs:
    """The look-up's key of each pair of items; ids are 0 to 2**32 - 1."""
    return heads.astype(np.uint64) << _SHIFT | tails.astype(np.uint64)


def build_triples(
    runs: Sequence[Path],
    of_run: Sequence[int],
    items: MergedItems,
    seen: SeenItems,
    old: MergedIds,
    out: Path,
    rows: int = RANGE_ROWS,
    *,
    outside: bool = False,
) -> tuple[Counter[Count], Mapping[int, int]]:
    """Write TRIPLES and TRIPLE_ARRAYS into `out`; returns counts and the triples kept of each property.

    `of_run`: the item run that each of `runs` belongs to. `outside`: those to items without a page are written too,
    into OUTSIDE, of the same form; they are dropped all the same. Counts close by ALL_TRIPLES.
    """
    counts: Counter[Count] = Counter({READ: 0, KEPT: 0})
    by_property: Counter[int] = Counter()
    writer = RowGroupWriter(out / TRIPLES, triple_schema())
    outsider = RowGroupWriter(out / OUTSIDE, triple_schema()) if outside else None
    raw = {name: out / f"{name}.raw" for name in COLUMNS}
    files: dict[str, BinaryIO] = {name: path.open("wb") for name, path in raw.items()}
    for table, run_of_row in merge_runs(runs, "pair", rows, shift=32):
        columns = {name: table[name].to_numpy() for name in COLUMNS}
        counts[READ] += table.num_rows
        columns = _drop_duplicates(columns, run_of_row, of_run, items, counts)
        columns, without_page = _resolve_tails(columns, items, seen, old, counts)
        columns = _sort_distinct(columns, counts)
        heads, tails = _split_pairs(columns["pair"])
        counts[KEPT] += len(heads)
        counts[PREFERRED] += int(columns["rank"].sum())
        counts[TO_ITSELF] += int((heads == tails).sum())
        numbers, times = np.unique(columns["property"], return_counts=True)
        by_property.update(dict(zip(numbers.tolist(), times.tolist(), strict=True)))
        writer.add(_table(columns))
        if outsider is not None:
            table_outside = _table(_sort_distinct(without_page, Counter()))
            counts[OUTSIDE_KEPT] += table_outside.num_rows
            outsider.add(table_outside)
        for name, file in files.items():
            file.write(columns[name].astype(_TYPES[name]).tobytes())
    writer.close()
    if outsider is not None:
        outsider.close()
    for file in files.values():
        file.close()
    write_arrays(out / TRIPLE_ARRAYS, {name: _map_column(path, _TYPES[name]) for name, path in raw.items()})
    for path in raw.values():
        path.unlink()
    return counts, by_property


def _split_pairs(pair: Pairs) -> tuple[npt.NDArray[np.int64], npt.NDArray[np.int64]]:
    return (pair >> _SHIFT).astype(np.int64), (pair & _LOW).astype(np.int64)


def _table(columns: dict[str, Array]) -> pa.Table:
    heads, tails = _split_pairs(columns["pair"])
    arrays = [pa.array(a) for a in (heads, columns["property"], tails, columns["rank"])]
    return pa.Table.from_arrays(arrays, schema=triple_schema())


def _map_column(path: Path, kind: np.dtype[Any]) -> Array:
    return np.memmap(path, kind, "r") if path.stat().st_size else np.empty(0, kind)


def _drop_duplicates(
    columns: dict[str, Array],
    run_of_row: npt.NDArray[np.int32],
    of_run: Sequence[int],
    items: MergedItems,
    counts: Counter[Count],
) -> dict[str, Array]:
    """Without the triples of items that an earlier run has too."""
    if not items.left_out:
        return columns
    keep = np.ones(len(run_of_row), np.bool_)
    heads = (columns["pair"] >> _SHIFT).astype(np.int64)
    item_run = np.array(of_run, np.int32)[run_of_row]
    for run, numbers in items.left_out.items():
        keep &= ~((item_run == run) & np.isin(heads, numbers))
    counts[DROPPED.of("of a duplicate")] += int((~keep).sum())
    return {name: column[keep] for name, column in columns.items()}


def _resolve_tails(
    columns: dict[str, Array], items: MergedItems, seen: SeenItems, old: MergedIds, counts: Counter[Count]
) -> tuple[dict[str, Array], dict[str, Array]]:
    """With merged tails replaced: those to items of the table, and those to items of the dump without a page."""
    heads, tails = columns["pair"] >> _SHIFT, (columns["pair"] & _LOW).astype(np.int64)
    known = are_in(items.ids, tails)
    current_tails = tails.copy()
    current_tails[~known] = old.resolve(tails[~known])
    changed = current_tails != tails
    known[changed] = are_in(items.ids, current_tails[changed])
    counts[TO_MERGED] += int((changed & known).sum())
    without_page = ~known
    without_page[~known] = seen.has(current_tails[~known])
    counts[DROPPED.of("tail without page")] += int(without_page.sum())
    counts[DROPPED.of("dangling")] += int((~known & ~without_page).sum())
    columns = columns | {"pair": heads << _SHIFT | current_tails.astype(np.uint64)}
    parts = ({name: column[mask] for name, column in columns.items()} for mask in (known, without_page))
    return next(parts), next(parts)


def _sort_distinct(columns: dict[str, Array], counts: Counter[Count]) -> dict[str, Array]:
    """By head, tail, property; of equal triples, which only merged tails make, the one of better rank."""
    order = np.lexsort((-columns["rank"], columns["property"], columns["pair"]))
    pair, prop, rank = (columns[name][order] for name in COLUMNS)
    first = np.ones(len(pair), np.bool_)
    first[1:] = (pair[1:] != pair[:-1]) | (prop[1:] != prop[:-1])
    counts[DROPPED.of("same triple again")] += int((~first).sum())
    return {"pair": pair[first], "property": prop[first], "rank": rank[first]}


def are_in(sorted_values: npt.NDArray[np.integer[Any]], values: npt.NDArray[np.integer[Any]]) -> npt.NDArray[np.bool_]:
    """Whether each of `values` is in the sorted `sorted_values`."""
    if not len(sorted_values):
        return np.zeros(len(values), np.bool_)
    is_member: npt.NDArray[np.bool_] = (
        sorted_values[np.minimum(sorted_values.searchsorted(values), len(sorted_values) - 1)] == values
    )
    return is_member
