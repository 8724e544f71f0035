"""The partial page files of all extract units as one table of pages, read in pieces.

Only ids and kinds are held (9 bytes a page); titles are read a record batch at a time. Files are put in the order of
their first page id, which for a dump is the order of its ranges, so that the order they are given in does not matter.
"""

from collections.abc import Iterator, Sequence
from dataclasses import dataclass
from pathlib import Path
from typing import Any

import numpy as np
import numpy.typing as npt
import pyarrow as pa
import pyarrow.compute as pc

from wikiprep.errors import WikiprepError
from wikiprep.tables.schema import KINDS, REJECT, partial_page_schema

NO_ID = np.iinfo(np.int64).max  # stands for a page without an id: sorts last
SLICE_ROWS = 1 << 16  # pages whose titles are Python strings at a time
GATHER_ROWS = 1 << 20


@dataclass(frozen=True, slots=True)
class _Block:
    """`rows` rows of one batch of a partial file, from row `start` of the scan on."""

    path: Path
    index: int
    start: int
    rows: int


class PageScan:
    """`ids` and `kinds` (codes of schema.KINDS) of every page, in scan order."""

    def __init__(self, paths: Sequence[str | Path]) -> None:
        """Raises WikiprepError for a file that is no partial page file."""
        files = [_read_keys(Path(path)) for path in paths]
        files = sorted((f for f in files if f.ids.size), key=lambda f: (int(f.ids.min()), f.first, f.ids.size))
        self.ids = np.concatenate([f.ids for f in files]) if files else np.empty(0, np.int64)
        self.kinds = np.concatenate([f.kinds for f in files]) if files else np.empty(0, np.int8)
        self._blocks: list[_Block] = []
        start = 0
        for file in files:
            for index, rows in enumerate(file.batches):
                self._blocks.append(_Block(file.path, index, start, rows))
                start += rows
        self._starts = np.array([b.start for b in self._blocks], np.int64)

    def __len__(self) -> int:
        return len(self.ids)

    def batches(self, columns: list[str]) -> Iterator[tuple[int, pa.RecordBatch]]:
        """(row of its first page, batch) in scan order; `columns` in the order of the schema."""
        for block in self._blocks:
            batch = _read_block(block, columns)
            for start in range(0, block.rows, SLICE_ROWS):
                yield block.start + start, batch.slice(start, SLICE_ROWS)

    def check_ids(self) -> None:
        """Raises WikiprepError if two pages share an id; rejects do not count, their ids may be wrong."""
        ids = np.sort(self.ids[self.kinds != REJECT])
        duplicates = ids[1:][ids[1:] == ids[:-1]]
        duplicates = duplicates[duplicates != NO_ID]
        if not len(duplicates):
            return
        rows = np.flatnonzero((self.ids == duplicates[0]) & (self.kinds != REJECT))[:2]
        revisions = {self._cell(row, "revision_id") for row in rows.tolist()}
        names = [f"{self._title(row)!r} in {self._block_of(row).path.name}" for row in rows.tolist()]
        if len(revisions) > 1:
            raise WikiprepError(
                f"page id {int(duplicates[0])} comes with different revisions: {' and '.join(names)} "
                f"({len(duplicates)} ids come twice in all)",
                "a history export spreads a page's revisions over files, and two dumps hold two states of it: take all "
                "files of one mediawiki_content_current or pages-articles",
            )
        raise WikiprepError(
            f"page id {int(duplicates[0])} comes twice: {' and '.join(names)} "
            f"({len(duplicates)} ids come twice in all)",
            "was a part of the dump given twice, or two layouts of one dump together? Give each page once",
        )

    def ordered(self, columns: list[str]) -> Iterator[tuple[npt.NDArray[np.int64], pa.Table]]:
        """(scan rows, their pages) by page id, rejects after others of the same id, pages without an id by title."""
        rejected = self.kinds == REJECT
        if len(self) and np.all(self.ids[1:] > self.ids[:-1]):
            for start, batch in self.batches(columns):
                yield np.arange(start, start + batch.num_rows), pa.Table.from_batches([batch])
            return
        order = np.lexsort((rejected, self.ids))
        nameless = int(np.count_nonzero(self.ids == NO_ID))
        if nameless:
            tail = order[len(order) - nameless :]
            titles = np.array([self._title(row) for row in tail.tolist()], dtype=object)
            order[len(order) - nameless :] = tail[np.argsort(titles, kind="stable")]
        for at in range(0, len(order), GATHER_ROWS):
            rows = order[at : at + GATHER_ROWS]
            yield rows, self._gather(rows, columns)

    def _gather(self, rows: npt.NDArray[np.int64], columns: list[str]) -> pa.Table:
        by_scan = np.argsort(rows, kind="stable")
        sorted_rows = rows[by_scan]
        blocks = np.searchsorted(self._starts, sorted_rows, side="right") - 1
        pieces = []
        for number in np.unique(blocks).tolist():
            block = self._blocks[number]
            pieces.append(_read_block(block, columns).take(pa.array(sorted_rows[blocks == number] - block.start)))
        inverse = np.empty(len(rows), np.int64)
        inverse[by_scan] = np.arange(len(rows))
        return pa.Table.from_batches(pieces).take(pa.array(inverse))

    def _block_of(self, row: int) -> _Block:
        return self._blocks[int(np.searchsorted(self._starts, row, side="right")) - 1]

    def _title(self, row: int) -> str:
        return self._cell(row, "title") or ""

    def _cell(self, row: int, column: str) -> Any:
        block = self._block_of(row)
        return _read_block(block, [column]).column(0)[row - block.start].as_py()


