"""Partitions merged by name: all rows, in order, whatever the sizes of files and batches."""

from pathlib import Path

import pyarrow as pa
import pytest
from hypothesis import given, settings
from hypothesis import strategies as st

from wikiprep.tables.mentions import in_order as module
from wikiprep.tables.mentions.in_order import in_order, names_in_order
from wikiprep.tables.mentions.partials import partition_of

NAMES = st.lists(st.text(st.characters(exclude_categories=["Cs"]), max_size=3), max_size=60)
SCHEMA = pa.schema([("name", pa.string()), ("place", pa.int64())])


def write(path: Path, rows: list[tuple[str, int]], size: int) -> Path:
    table = pa.Table.from_pylist([{"name": name, "place": place} for name, place in rows], schema=SCHEMA)
    with pa.OSFile(str(path), "wb") as sink, pa.ipc.new_file(sink, SCHEMA) as writer:
        writer.write_table(table, max_chunksize=size)
    return path


@settings(max_examples=80, deadline=None)
@given(NAMES, st.integers(1, 5), st.integers(1, 7), st.sampled_from([1, 3, 100]))
def test_every_row_comes_in_order_of_name_then_of_its_file(
    tmp_path_factory: pytest.TempPathFactory, names: list[str], partitions: int, size: int, waiting: int
) -> None:
    folder = tmp_path_factory.mktemp("order")
    rows = [(name, place) for place, name in enumerate(sorted(names))]
    files = [
        write(folder / str(i), [row for row in rows if partition_of(row[0], partitions) == i], size)
        for i in range(partitions)
    ]
    with pytest.MonkeyPatch.context() as patch:
        patch.setattr(module, "BATCH_ROWS", waiting)
        found = [(r["name"], r["place"]) for t in in_order(files, ["name", "place"]) for r in t.to_pylist()]
        assert found == rows
        assert list(names_in_order(files)) == sorted(set(names))
