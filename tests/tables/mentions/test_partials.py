"""Partial counts on disk, and their sum: in order, whatever the threads and the memory; refused when foreign."""

from collections import Counter
from pathlib import Path

import pyarrow as pa
import pytest
from hypothesis import given, settings
from hypothesis import strategies as st

from wikiprep.errors import WikiprepError
from wikiprep.tables.mentions import merge_counts
from wikiprep.tables.mentions.merge_counts import merge_names, read_merged, read_names
from wikiprep.tables.mentions.partials import Partials, PartialWriter
from wikiprep.tables.mentions.schema import MARKS, partial_schema

Row = tuple[str, int, str, int]  # name, number, target, links
NAMES = st.one_of(
    st.sampled_from(["a", "b", "é", "東京", "a b", "B", "𝄞", "\uffff"]),
    st.text(st.characters(exclude_categories=["Cs"]), max_size=3),
)
ROWS = st.lists(
    st.tuples(NAMES, st.sampled_from([(1, "One"), (2, "Two"), (-1, "Red"), (-1, "Dead")]), st.integers(0, 5)).map(
        lambda row: (row[0], *row[1], row[2])
    ),
    max_size=30,
)


def table_of(rows: list[Row]) -> pa.Table:
    names, numbers, targets, links = (list(column) for column in zip(*rows, strict=True)) if rows else ([],) * 4
    one, no = [1] * len(rows), [False] * len(rows)
    columns = [names, numbers, targets, links, one, one, [bool(n % 2) for n in links], no, no]
    arrays = [pa.array(column, field.type) for column, field in zip(columns, partial_schema(), strict=True)]
    return pa.Table.from_arrays(arrays, schema=partial_schema())


def written(path: Path, pieces: list[list[Row]]) -> Path:
    writer = PartialWriter(path)
    for rows in pieces:
        writer.add(table_of(rows))
    writer.close()
    return path


@settings(max_examples=40, deadline=None)
@given(st.lists(st.lists(ROWS, max_size=3), min_size=1, max_size=3), st.sampled_from([1, 7, 1000]))
def test_the_sums_of_all_files_in_order(
    tmp_path_factory: pytest.TempPathFactory, files: list[list[list[Row]]], size: int
) -> None:
    folder = tmp_path_factory.mktemp("merge")
    paths = [written(folder / f"part-{i}", pieces) for i, pieces in enumerate(files)]
    with pytest.MonkeyPatch.context() as patch:
        patch.setattr(merge_counts, "BATCH_ROWS", size)
        counts = merge_names(paths, folder / "names", folder / "spill").counts
    all_rows = [row for pieces in files for rows in pieces for row in rows]
    links, of_name, pages = Counter[tuple[str, int, str]](), Counter[str](), Counter[str]()
    for name, number, target, n in all_rows:
        links[name, number, target] += n
        of_name[name] += n
        pages[name] += 1
    odd = {row[:3] for row in all_rows if row[3] % 2}
    wanted = [
        (*key, n, of_name[key[0]], pages[key[0]], key in odd)
        for key, n in sorted(links.items(), key=lambda item: (item[0][0], -item[1], item[0][2], item[0][1]))
    ]
    found = [row for table in read_merged(folder / "names") for row in table.to_pylist()]
    columns = ("name", "number", "target", "link_count", "name_link_count", "name_link_page_count", "is_title")
    assert [tuple(row[column] for column in columns) for row in found] == wanted
    assert list(read_names(folder / "names")) == sorted(of_name)
    unlinked = counts["mentions.names.unlinked"]
    assert counts["mentions.names"] == len(of_name) == counts["mentions.names.linked"] + unlinked
    assert counts["mentions.names.linked"] == sum(n > 0 for n in of_name.values())
    assert counts["mentions.rows"] == len(wanted) == counts["mentions.rows.linked"] + counts["mentions.rows.unlinked"]
    assert (counts["mentions.rows.links"], counts["also.mentions.rows.is_title"]) == (of_name.total(), len(odd))
    assert counts.keys() >= {f"also.mentions.rows.{mark}" for mark in MARKS}


def test_neither_threads_nor_memory_change_a_byte_of_what_is_added_up(tmp_path: Path) -> None:
    rows = [(f"name {i * 7919 % 60_000}", -1, f"A rather long title of the page {i % 977}", 1) for i in range(200_000)]
    pieces = [rows[start : start + 20_000] for start in range(0, len(rows), 20_000)]
    part = written(tmp_path / "part", pieces)
    made = set()
    for threads, memory_mb in ((1, 1000), (4, 1000), (2, 100)):
        merge_names([part], tmp_path / "names", tmp_path / "spill", memory_mb=memory_mb, threads=threads)
        made.add((tmp_path / "names").read_bytes())
    assert len(made) == 1


def test_too_little_memory_is_an_error_that_says_so(tmp_path: Path) -> None:
    part = written(tmp_path / "part", [[(f"name {i}", -1, f"Page {i}", 1) for i in range(50_000)]])
    with pytest.raises(WikiprepError, match=r"the counts of names cannot be added up: .*[Mm]emory"):
        merge_names([part], tmp_path / "names", tmp_path / "spill", memory_mb=1)


def test_files_of_another_kind_are_refused(tmp_path: Path) -> None:
    path = written(tmp_path / "x", [[("a", 1, "One", 1)]])
    with pytest.raises(WikiprepError, match="are gone"):
        Partials([path, tmp_path / "y"])
    (tmp_path / "cut").write_bytes(path.read_bytes()[:200])
    with pytest.raises(WikiprepError, match="not a whole file"):
        merge_names([path, tmp_path / "cut"], tmp_path / "names", tmp_path / "spill")
    with pa.OSFile(str(tmp_path / "other"), "wb") as sink, pa.ipc.new_file(sink, pa.schema([("a", pa.int8())])):
        pass
    with pytest.raises(WikiprepError, match="not a file of counts of names"):
        Partials([tmp_path / "other"])


def test_a_file_that_is_damaged_within_is_an_error_too(tmp_path: Path) -> None:
    path = written(tmp_path / "x", [[(f"name {i}", 1, f"Page {i * i}", 1) for i in range(3000)]])
    data = bytearray(path.read_bytes())
    middle = len(data) // 2
    data[middle : middle + 400] = bytes(400)
    path.write_bytes(data)
    with pytest.raises(WikiprepError, match="x: damaged"):
        merge_names([path], tmp_path / "names", tmp_path / "spill")
