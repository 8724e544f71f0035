"""Sorted files as one sorted stream: a merge of all partitions by name that holds a few batches of each.

Names of different files are different (a name has one partition), so rows of one name keep the order of their file.
"""

from collections.abc import Iterable, Iterator, Sequence
from pathlib import Path

import pyarrow as pa
import pyarrow.compute as pc

from wikiprep.tables.mentions.merge import BATCH_ROWS, read_merged, starts_of


def in_order(paths: Sequence[str | Path], columns: Sequence[str]) -> Iterator[pa.Table]:
    """The rows of all files by name. A name's rows may be split between two tables, which then follow each other."""
    heads = [_Head(read_merged(path), columns) for path in paths]
    while True:
        heads = [head for head in heads if head.fill()]
        if not heads:
            return
        bound = min(head.last() for head in heads)
        table = pa.concat_tables([head.take(bound) for head in heads]).combine_chunks()
        yield table.take(pc.sort_indices(table["name"]))  # a stable sort


def names_in_order(paths: Sequence[str | Path]) -> Iterator[str]:
    """The distinct names of all files, in code point order."""
    before = None
    for table in in_order(paths, ["name"]):
        for name in table["name"].take(pa.array(starts_of(table["name"]))).to_pylist():
            if name != before:
                yield name
            before = name


class _Head:
    """The rows of one file that wait to be taken."""

    def __init__(self, batches: Iterable[pa.Table], columns: Sequence[str]) -> None:
        self._batches = (batch.select(columns) for batch in batches)
        self._rows: pa.Table | None = None

    def fill(self) -> bool:
        """Read on until BATCH_ROWS rows wait or the file is at its end; whether any wait."""
        while self._rows is None or self._rows.num_rows < BATCH_ROWS:
            more = next(self._batches, None)
            if more is None:
                break
            self._rows = more if self._rows is None else pa.concat_tables([self._rows, more])
        return self._rows is not None and self._rows.num_rows > 0

    def last(self) -> str:
        """The greatest name that waits."""
        assert self._rows is not None
        name: str = self._rows["name"][-1].as_py()
        return name

    def take(self, bound: str) -> pa.Table:
        """The rows up to the name `bound`."""
        assert self._rows is not None
        size = pc.sum(pc.less_equal(self._rows["name"], bound)).as_py()
        taken, self._rows = self._rows.slice(0, size), self._rows.slice(size)
        return taken
