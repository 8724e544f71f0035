"""Copies of one page in a snapshot: pages that were edited while it was made come again, and the newest counts.

Page ids, revisions and places of all lines are written beside the pieces; from the ids alone, 8 bytes a page, those
that come twice are found.
"""

from collections import defaultdict
from collections.abc import Sequence
from pathlib import Path

import numpy as np
import pyarrow as pa

from wikiprep.parsoid.lines import Block
from wikiprep.parsoid.snapshot import identity_of

_SCHEMA = pa.schema(
    [
        ("page_id", pa.int64()),
        ("revision_id", pa.int64()),
        ("time", pa.string()),
        ("piece", pa.int32()),
        ("name", pa.dictionary(pa.int32(), pa.string())),
        ("line", pa.int64()),
    ]
)
_ROWS = 50_000
Place = tuple[str, int]  # the name of a file of lines, and the line


class IdWriter:
    """Writes the table of one file."""

    def __init__(self, path: Path) -> None:
        self._writer = pa.ipc.new_stream(str(path), _SCHEMA)
        self._rows: list[tuple[int, int, str, int, str, int]] = []

    def add(self, piece: int, block: Block) -> None:
        """The lines of a block of that piece."""
        if block.what != "lines":
            return
        for line, data in enumerate(block.data.split(b"\n"), block.line):
            if data and (identity := identity_of(data)):
                self._rows.append((*identity, piece, block.name, line))
        if len(self._rows) >= _ROWS:
            self._flush()

    def close(self) -> None:
        """Writes what is left and the end."""
        self._flush()
        self._writer.close()

    def _flush(self) -> None:
        columns = zip(*self._rows, strict=True) if self._rows else [()] * len(_SCHEMA)
        arrays = [
            pa.array(column, field.type.value_type).dictionary_encode() if pa.types.is_dictionary(field.type)
            else pa.array(column, field.type)
            for column, field in zip(columns, _SCHEMA, strict=True)
        ]  # fmt: skip
        self._writer.write_batch(pa.RecordBatch.from_arrays(arrays, schema=_SCHEMA))
        self._rows.clear()


def older_copies(tables: Sequence[Path]) -> dict[tuple[int, int], list[Place]]:
    """(table, piece) -> places of lines whose page comes again, newer: by revision, then by time.

    Of equals the first counts.
    """
    ids = [np.concatenate([[], *(b["page_id"].to_numpy() for b in _batches(path))]) for path in tables]
    all_ids, counts = np.unique(np.concatenate([[], *ids]).astype(np.int64), return_counts=True)
    repeated_ids = all_ids[counts > 1]
    copies_by_page: dict[int, list[tuple[tuple[int, str, int], int, int, Place]]] = defaultdict(list)
    order = 0
    for table, path in enumerate(tables) if len(repeated_ids) else ():
        for batch in _batches(path):
            rows = np.flatnonzero(np.isin(batch["page_id"].to_numpy(), repeated_ids))
            for row in batch.take(pa.array(rows)).to_pylist():
                order += 1
                rank = (row["revision_id"], row["time"], -order)  # of equal ones the first
                copies_by_page[row["page_id"]].append((rank, table, row["piece"], (row["name"], row["line"])))
    older: dict[tuple[int, int], list[Place]] = defaultdict(list)
    for copies in copies_by_page.values():
        newest = max(copies)
        for copy in copies:
            if copy is not newest:
                older[copy[1], copy[2]].append(copy[3])
    return {key: sorted(places) for key, places in sorted(older.items())}


def _batches(path: Path) -> Sequence[pa.RecordBatch]:
    with pa.ipc.open_stream(str(path)) as reader:
        return list(reader)
