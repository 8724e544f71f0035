"""Vectors on disk while they are made: `.npy` with its index beside it, or `.arrow` with the index as columns.

`.npy`: float32 [n, D], as `numpy.load(..., mmap_mode="r")` maps it; `NAME.index.jsonl` has a line for each row.
`.arrow`: an IPC file of the index's columns and `vector`, a fixed-size list of float32. Neither is held in memory, and
a file has its name only when it is whole.
"""

from collections.abc import Iterator
from contextlib import ExitStack, contextmanager
from dataclasses import dataclass, field
from pathlib import Path
from typing import IO, Any, Protocol

import numpy as np
import numpy.typing as npt
import orjson
import pyarrow as pa

from wikiprep.errors import UsageError
from wikiprep.files import whole_file

Floats = npt.NDArray[np.float32]

_TYPES = {"line": pa.int64(), "start": pa.int32(), "end": pa.int32()}
_TYPES |= {name: pa.string() for name in ("text", "title", "target", "entity", "found")}
_TYPES |= {"head": pa.int32(), "tail": pa.int32()}
for _side in ("head", "tail"):
    _TYPES |= {f"{_side}_start": pa.int32(), f"{_side}_end": pa.int32(), f"{_side}_text": pa.string()}


@dataclass(frozen=True)
class Index:
    """What rows are of: of a line of the input the characters [start, end) and their text, or an entity's title.

    Of mentions too: `target` as the text gives it, `entity` that the model saw, by what it was `found`
    (`linked.SeenMention`).
    Of pairs: numbers of `head` and `tail` as the line counts its mentions, and their characters and texts.
    """

    line: list[int] = field(default_factory=list)
    start: list[int] = field(default_factory=list)
    end: list[int] = field(default_factory=list)
    text: list[str] = field(default_factory=list)
    title: list[str] = field(default_factory=list)
    target: list[str | None] = field(default_factory=list)
    entity: list[str] = field(default_factory=list)
    found: list[str] = field(default_factory=list)
    head: list[int] = field(default_factory=list)
    tail: list[int] = field(default_factory=list)
    head_start: list[int] = field(default_factory=list)
    head_end: list[int] = field(default_factory=list)
    head_text: list[str] = field(default_factory=list)
    tail_start: list[int] = field(default_factory=list)
    tail_end: list[int] = field(default_factory=list)
    tail_text: list[str] = field(default_factory=list)

    def columns(self) -> dict[str, list[Any]]:
        """Those that are there."""
        return {name: values for name in _TYPES if (values := getattr(self, name))}


class VectorWriter(Protocol):
    """A file that grows by rows."""

    count: int
    size: int

    def write(self, index: Index, rows: Floats) -> None:
        """Add [n, D] with an index of n."""
        ...


@contextmanager
def vector_writer(path: Path) -> Iterator[VectorWriter]:
    """A writer by the suffix of `path`; raises UsageError for another. An exception within leaves no file."""
    if path.suffix not in (".npy", ".arrow"):
        raise UsageError(f"{path}: vectors are written as .npy or .arrow", "give --output such a name")
    with ExitStack() as stack:
        file = stack.enter_context(whole_file(path))
        if path.suffix == ".arrow":
            arrow = _Arrow(file)
            yield arrow
            arrow.close()
        else:
            index = stack.enter_context(whole_file(path.with_suffix(".index.jsonl")))
            npy = _Npy(file, index)
            yield npy
            npy.close()


class _Npy:
    def __init__(self, file: IO[bytes], index: IO[bytes]) -> None:
        self.count = self.size = 0
        self._file, self._index = file, index

    def write(self, index: Index, rows: Floats) -> None:
        if not len(rows):
            return
        if not self.size:
            self.size = rows.shape[1]
            self._write_header()
        self._file.write(np.ascontiguousarray(rows, "<f4").data)
        columns = index.columns()
        for values in zip(*columns.values(), strict=True):
            self._index.write(orjson.dumps(dict(zip(columns, values, strict=True)), option=orjson.OPT_APPEND_NEWLINE))
        self.count += len(rows)

    def close(self) -> None:
        """The header anew, with the number of rows: numpy leaves room for it."""
        self._file.seek(0)
        self._write_header()
        self._file.seek(0, 2)

    def _write_header(self) -> None:
        header = {"descr": "<f4", "fortran_order": False, "shape": (self.count, self.size)}
        np.lib.format.write_array_header_1_0(self._file, header)


class _Arrow:
    def __init__(self, file: IO[bytes]) -> None:
        self.count = self.size = 0
        self._file = file
        self._writer: Any = None

    def write(self, index: Index, rows: Floats) -> None:
        if not len(rows):
            return
        columns = index.columns()
        arrays = {name: pa.array(values, _TYPES[name]) for name, values in columns.items()}
        flat = pa.array(np.ascontiguousarray(rows, np.float32).reshape(-1))
        arrays["vector"] = pa.FixedSizeListArray.from_arrays(flat, rows.shape[1])
        batch = pa.RecordBatch.from_pydict(arrays)
        if self._writer is None:
            self.size = rows.shape[1]
            self._writer = pa.ipc.new_file(self._file, batch.schema)
        self._writer.write_batch(batch)
        self.count += len(rows)

    def close(self) -> None:
        if self._writer is not None:
            self._writer.close()
