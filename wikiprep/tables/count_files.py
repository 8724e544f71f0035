"""The link counts of one part of the articles, as an Arrow file that can be merged a partition at a time.

Targets that the title table knows are counted by title number: merged, they are one array. Titles that it does not
know are strings, split into PARTITIONS by a hash of the title, so that no merge ever holds all of them. The last two
batches of a file hold the numbered counts and the counters; the batches before them hold partitions 0, 1, ... in turn.
"""

import zlib
from collections import Counter
from collections.abc import Mapping, Sequence
from pathlib import Path

import numpy as np
import numpy.typing as npt
import pyarrow as pa

from wikiprep.counts import Count
from wikiprep.errors import WikiprepError
from wikiprep.storage.memory_maps import open_partial

PARTITIONS = 16
_SCHEMA = pa.schema(
    [("number", pa.int32()), ("title", pa.string()), ("count", pa.int64())],
    metadata={b"wikiprep.schema": b"link-counts/1"},
)


class CountWriter:
    """Writes one counts file: `unknown` any number of times, then `close` once."""

    def __init__(self, path: str | Path) -> None:
        self._sink = pa.OSFile(str(path), "wb")
        self._writer = pa.ipc.new_file(self._sink, _SCHEMA, options=pa.ipc.IpcWriteOptions(compression="zstd"))

    def unknown(self, titles: Sequence[str], counts: npt.NDArray[np.int64]) -> None:
        """Add counts of titles that have no number. A title may come again in a later call."""
        order = sorted(range(len(titles)), key=titles.__getitem__)
        split: list[list[int]] = [[] for _ in range(PARTITIONS)]
        for i in order:
            # Not Python's hash, which changes from run to run.
            split[zlib.crc32(titles[i].encode()) % PARTITIONS].append(i)
        for rows in split:
            self._write([None] * len(rows), [titles[i] for i in rows], counts[rows])

    def close(
        self, numbers: npt.NDArray[np.int32], counts: npt.NDArray[np.int64], counters: Mapping[Count, int]
    ) -> None:
        """Add the counts of numbered titles (ascending) and the unit's counters, and finish the file."""
        self._write(numbers, [None] * len(numbers), counts)
        keys = sorted(counters)
        self._write([None] * len(keys), keys, np.array([counters[k] for k in keys], np.int64))
        self._writer.close()
        self._sink.close()

    def _write(
        self, numbers: npt.NDArray[np.int32] | list[None], titles: Sequence[str | None], counts: npt.NDArray[np.int64]
    ) -> None:
        columns = [pa.array(numbers, pa.int32()), pa.array(titles, pa.string()), pa.array(counts, pa.int64())]
        self._writer.write_batch(pa.RecordBatch.from_arrays(columns, schema=_SCHEMA))


class CountFiles:
    """The counts files of all parts, merged."""

    def __init__(self, paths: Sequence[str | Path]) -> None:
        self._paths = list(paths)

    def counters(self) -> Counter[Count]:
        """The counters, summed."""
        total: Counter[Count] = Counter()
        for path in self._paths:
            with open_partial(path, _SCHEMA, "link counts") as reader:
                batch = reader.get_batch(reader.num_record_batches - 1)
                keys = map(Count, batch.column("title").to_pylist())
                total.update(dict(zip(keys, batch.column("count").to_pylist(), strict=True)))
        return total

    def numbered(self, size: int) -> npt.NDArray[np.int64]:
        """Count of every title number below `size`. Raises WikiprepError if a file knows more titles than that."""
        total = np.zeros(size, np.int64)
        for path in self._paths:
            with open_partial(path, _SCHEMA, "link counts") as reader:
                batch = reader.get_batch(reader.num_record_batches - 2)
            numbers = batch.column("number").to_numpy()
            if len(numbers) and int(numbers[-1]) >= size:
                raise WikiprepError(f"{path}: counted with another title table", "run the build again with --overwrite")
            total[numbers] += batch.column("count").to_numpy()
        return total

    def partition(self, index: int) -> pa.Table:
        """(title, count) of the unknown titles of a partition, summed, by title."""
        pieces = [_SCHEMA.empty_table()]
        for path in self._paths:
            with open_partial(path, _SCHEMA, "link counts") as reader:
                for number in range(index, reader.num_record_batches - 2, PARTITIONS):
                    pieces.append(pa.Table.from_batches([reader.get_batch(number)]))
        table = pa.concat_tables(pieces).group_by("title", use_threads=False).aggregate([("count", "sum")])
        return table.select(["title", "count_sum"]).rename_columns(["title", "count"]).sort_by("title")
