"""Record shards: Arrow IPC files, uncompressed, so that a reader maps them into memory and copies nothing.

The same records in the same order give the same bytes, however they came in batches: the writer cuts its own. An IPC
file is opened by pyarrow, polars and `datasets` alike.

Each batch has a CRC-32 for each row in its metadata: who reads ONE row can tell that it is whole. The manifest's sha256
is of a whole file, which a trainer that reads rows in random order would have to read through first. Eight hex digits a
row are 0.3 % of a shard. Columns of text are left out: training does not read them.
"""

import zlib
from collections.abc import Iterator
from pathlib import Path
from typing import Any

import numpy as np
import numpy.typing as npt
import pyarrow as pa

from wikiprep.corpus.schema import RECORDS
from wikiprep.errors import WikiprepError
from wikiprep.storage.tables import check_schema

CHECKSUMS = b"wikiprep.crc32"
Array = npt.NDArray[Any]
Column = tuple[Array | None, Array]  # offsets of a list column or None, values


def row_checksums(batch: pa.RecordBatch) -> npt.NDArray[np.uint32]:
    """The checksum of every row, over its columns of integers and of lists of them, in the order of the schema."""
    columns = list(checked_columns(batch).values())
    return np.array([row_checksum(columns, row) for row in range(batch.num_rows)], np.uint32)


def row_checksum(columns: list[Column], row: int) -> int:
    """The checksum of one row of `checked_columns`. Damaged offsets give another number, never an error."""
    crc = 0
    for offsets, values in columns:
        part = values[row : row + 1] if offsets is None else values[offsets[row] : offsets[row + 1]]
        crc = zlib.crc32(part.data, crc)
    return crc


def checked_columns(batch: pa.RecordBatch) -> dict[str, Column]:
    """Views of the columns that are checked, by name; those of a struct in a list as `column.field`."""
    return {
        name: column
        for field, array in zip(batch.schema, batch.columns, strict=True)
        for name, column in _views(field.name, array)
    }


def to_metadata(checksums: npt.NDArray[np.uint32]) -> dict[bytes, bytes]:
    """The metadata of the batch; hex, since some readers take metadata for text."""
    return {CHECKSUMS: checksums.astype(">u4").tobytes().hex().encode()}


def from_metadata(metadata: Any) -> npt.NDArray[np.uint32] | None:
    """What `to_metadata` wrote, or None where a batch has no checksums. Raises ValueError where it is damaged."""
    if metadata is None or CHECKSUMS not in metadata:
        return None
    return np.frombuffer(bytes.fromhex(metadata[CHECKSUMS].decode()), ">u4").astype(np.uint32)


def _views(name: str, array: Any) -> Iterator[tuple[str, Column]]:
    if pa.types.is_list(array.type):
        offsets = _numbers(array.offsets)
        if pa.types.is_struct(array.type.value_type):
            for number, field in enumerate(array.type.value_type):
                if _is_number(field.type):
                    yield f"{name}.{field.name}", (offsets, _numbers(array.values.field(number)))
        elif _is_number(array.type.value_type):
            yield name, (offsets, _numbers(array.values))
    elif _is_number(array.type):
        yield name, (None, _numbers(array))


def _is_number(kind: Any) -> bool:
    return bool(pa.types.is_integer(kind))


def _numbers(array: Any) -> Array:
    """A view without regard to nulls, whose slots hold bytes like any other."""
    kind = np.dtype(str(array.type))
    buffer = array.buffers()[1]
    if buffer is None:
        return np.empty(0, kind)
    return np.frombuffer(buffer, kind, count=len(array), offset=array.offset * array.type.byte_width)


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
