"""Writes the records of a corpus as MDS shards, which mosaicml-streaming reads (docs.mosaicml.com/projects/streaming).

The library writes them: it is not a dependency of wikiprep, since it pins old versions of others.
"""

from collections.abc import Iterator
from pathlib import Path
from typing import Any

import numpy as np
import pyarrow as pa

from wikiprep.corpus.shards import open_shard
from wikiprep.errors import UsageError
from wikiprep.files import Store
from wikiprep.runtime.output_folder import must_be_outside, must_be_there
from wikiprep.suggestions import names_hint
from wikiprep.terminal.command_progress import show_progress
from wikiprep.terminal.wording import plural
from wikiprep.verbosity import tell


def convert_to_mds(corpus: str, target: str, compression: str | None = None) -> None:
    """Write the folder `target`, in the order of the corpus.

    Raises UsageError where the library is not installed, for a corpus without records, and for a folder that holds
    anything.
    """
    must_be_there(corpus)
    must_be_outside(target, corpus)
    try:
        from streaming import MDSWriter
    except ModuleNotFoundError as error:
        if (error.name or "").partition(".")[0] != "streaming":
            raise
        raise UsageError("mosaicml-streaming is not installed", "pip install mosaicml-streaming") from error
    if compression is not None:
        _check(compression)
    store, folder = Store(corpus), Path(target)
    shards = [path for path in store.list("records") if path.endswith(".arrow")]
    if not shards:
        raise UsageError(f"{corpus}: no records in it", "build it to its end")
    if folder.is_dir() and any(folder.iterdir()):
        raise UsageError(f"{target}: is not empty", "name a new folder")
    schema = open_shard(store.fetch(shards[0])).schema
    count = 0
    with (
        MDSWriter(out=str(folder), columns=mds_columns(schema), compression=compression, hashes=["sha1"]) as out,
        show_progress() as progress,
        progress.part("records", _count_records(store, shards), "record") as advance,
    ):
        for row in _rows(store, shards):
            out.write({name: as_mds(row[name], schema.field(name).type) for name in schema.names})
            count += 1
            advance(1)
    tell(f"{target}: {plural(count, 'record')} in MDS shards: StreamingDataset(local={target!r})")


def _check(compression: str) -> None:
    from streaming.base.compression import get_compressions, is_compression

    if not is_compression(compression):
        names = sorted({name.partition(":")[0] for name in get_compressions()})
        hint = names_hint("names", compression.partition(":")[0], names)
        raise UsageError(f"--compression {compression}: MDS has no such one, or not at that level", hint)


def mds_columns(schema: pa.Schema) -> dict[str, str]:
    """Column -> MDS encoding.

    Lists of numbers are arrays of their own width, relations JSON; a missing number is -1, a missing string empty,
    since MDS has no null.
    """
    return {field.name: _encoding(field.type) for field in schema}


def _encoding(kind: pa.DataType) -> str:
    if pa.types.is_list(kind):
        return "json" if pa.types.is_struct(kind.value_type) else f"ndarray:{kind.value_type}"
    return "str" if pa.types.is_string(kind) else "int"


def as_mds(value: Any, kind: pa.DataType) -> Any:
    """A value of a row as its encoding takes it."""
    encoding = _encoding(kind)
    if encoding == "str":
        return value or ""
    if encoding == "int":
        return -1 if value is None else value
    return (value or []) if encoding == "json" else np.array(value or [], encoding.partition(":")[2])


def _count_records(store: Store, shards: list[str]) -> int:
    """Batches are mapped: only their headers are read."""
    readers = [open_shard(store.fetch(path)) for path in shards]
    return sum(reader.get_batch(i).num_rows for reader in readers for i in range(reader.num_record_batches))


def _rows(store: Store, shards: list[str]) -> Iterator[dict[str, Any]]:
    for path in sorted(shards):
        reader = open_shard(store.fetch(path))
        for number in range(reader.num_record_batches):
            yield from reader.get_batch(number).to_pylist()
