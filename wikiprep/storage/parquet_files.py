"""Parquet files: read whole, where damage is one line that names the file; written in row groups, by rows alone."""

import os
from pathlib import Path
from typing import Any

import pyarrow as pa
import pyarrow.parquet as pq

from wikiprep.errors import WikiprepError
from wikiprep.files import Store

_HINT = "copy it again; or, where it was built, remove it and give the build's command again: it makes it anew"


def read_parquet(store: Store, rel: str, columns: list[str] | None = None, filters: Any = None) -> pa.Table:
    """The rows of the file `rel` of an output. Raises WikiprepError where it is missing, cut or without a column."""
    place = f"{store.url}/{rel}"
    try:
        table = pq.read_table(store.fetch(rel), columns=columns, filters=filters)
    except FileNotFoundError as error:
        raise WikiprepError(f"{place}: no such file", _HINT) from error
    except (pa.ArrowInvalid, OSError) as error:
        if isinstance(error, OSError) and error.errno:  # the disk's; damage in the middle of a file has no number
            reason = os.strerror(error.errno)
            raise WikiprepError(f"{place}: cannot be read ({reason})", "check its permissions and the disk") from error
        raise WikiprepError(f"{place}: not a whole Parquet file", _HINT) from error
    if missing := [name for name in columns or () if name not in table.column_names]:
        raise WikiprepError(f"{place}: has no column {', '.join(missing)}", _HINT)
    return table


ROWS = 1 << 17


class RowGroupWriter:
    """Collects tables and writes row groups of exactly `rows` rows, the last one smaller."""

    def __init__(self, path: Path, schema: pa.Schema, *, dictionary: tuple[str, ...] = (), rows: int = ROWS) -> None:
        self._schema = schema
        self._rows = rows
        self._waiting: list[pa.Table] = []
        self._count = 0
        self._writer = pq.ParquetWriter(
            str(path),
            schema,
            version="2.6",
            compression="zstd",
            compression_level=3,
            use_dictionary=list(dictionary),
        )

    def add(self, table: pa.Table) -> None:
        """Takes rows of the file's schema, in their final order."""
        self._waiting.append(table.cast(self._schema))
        self._count += table.num_rows
        if self._count >= self._rows:
            self._flush(whole=False)

    def close(self) -> None:
        """Writes what is left and the footer."""
        self._flush(whole=True)
        self._writer.close()

    def _flush(self, *, whole: bool) -> None:
        if not self._count:
            return
        table = pa.concat_tables(self._waiting)
        start = 0
        while table.num_rows - start >= self._rows or (whole and start < table.num_rows):
            # One chunk a group: pages of the file are cut within chunks, so chunks would show in the bytes.
            piece = table.slice(start, self._rows).combine_chunks()
            self._writer.write_table(piece, row_group_size=self._rows)
            start += piece.num_rows
        self._waiting = [table.slice(start)]
        self._count = table.num_rows - start
