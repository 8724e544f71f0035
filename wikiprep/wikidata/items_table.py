"""The items of all runs as one table, with the look-up from a wiki's title to the item.

Memory: a range of items at a time, 9 bytes an item, and 112 bytes a title while the trie is built (memory_maps.py).
"""

from collections import Counter
from collections.abc import Callable, Iterator, Sequence
from dataclasses import dataclass
from pathlib import Path
from typing import Any

import numpy as np
import numpy.typing as npt
import pyarrow as pa
import pyarrow.compute as pc

from wikiprep.counts import Count, Equation
from wikiprep.errors import WikiprepError
from wikiprep.storage.memory_maps import build_trie, open_trie, write_arrays
from wikiprep.storage.parquet_files import RowGroupWriter
from wikiprep.wikidata.item import DISAMBIGUATIONS, LISTS
from wikiprep.wikidata.merged_ids import MergedIds
from wikiprep.wikidata.schema import item_schema
from wikiprep.wikidata.sorted_runs import merge_runs

ITEMS = "wikidata_items.parquet"
TITLE_TRIE, TITLE_ARRAYS = "wikidata_titles.marisa", "wikidata_titles.arrow"
DISAMBIGUATION, LIST = 1, 2  # bits of `flags` in TITLE_ARRAYS
RANGE_ROWS = 50_000
ITEMS_READ = Count("items.read", "Items with a page in this wiki.")
ITEMS_KEPT = Count("items.kept", "Rows of `tables/wikidata_items.parquet`.")
ITEMS_DUPLICATE = Count("items.duplicate", "Items that an earlier line has.")
ITEMS_MERGED = Equation("items of Wikidata", ITEMS_READ, (ITEMS_KEPT, ITEMS_DUPLICATE))
TITLES_READ = Count("titles.read", "Pages of this wiki that items name.")
TITLES_KEPT = Count("titles.kept", "Pages that are looked up as of their item.")
TITLES_AGAIN = Count("titles.of a smaller item", "Pages that an item of a smaller number names too.")
TITLES = Equation("pages of items", TITLES_READ, (TITLES_KEPT, TITLES_AGAIN))
OF_DISAMBIGUATION = Count("also.items.disambiguation", "Items of disambiguation pages.")
OF_LIST = Count("also.items.list", "Items of lists.")
WITHOUT_LABEL = Count("also.items.without label", "Items without a label in the dump's languages.")
OF_MERGED_CLASS = Count("also.items.of a merged class", "Items of a class that was merged into another.")
DUPLICATES_ALLOWED = 100  # or one in a hundred items, whichever is more: beyond, the input is two dumps, not one

# Hears of an item that came twice: run, line and offset within its range, qid.
Reject = Callable[[int, int, int, int], None]


@dataclass(frozen=True, slots=True)
class MergedItems:
    """`ids`: every item's number, sorted. `left_out`: run -> items of it that an earlier run has."""

    ids: npt.NDArray[np.int64]
    left_out: dict[int, list[int]]
    counts: Counter[Count]


def title_key(wiki: str, title: str) -> str:
    """How TITLE_TRIE names a page of a wiki."""
    return f"{wiki}:{title}"