@dataclass(frozen=True, slots=True)
class _Keys:
    """Ids and kinds of one partial file, with the length of each of its batches and its first page."""

    path: Path
    ids: npt.NDArray[np.int64]
    kinds: npt.NDArray[np.int8]
    batches: list[int]
    first: str


def _open(path: Path, columns: list[str]) -> pa.RecordBatchFileReader:
    names = partial_page_schema().names
    options = pa.ipc.IpcReadOptions(included_fields=[names.index(c) for c in columns], use_threads=False)
    return pa.ipc.open_file(pa.OSFile(str(path)), options=options)


def _read_block(block: _Block, columns: list[str]) -> pa.RecordBatch:
    with _open(block.path, columns) as reader:
        return reader.get_batch(block.index)


def _read_keys(path: Path) -> _Keys:
    try:
        with pa.ipc.open_file(pa.OSFile(str(path))) as reader:
            schema = reader.schema
        if not schema.equals(partial_page_schema()):
            raise WikiprepError(f"{path}: not a page file (columns {', '.join(schema.names)})", "run the build again")
        ids, kinds, first = [np.empty(0, np.int64)], [np.empty(0, np.int8)], ""
        rows: list[int] = []
        with _open(path, ["page_id", "title", "kind"]) as reader:
            for index in range(reader.num_record_batches):
                batch = reader.get_batch(index)
                if not rows and batch.num_rows:
                    first = batch.column("title")[0].as_py() or ""
                ids.append(pc.fill_null(batch.column("page_id"), NO_ID).to_numpy(zero_copy_only=False))
                kinds.append(_kind_codes(batch.column("kind"), path))
                rows.append(batch.num_rows)
    except FileNotFoundError as error:
        raise WikiprepError(f"{path}: the page file of an extract unit is gone", "run the build again") from error
    except pa.ArrowInvalid as error:
        raise WikiprepError(f"{path}: not a whole page file ({error})", "run the build again") from error
    return _Keys(path, np.concatenate(ids), np.concatenate(kinds), rows, first)


def _kind_codes(kinds: pa.Array, path: Path) -> npt.NDArray[np.int8]:
    codes = pc.index_in(kinds, value_set=pa.array(KINDS))
    if codes.null_count:
        unknown = pc.unique(kinds.filter(codes.is_null())).to_pylist()
        raise WikiprepError(f"{path}: pages of unknown kind {unknown[0]!r}", f"kinds are {', '.join(KINDS)}")
    values: npt.NDArray[np.int8] = codes.to_numpy().astype(np.int8)
    return values
