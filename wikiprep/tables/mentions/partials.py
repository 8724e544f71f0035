"""What one unit counted, split by a hash of the name, so that a merge holds one partition and never all names.

A file has batches for partition 0, 1, ... in turn, and again from 0 each time that the rows held became too many (a
unit can be a whole dump: one gz file). Rows of a batch are sorted and have distinct keys.
"""

import zlib
from collections.abc import Iterator, Sequence
from pathlib import Path

import numpy as np
import numpy.typing as npt
import pyarrow as pa

from wikiprep.errors import WikiprepError
from wikiprep.storage.arrays import open_partial
from wikiprep.tables.mentions.schema import MARKS, partial_schema

KEYS = ["name", "number", "title"]
SUMS = ["link_count", "link_page_count", "name_pages"]
HELD_ROWS = 1_000_000  # rows held before they are summed up; bounds the memory of a unit of any size


def partition_of(name: str, partitions: int) -> int:
    """The partition of a name: the same on every machine, unlike Python's own hash."""
    return zlib.crc32(name.encode()) % partitions


def combined(table: pa.Table) -> pa.Table:
    """Rows of one key added up, sorted by key (nulls last)."""
    aggregates = [(column, "sum") for column in SUMS] + [(mark, "any") for mark in MARKS]
    made = table.group_by(KEYS, use_threads=False).aggregate(aggregates)
    made = made.rename_columns({f"{column}_{how}": column for column, how in aggregates})
    return made.select(partial_schema().names).cast(partial_schema()).sort_by([(key, "ascending") for key in KEYS])


class Collector:
    """Adds tables up and holds their sum: `total` may be asked for at any time."""

    def __init__(self) -> None:
        self._least = 0
        self._pieces: list[pa.Table] = []
        self.rows = 0

    def add(self, table: pa.Table) -> None:
        """Rows of partial_schema(), in any order. Sums up when twice what the last sum left is held, or HELD_ROWS."""
        self._pieces.append(table)
        self.rows += table.num_rows
        if self.rows > max(HELD_ROWS, 2 * self._least):
            self.total()
            self._least = self.rows

    def total(self) -> pa.Table:
        """All rows added so far, combined."""
        made = combined(pa.concat_tables([partial_schema().empty_table(), *self._pieces]))
        self._pieces, self.rows = [made], made.num_rows
        return made

    def take(self) -> pa.Table:
        """The same, and nothing is held any more."""
        made = self.total()
        self._pieces, self.rows, self._least = [], 0, 0
        return made


class PartialWriter:
    """Writes one file of partial counts: `add` any number of times, then `close`."""

    def __init__(self, path: str | Path, partitions: int) -> None:
        self._partitions = partitions
        self._held = Collector()
        self._sink = pa.OSFile(str(path), "wb")
        options = pa.ipc.IpcWriteOptions(compression="zstd")
        self._writer = pa.ipc.new_file(self._sink, partial_schema(), options=options)

    def add(self, table: pa.Table) -> None:
        """Rows of partial_schema(), in any order."""
        self._held.add(table)
        if self._held.rows > HELD_ROWS:
            self._flush()

    def close(self) -> None:
        """Write what is left and the footer."""
        self._flush()
        self._writer.close()
        self._sink.close()

    def _flush(self) -> None:
        table = self._held.take()
        of_row = partitions_of(table["name"].to_pylist(), self._partitions)
        order = np.argsort(of_row, kind="stable")
        bounds = np.searchsorted(of_row[order], np.arange(self._partitions + 1))
        for start, stop in zip(bounds[:-1].tolist(), bounds[1:].tolist(), strict=True):
            part = table.take(pa.array(order[start:stop])).combine_chunks()
            for batch in part.to_batches() or [pa.RecordBatch.from_pylist([], schema=partial_schema())]:
                self._writer.write_batch(batch)


def partitions_of(names: Sequence[str], partitions: int) -> npt.NDArray[np.int32]:
    """The partition of each name."""
    return np.fromiter((partition_of(name, partitions) for name in names), np.int32, len(names))


def read_partition(path: str | Path, index: int, partitions: int) -> Iterator[pa.Table]:
    """The rows of one partition of a file that was written with as many `partitions`.

    Raises WikiprepError for a file that is missing or not of this kind.
    """
    with open_partial(path, partial_schema(), "counts of names") as reader:
        if reader.num_record_batches % partitions:
            raise WikiprepError(f"{path}: counted with another number of partitions", "run the build again")
        for number in range(index, reader.num_record_batches, partitions):
            yield pa.Table.from_batches([reader.get_batch(number)])
