"""The last step: the merged counts of names and those of text become mentions.parquet and the look-up files.

One pass over all rows in order of name, of which a few batches are held; what is addressed by name id or row
goes to mapped files (lookups.py). At 20 million names the index of folded names is the largest thing in memory, 0.5 GB.
"""

from collections.abc import Callable, Iterator, Sequence
from pathlib import Path
from typing import Any

import numpy as np
import numpy.typing as npt
import pyarrow as pa
import pyarrow.compute as pc

from wikiprep.counts import Count
from wikiprep.errors import WikiprepError
from wikiprep.storage.memory_maps import build_trie, open_trie
from wikiprep.storage.parquet_files import RowGroupWriter
from wikiprep.storage.tables import TableResult
from wikiprep.tables.mentions.lookups import (
    BY_NAME,
    CANDIDATES,
    FOLDED,
    MARK_BITS,
    MISSING,
    MappedColumns,
    candidate_columns,
    folded_hash,
    name_columns,
    write_folded,
)
from wikiprep.tables.mentions.merge_counts import read_merged, starts_of
from wikiprep.tables.mentions.name_table import NameTable
from wikiprep.tables.mentions.schema import mention_schema
from wikiprep.tables.mentions.text_counts import TextCounts
from wikiprep.tables.title_lookup import TitleTable

NAMES = Count("mentions.names", "Names in `tables/mentions.parquet`.")
NAMES_OCCURRENCES = Count("mentions.names.occurrences", "Occurrences of them in text.")
ROWS = Count("mentions.rows", "Rows of `tables/mentions.parquet`.")
ROWS_LINKS = Count("mentions.rows.links", "Links that the rows stand for.")
MENTIONS = "mentions.parquet"
RANGE = 1 << 20  # name ids whose text is counted at a time

Ids = npt.NDArray[np.int64]


def write_mentions(
    merged: str | Path,
    texts: Sequence[str | Path],
    rows: int,
    names: NameTable,
    titles: TitleTable,
    out_dir: str | Path,
    *,
    tell: Callable[[str], None] = lambda step: None,
) -> TableResult:
    """Write MENTIONS and the look-up files into `out_dir` from the file `merged`, which has `rows` rows.

    `tell` hears of each step: at the size of the English Wikipedia this takes minutes.

    Counts: ROWS, NAMES; ROWS_LINKS and NAMES_OCCURRENCES, which must equal what the units counted.
    Raises WikiprepError if rows and names do not belong together.
    """
    out = Path(out_dir)
    tell("numbering titles without a page")
    build_trie(_targets_without_page(merged), out / MISSING)
    tell("adding up occurrences")
    by_name = name_columns(out, len(names))
    _write_texts(by_name, TextCounts(texts), len(names))
    by_row = candidate_columns(out, rows)
    writer = _RowWriter(out, names, titles, by_name, by_row)
    for table in read_merged(merged):
        tell(f"writing row {writer.rows:,} of {rows:,}")
        writer.add(table)
    counts = writer.close()
    if counts[ROWS] != rows or counts[NAMES] != len(names):
        raise WikiprepError(
            f"{counts[ROWS]} rows of {counts[NAMES]} names were written, {rows} of {len(names)} were announced",
            "this is a fault in wikiprep: please report it with these numbers",
        )
    by_name.write(out / BY_NAME)
    by_row.write(out / CANDIDATES)
    return TableResult(counts)


def _targets_without_page(merged: str | Path) -> Iterator[str]:
    """The targets without a title number."""
    for table in read_merged(merged, ["number", "target"]):
        yield from table["target"].filter(pc.less(table["number"], 0)).to_pylist()


def _write_texts(by_name: MappedColumns, texts: TextCounts, size: int) -> None:
    for start in range(0, size, RANGE):
        stop = min(start + RANGE, size)
        counts, pages = texts.of(start, stop)
        by_name.put("text_count", slice(start, stop), counts)
        by_name.put("text_pages", slice(start, stop), pages)