def build_items(
    runs: Sequence[Path], out: Path, reject: Reject, rows: int = RANGE_ROWS, old: MergedIds | None = None
) -> MergedItems:
    """Write ITEMS, TITLE_TRIE and TITLE_ARRAYS into `out`.

    The first of several items of one number counts. A class that was merged into another (`old`) is that one.

    Counts close by ITEMS_MERGED and TITLES. Raises WikiprepError where so many come twice that these are two dumps.
    """
    counts: Counter[Count] = Counter(dict.fromkeys((ITEMS_READ, ITEMS_KEPT, TITLES_READ, TITLES_KEPT), 0))
    ids: list[npt.NDArray[np.int64]] = []
    left_out: dict[int, list[int]] = {}
    writer = RowGroupWriter(out / ITEMS, item_schema())
    for table, of_run in merge_runs(runs, "qid", rows):
        numbers = table["qid"].to_numpy()
        first = np.ones(len(numbers), np.bool_)
        first[1:] = numbers[1:] != numbers[:-1]
        for row in np.flatnonzero(~first).tolist():
            left_out.setdefault(int(of_run[row]), []).append(int(numbers[row]))
            reject(int(of_run[row]), table["line"][row].as_py(), table["offset"][row].as_py(), int(numbers[row]))
        kept_items = table.filter(pa.array(first))
        if old is not None:
            kept_items = with_current_classes(kept_items, old, counts)
        counts[ITEMS_READ] += len(numbers)
        counts[ITEMS_KEPT] += kept_items.num_rows
        counts[ITEMS_DUPLICATE] += len(numbers) - kept_items.num_rows
        counts[OF_DISAMBIGUATION] += pc.sum(kept_items["disambiguation"]).as_py() or 0
        counts[OF_LIST] += pc.sum(kept_items["list"]).as_py() or 0
        counts[WITHOUT_LABEL] += kept_items["label"].null_count
        ids.append(kept_items["qid"].to_numpy().copy())
        writer.add(kept_items.select(item_schema().names))
    writer.close()
    if counts[ITEMS_DUPLICATE] > max(DUPLICATES_ALLOWED, counts[ITEMS_READ] // 100):
        example = next(iter(left_out.values()))[0]
        raise WikiprepError(
            f"{counts[ITEMS_DUPLICATE]:,} items of Wikidata's dump come twice, Q{example} among them",
            "are there two dumps in what --wikidata names? Give each item once",
        )
    build_trie((key for keys, *_ in _titles(out / ITEMS) for key in keys), out / TITLE_TRIE)
    _write_arrays(out, counts)
    all_ids = np.concatenate(ids) if ids else np.empty(0, np.int64)
    return MergedItems(all_ids, left_out, counts)


def with_current_classes(items: pa.Table, old: MergedIds, counts: Counter[Count]) -> pa.Table:
    """`items` with the classes that theirs were merged into, and what follows from a class.

    Counts OF_MERGED_CLASS.
    """
    classes = items["instance_of"].combine_chunks()
    values = pc.list_flatten(classes).to_numpy()
    current_values = old.resolve(values)
    changed = (current_values != values) & (current_values >= 0)
    changed_rows = np.unique(pc.list_parent_indices(classes).to_numpy()[changed]).tolist()
    if not changed_rows:
        return items
    counts[OF_MERGED_CLASS] += len(changed_rows)
    lists, flags = classes.to_pylist(), {"disambiguation": DISAMBIGUATIONS, "list": LISTS}
    for row in changed_rows:
        lists[row] = sorted({old.item(number) for number in lists[row]})
    items = _replace_column(items, "instance_of", lists)
    for name, of_class in flags.items():
        values = items[name].to_pylist()
        for row in changed_rows:
            values[row] = not of_class.isdisjoint(lists[row])
        items = _replace_column(items, name, values)
    return items


def _replace_column(table: pa.Table, name: str, values: list[Any]) -> pa.Table:
    field = table.schema.field(name)
    return table.set_column(table.schema.get_field_index(name), field, pa.array(values, field.type))


def _titles(items: Path) -> Iterator[tuple[list[str], npt.NDArray[np.int64], npt.NDArray[np.int8]]]:
    """(keys of TITLE_TRIE, qids, flags) of the items in pieces, by qid."""
    import pyarrow.parquet as pq

    columns = ["qid", "titles", "disambiguation", "list"]
    for batch in pq.ParquetFile(items).iter_batches(RANGE_ROWS, columns=columns):
        titles = batch["titles"]
        links, parents = pc.list_flatten(titles), pc.list_parent_indices(titles)
        wikis, names = links.field("wiki").to_pylist(), links.field("title").to_pylist()
        flags = pc.if_else(batch["disambiguation"], DISAMBIGUATION, 0).to_numpy(zero_copy_only=False)
        flags = flags + pc.if_else(batch["list"], LIST, 0).to_numpy(zero_copy_only=False)
        rows = parents.to_numpy()
        keys = [title_key(w, t) for w, t in zip(wikis, names, strict=True)]
        yield keys, batch["qid"].to_numpy()[rows], flags.astype(np.int8)[rows]


def _write_arrays(out: Path, counts: Counter[Count]) -> None:
    trie = open_trie(out / TITLE_TRIE)
    qid, flags = np.zeros(len(trie), np.int64), np.zeros(len(trie), np.int8)
    for keys, items, marks in _titles(out / ITEMS):
        for key, item, mark in zip(keys, items.tolist(), marks.tolist(), strict=True):
            number = trie[key]
            counts[TITLES_READ] += 1
            if qid[number]:
                counts[TITLES_AGAIN] += 1
                continue
            counts[TITLES_KEPT] += 1
            qid[number], flags[number] = item, mark
    write_arrays(out / TITLE_ARRAYS, {"qid": qid, "flags": flags})
