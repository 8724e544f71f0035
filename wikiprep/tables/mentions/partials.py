"""What one unit counted: names with their targets, rows for each batch of pages; `merge_counts.py` adds them up."""

from collections.abc import Iterator, Sequence
from pathlib import Path

import pyarrow as pa

from wikiprep.errors import WikiprepError
from wikiprep.storage.memory_maps import open_partial
from wikiprep.tables.mentions.schema import partial_schema


class PartialWriter:
    """Writes one file of partial counts: `add` any number of times, then `close`."""

    def __init__(self, path: str | Path) -> None:
        self._sink = pa.OSFile(str(path), "wb")
        options = pa.ipc.IpcWriteOptions(compression="zstd")
        self._writer = pa.ipc.new_file(self._sink, partial_schema(), options=options)

    def add(self, table: pa.Table) -> None:
        """Rows of partial_schema(), in any order; a name and target may come again."""
        self._writer.write_table(table.combine_chunks())

    def close(self) -> None:
        """Write the footer."""
        self._writer.close()
        self._sink.close()


class Partials:
    """The rows of partial files, for a library that reads them a batch at a time; `damage` is what it met in them.

    Raises WikiprepError for a file that is missing or not of this kind, before any row is read.
    """

    def __init__(self, paths: Sequence[str | Path]) -> None:
        for path in paths:
            with open_partial(path, partial_schema(), "counts of names"):
                pass
        self._paths = list(paths)
        self.damage: WikiprepError | None = None

    def reader(self) -> pa.RecordBatchReader:
        """All rows, once."""
        return pa.RecordBatchReader.from_batches(partial_schema(), self._batches())

    def _batches(self) -> Iterator[pa.RecordBatch]:
        for path in self._paths:
            with open_partial(path, partial_schema(), "counts of names") as reader:
                for number in range(reader.num_record_batches):
                    try:
                        batch = reader.get_batch(number)
                    except (pa.ArrowInvalid, OSError) as error:  # who reads would tell of it in words of its own
                        self.damage = WikiprepError(f"{path}: damaged ({error})", "run the build with --overwrite")
                        raise
                    yield batch
