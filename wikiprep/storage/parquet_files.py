"""Reads a whole Parquet file of a corpus for showing it: damage is one line that names the file."""

import os
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
