"""Tables that are written once and memory-mapped by every process, without a private copy: arrays and tries.

Arrays are numpy's in uncompressed Arrow IPC files: one row costs microseconds, where a Parquet row group costs 100 ms
(design, "Numbers to keep in mind"). Marisa tries go from title to number: the same titles give the same bytes, whatever
their order. One trie, not marisa's default of three nested ones: on two million titles a look-up took 1.7 us against
3.3 and the way back 0.7 against 1.9, for a file of 11 bytes a title against 6. Building peaks at about 112 bytes a
title.
"""

from collections.abc import Iterable
from pathlib import Path
from typing import Any

import marisa_trie
import numpy as np
import numpy.typing as npt
import pyarrow as pa

from wikiprep.errors import UsageError, WikiprepError, no_folder

Array = npt.NDArray[Any]


def write_arrays(path: Path, arrays: dict[str, Array], metadata: dict[bytes, bytes] | None = None) -> None:
    """One record batch whose columns are `arrays`, all of one length, without nulls; `metadata` is the schema's."""
    batch = pa.RecordBatch.from_arrays([pa.array(np.ascontiguousarray(a)) for a in arrays.values()], list(arrays))
    batch = batch.replace_schema_metadata(metadata)
    with pa.OSFile(str(path), "wb") as sink, pa.ipc.new_file(sink, batch.schema) as writer:
        writer.write_batch(batch)


def absent_table_error(path: Path, hint: str) -> WikiprepError:
    """Of a table CORPUS/tables/NAME that is not there: is the corpus itself?"""
    corpus = path.parent.parent
    if not corpus.is_dir():
        return no_folder(str(corpus))
    return UsageError(f"{path}: no such table", hint)


def open_arrays(path: Path, columns: tuple[str, ...]) -> tuple[Array, ...]:
    """The columns as read-only views of the mapped file. Raises WikiprepError for a missing or foreign file."""
    try:
        with pa.ipc.open_file(pa.memory_map(str(path))) as reader:
            table = reader.read_all()
        return tuple([_view(table.column(name)) for name in columns])
    except FileNotFoundError as error:
        raise absent_table_error(path, "run `wikiprep tables` first") from error
    except (pa.ArrowInvalid, KeyError) as error:
        raise WikiprepError(
            f"{path}: not a table of this kind ({error})", "remove it and its receipt, and run the build again"
        ) from error


def metadata_of(path: Path) -> dict[bytes, bytes]:
    """The metadata that `write_arrays` was given, of a file that `open_arrays` opens."""
    with pa.ipc.open_file(pa.memory_map(str(path))) as reader:
        metadata: dict[bytes, bytes] = reader.schema.metadata or {}
    return metadata


def open_partial(path: str | Path, schema: pa.Schema, what: str, *, mapped: bool = False) -> pa.RecordBatchFileReader:
    """A reader of one unit's partial file, which holds `what` ("link counts"). `mapped`: its batches are views.

    Raises WikiprepError for a file that is gone, not whole, or of another schema.
    """
    try:
        reader = pa.ipc.open_file(pa.memory_map(str(path)) if mapped else pa.OSFile(str(path)))
    except FileNotFoundError as error:
        raise WikiprepError(f"{path}: {what} of a part are gone", "run the build again") from error
    except pa.ArrowInvalid as error:
        raise WikiprepError(f"{path}: not a whole file of {what} ({error})", "run the build again") from error
    if not reader.schema.equals(schema):
        raise WikiprepError(f"{path}: not a file of {what}", "run the build again")
    return reader


def _view(column: pa.ChunkedArray) -> Array:
    chunk = column.chunk(0) if column.num_chunks else pa.array([], column.type)
    view: Array = chunk.to_numpy(zero_copy_only=len(chunk) > 0)
    return view


def build_trie(titles: Iterable[str], path: Path) -> int:
    """Write a trie of the distinct `titles`; returns how many there are."""
    trie = marisa_trie.Trie(titles, num_tries=1)
    trie.save(str(path))
    return len(trie)


def open_trie(path: Path) -> marisa_trie.Trie:
    """The trie, memory-mapped: pages are shared by all processes. Raises WikiprepError if it cannot be read."""
    try:
        return marisa_trie.Trie().mmap(str(path))
    except RuntimeError as error:
        if not path.exists():
            raise absent_table_error(path, "run `wikiprep tables` first") from error
        raise WikiprepError(
            f"{path}: not a whole trie ({error})", "remove it and its receipt, and run the build again"
        ) from error