class _RowWriter:
    """Takes the rows in order and puts each where it belongs."""

    def __init__(
        self, out: Path, names: NameTable, titles: TitleTable, by_name: MappedColumns, by_row: MappedColumns
    ) -> None:
        self._out, self._names, self._titles = out, names, titles
        self._by_name, self._by_row = by_name, by_row
        self._targets_without_page: Any = open_trie(out / MISSING)
        self._hashes = np.zeros(len(names), np.uint64)
        self._parquet = RowGroupWriter(out / MENTIONS, mention_schema())
        self._last = ""  # the last row's name
        self.rows = self._seen = self._links = self._occurrences = 0

    def add(self, table: pa.Table) -> None:
        """Rows of merged_schema() that follow those before."""
        ids = self._ids(table)
        self._parquet.add(self._build_rows(table, ids))
        place = slice(self.rows, self.rows + table.num_rows)
        self._by_row.put("target", place, self._targets(table))
        self._by_row.put("link_count", place, table["link_count"].to_numpy())
        self._by_row.put("link_page_count", place, table["link_page_count"].to_numpy())
        bits = [table[mark].to_numpy().astype(np.int64) * bit for mark, bit in MARK_BITS.items()]
        self._by_row.put("marks", place, np.sum(bits, axis=0))
        self.rows += table.num_rows
        self._links += pc.sum(table["link_count"]).as_py() or 0

    def close(self) -> dict[Count, int]:
        """Finish the files that this writes alone; what was written, counted."""
        self._parquet.close()
        write_folded(self._out / FOLDED, self._hashes)
        return {
            NAMES: self._seen,
            NAMES_OCCURRENCES: self._occurrences,
            ROWS: self.rows,
            ROWS_LINKS: self._links,
        }

    def _ids(self, table: pa.Table) -> Ids:
        """The name id of each row; notes where each new name begins."""
        starts = starts_of(table["name"])
        lengths = np.diff(np.append(starts, table.num_rows))
        names = table["name"].take(pa.array(starts)).to_pylist()
        ids: Ids = self._names.ids(names).astype(np.int64)
        if np.any(ids < 0):
            unknown = names[int(np.argmin(ids))]
            raise WikiprepError(f"the name {unknown!r} was counted, but is not among the names", "run the build again")
        new = np.array([name != self._last for name in names[:1]] + [True] * (len(names) - 1), bool)
        new_ids, new_starts = ids[new], starts[new]
        self._by_name.put("first", new_ids, self.rows + new_starts)
        self._by_name.put("link_pages", new_ids, table["name_link_page_count"].to_numpy()[new_starts])
        self._by_name.put("rows", ids, self._by_name["rows"][ids] + lengths)
        self._hashes[new_ids] = [folded_hash(name) for name, is_new in zip(names, new.tolist(), strict=True) if is_new]
        self._seen += len(new_ids)
        self._occurrences += int(self._by_name["text_count"][new_ids].sum(dtype=np.int64))
        if names:
            self._last = names[-1]
        row_ids: Ids = np.repeat(ids, lengths)
        return row_ids

    def _targets(self, table: pa.Table) -> Ids:
        numbers: Ids = table["number"].to_numpy().astype(np.int64)
        lacking = np.flatnonzero(numbers < 0)
        titles = table["target"].take(pa.array(lacking)).to_pylist()
        numbers[lacking] = [len(self._titles) + self._targets_without_page[title] for title in titles]
        return numbers

    def _build_rows(self, table: pa.Table, ids: Ids) -> pa.Table:
        """The rows of mentions.parquet."""
        numbers = table["number"].to_numpy()
        pages = np.where(numbers >= 0, self._titles.page_id_of[np.maximum(numbers, 0)], -1)
        columns = {name: table[name] for name in table.schema.names if name != "number"} | {
            "page_id": pa.array(pages, pa.int64(), mask=pages < 0),
            "text_count": pa.array(self._by_name["text_count"][ids], pa.int64()),
            "text_page_count": pa.array(self._by_name["text_pages"][ids], pa.int64()),
        }
        return pa.table({name: columns[name] for name in mention_schema().names}, schema=mention_schema())
