"""Partial counts on disk: split by a stable hash, summed whenever too much is held, refused when foreign."""

from collections import Counter
from pathlib import Path

import pyarrow as pa
import pytest
from hypothesis import given, settings
from hypothesis import strategies as st

from wikiprep.errors import WikiprepError
from wikiprep.tables.mentions import partials
from wikiprep.tables.mentions.partials import PartialWriter, partition_of, read_partition
from wikiprep.tables.mentions.schema import partial_schema

Row = tuple[str, int | None, str | None, int]
ROWS = st.lists(
    st.tuples(
        st.sampled_from(["a", "b", "é", "東京", "a b"]),
        st.sampled_from([(1, None), (2, None), (None, "Red"), (None, "Dead")]),
        st.integers(1, 5),
    ).map(lambda row: (row[0], *row[1], row[2])),
    max_size=30,
)


def table_of(rows: list[Row]) -> pa.Table:
    names, numbers, titles, links = (list(column) for column in zip(*rows, strict=True)) if rows else ([],) * 4
    no = [False] * len(rows)
    columns = [names, numbers, titles, links, [1] * len(rows), [1] * len(rows), [bool(n % 2) for n in links], no, no]
    arrays = [pa.array(column, field.type) for column, field in zip(columns, partial_schema(), strict=True)]
    return pa.Table.from_arrays(arrays, schema=partial_schema())


def written(path: Path, pieces: list[list[Row]], partitions: int) -> Path:
    writer = PartialWriter(path, partitions)
    for rows in pieces:
        writer.add(table_of(rows))
    writer.close()
    return path


@settings(max_examples=40, deadline=None)
@given(st.lists(ROWS, max_size=5), st.integers(1, 4), st.sampled_from([1, 7, 1000]))
def test_all_rows_come_back_from_their_partition(
    tmp_path_factory: pytest.TempPathFactory, pieces: list[list[Row]], partitions: int, held: int
) -> None:
    with pytest.MonkeyPatch.context() as patch:
        patch.setattr(partials, "HELD_ROWS", held)
        path = written(tmp_path_factory.mktemp("partials") / "x.arrow", pieces, partitions)
    wanted, found = Counter[tuple[object, ...]](), Counter[tuple[object, ...]]()
    for name, number, title, links in (row for rows in pieces for row in rows):
        wanted[name, number, title] += links
    for index in range(partitions):
        for table in read_partition(path, index, partitions):
            keys = [(row["name"], row["number"], row["title"]) for row in table.to_pylist()]
            assert len(set(keys)) == len(keys)
            assert [key[0] for key in keys] == sorted(key[0] for key in keys)
            for key, row in zip(keys, table.to_pylist(), strict=True):
                assert partition_of(row["name"], partitions) == index
                found[key] += row["link_count"]
    assert found == wanted


def test_a_mark_stays_once_it_is_set(tmp_path: Path) -> None:
    path = written(tmp_path / "x", [[("a", 1, None, 1), ("a", 1, None, 2), ("b", 1, None, 2)]], 1)
    (table,) = read_partition(path, 0, 1)
    assert [(r["name"], r["link_count"], r["is_title"]) for r in table.to_pylist()] == [("a", 3, True), ("b", 2, False)]


def test_the_partition_of_a_name_never_changes() -> None:
    assert [partition_of(name, 64) for name in ("Washington", "東京", "")] == [46, 47, 0]  # CRC-32


def test_files_of_another_kind_are_refused(tmp_path: Path) -> None:
    path = written(tmp_path / "x", [[("a", 1, None, 1)]], 2)
    with pytest.raises(WikiprepError, match="another number of partitions"):
        list(read_partition(path, 0, 4))
    with pytest.raises(WikiprepError, match="are gone"):
        list(read_partition(tmp_path / "y", 0, 2))
    (tmp_path / "cut").write_bytes(path.read_bytes()[:200])
    with pytest.raises(WikiprepError, match="not a whole file"):
        list(read_partition(tmp_path / "cut", 0, 2))
    with pa.OSFile(str(tmp_path / "other"), "wb") as sink, pa.ipc.new_file(sink, pa.schema([("a", pa.int8())])):
        pass
    with pytest.raises(WikiprepError, match="not a file of counts of names"):
        list(read_partition(tmp_path / "other", 0, 2))
