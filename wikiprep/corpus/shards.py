"""Record shards: Arrow IPC files, uncompressed, so that a reader maps them into memory and copies nothing.

The same records in the same order give the same bytes, however they came in batches: the writer cuts its own. An IPC
file is opened by pyarrow, polars and `datasets` alike. Each batch has a checksum for each row in its metadata.
"""

from collections.abc import Iterator
from pathlib import Path

import pyarrow as pa

from wikiprep.corpus.row_checksums import row_checksums, to_metadata
from wikiprep.corpus.schema import RECORDS
from wikiprep.errors import WikiprepError
from wikiprep.storage.tables import check_schema

BATCH_RECORDS = 1_000  # about 2.5 MB


class ShardWriter:
    """Writes record batches of one schema to one local file; `close` makes it whole."""

    def __init__(self, path: str | Path, schema: pa.Schema, *, batch_records: int = BATCH_RECORDS) -> None:
        self._schema = schema
        self._batch_records = batch_records
        self._pending: list[pa.RecordBatch] = []
        self._rows = 0
        options = pa.ipc.IpcWriteOptions(compression=None)
        self._writer = pa.ipc.new_file(str(path), schema, options=options)

    def write(self, batch: pa.RecordBatch) -> None:
        """Takes records; rows keep their order."""
        self._pending.append(batch)
        self._rows += batch.num_rows
        if self._rows >= self._batch_records:
            self._flush(self._rows - self._rows % self._batch_records)

    def close(self) -> None:
        """Writes what is left and the footer. A shard without records is a valid file."""
        self._flush(self._rows)
        self._writer.close()

    def _flush(self, rows: int) -> None:
        table = pa.Table.from_batches(self._pending, self._schema)
        for start in range(0, rows, self._batch_records):
            part = table.slice(start, min(self._batch_records, rows - start)).combine_chunks()
            # `take` copies: a slice would carry its offsets, and bits beyond its end, into the file.
            (batch,) = part.take(pa.array(range(part.num_rows), pa.int32())).combine_chunks().to_batches()
            self._writer.write_batch(batch, custom_metadata=to_metadata(row_checksums(batch)))
        remaining = table.slice(rows)
        self._pending = remaining.to_batches()
        self._rows = remaining.num_rows


def open_shard(path: str | Path) -> pa.ipc.RecordBatchFileReader:
    """A shard mapped into memory: `.num_record_batches`, `.get_batch(i)`.

    Raises WikiprepError for a file that is not a whole shard of records.
    """
    try:
        reader = pa.ipc.open_file(pa.memory_map(str(path)))
    except FileNotFoundError as error:
        raise WikiprepError(f"{path}: no such record shard", "run `wikiprep records` first") from error
    except (pa.ArrowInvalid, OSError) as error:
        raise WikiprepError(
            f"{path}: not a whole Arrow file ({error})", "remove it and its receipt, and run the build again"
        ) from error
    check_schema(reader.schema, RECORDS, str(path))
    return reader


def read_shard(path: str | Path) -> Iterator[pa.RecordBatch]:
    """The batches of a shard in order, mapped, not copied."""
    reader = open_shard(path)
    for number in range(reader.num_record_batches):
        yield reader.get_batch(number)
