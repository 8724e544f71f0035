"""What opening a corpus must know of a shard: schema, rows of its batches, page ids, its longest record.

Some 10 bytes a record, found by one pass over batch headers, page ids and list offsets. Of a shard that lies at an
address it is kept beside the cached ones, so that it is fetched for this once, by whichever process comes first.
"""

import zlib
from collections.abc import Callable
from dataclasses import dataclass
from pathlib import Path
from typing import Any
from zipfile import BadZipFile

import numpy as np
import numpy.typing as npt
import pyarrow as pa
import pyarrow.compute as pc

from wikiprep.corpus.schema import record_schema
from wikiprep.corpus.shards import open_shard
from wikiprep.errors import WikiprepError
from wikiprep.files import whole_path
from wikiprep.records.held_out import HeldOutPart, part_of

_DAMAGED = "the corpus is damaged: copy it again, or build it anew"


@dataclass(frozen=True, eq=False)
class ShardIndex:
    """`pages`: the page id of each row (a hash of the title where it has none).

    `longest`: row, and its tokens; of a shard without rows -1 and -1. `part`: where pairs of entities are set apart,
    which rows that makes.
    """

    schema: pa.Schema
    batches: tuple[int, ...]
    pages: npt.NDArray[np.int64]
    longest: tuple[int, int]
    part: HeldOutPart | None = None


def index_of(
    path: Path, where: str, share: float | None, check: Callable[[pa.Schema], None], hint: str = _DAMAGED
) -> ShardIndex:
    """Of a shard on disk.

    `share`: of the pairs to be set apart; `check` raises WikiprepError for a schema that is not as asked. Raises
    WikiprepError (`where`, `hint`) where it is no whole shard.
    """
    reader = open_shard(path)
    for field in record_schema():
        if reader.schema.get_field_index(field.name) < 0 or reader.schema.field(field.name).type != field.type:
            raise WikiprepError(f"{where}: its schema lacks the column {field.name} ({field.type})", hint)
    check(reader.schema)
    pages, lengths, parts = [np.zeros(0, np.int64)], [np.zeros(0, np.int64)], list[HeldOutPart]()
    for number in range(reader.num_record_batches):
        try:
            batch = reader.get_batch(number)
            pages.append(_page_ids(batch))
            lengths.append(np.diff(batch.column("word_ids").offsets.to_numpy()))
            parts += [] if share is None else [part_of(batch, share)]
        except (pa.ArrowException, OSError, ValueError, IndexError) as error:
            raise WikiprepError(f"{where}: batch {number}: cannot be read ({error})", hint) from error
    tokens = np.concatenate(lengths)
    longest = (int(np.argmax(tokens)), int(tokens.max())) if len(tokens) else (-1, -1)
    batches = tuple(len(of_batch) for of_batch in pages[1:])
    return ShardIndex(
        reader.schema, batches, np.concatenate(pages), longest, None if share is None else _join_parts(parts)
    )


def write_index(index: ShardIndex, path: Path) -> None:
    """For `read_index`. The file is there when it is whole."""
    arrays: dict[str, Any] = {
        "schema": np.frombuffer(index.schema.serialize(), np.uint8),
        "batches": np.array(index.batches, np.int64),
        "pages": index.pages,
        "longest": np.array(index.longest, np.int64),
    }
    if (part := index.part) is not None:
        counts = np.array([part.relations, part.left_out], np.int64)
        arrays |= {"held": part.is_held_out, "keys": part.keys, "counts": counts}
    with whole_path(path) as temporary_path, temporary_path.open("wb") as file:
        np.savez(file, **arrays)


def read_index(path: Path) -> ShardIndex | None:
    """What `write_index` wrote; None where there is nothing that can be read, as of another version."""
    try:
        with path.open("rb") as file, np.load(file) as arrays:
            part = None
            if "held" in arrays:
                part = HeldOutPart(arrays["held"], arrays["keys"], *arrays["counts"].tolist())
            schema = pa.ipc.read_schema(pa.py_buffer(arrays["schema"].tobytes()))
            row, tokens = arrays["longest"].tolist()
            return ShardIndex(schema, tuple(arrays["batches"].tolist()), arrays["pages"], (row, tokens), part)
    except (OSError, ValueError, KeyError, EOFError, BadZipFile, pa.ArrowException):
        return None


def _join_parts(parts: list[HeldOutPart]) -> HeldOutPart:
    return HeldOutPart(
        np.concatenate([np.zeros(0, np.bool_), *(part.is_held_out for part in parts)]),
        np.unique(np.concatenate([np.zeros(0, np.int64), *(part.keys for part in parts)])),
        sum(part.relations for part in parts),
        sum(part.left_out for part in parts),
    )


def _page_ids(batch: pa.RecordBatch) -> npt.NDArray[np.int64]:
    column = batch.column("page_id")
    if not column.null_count:
        ids: npt.NDArray[np.int64] = column.to_numpy()
        return ids
    titles = [-1 - zlib.crc32(title.encode()) for title in batch.column("title").to_pylist()]
    page_ids: npt.NDArray[np.int64] = pc.coalesce(column, pa.array(titles, pa.int64())).to_numpy()
    return page_ids
