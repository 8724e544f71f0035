"""The table of names: look-ups both ways, what it refuses, what it costs."""

from pathlib import Path

import numpy as np
import pyarrow as pa
import pytest
from hypothesis import given, settings
from hypothesis import strategies as st

from wikiprep.errors import WikiprepError
from wikiprep.tables.mentions import name_hashes
from wikiprep.tables.mentions.name_hashes import NAME, PREFIX, NameHashes, SpanHasher, mix_hashes, write_hashes
from wikiprep.tables.mentions.name_table import NameTable, build_names, name_files
from wikiprep.tables.mentions.normalize import LONGEST, is_name, normal_name
from wikiprep.tables.mentions.tokens import code_points

NAMES = ["New York", "New York City", "C++", "東京", "é", "𐍈", "x" * LONGEST, "a\x01b", "a", "\u0301a"]


def hashes_of(texts: list[str], hasher: SpanHasher) -> np.ndarray:
    """Each text's hash, made at a place of its own."""
    result = []
    for padding, text in enumerate(texts):
        sums = hasher.sums(code_points("x" * padding + text))
        start = np.array([padding])
        result.append(mix_hashes((sums[-1:] - sums[start]) * hasher.inverses(start)))
    return np.concatenate(result)


def test_names_and_ids(tmp_path: Path) -> None:
    assert build_names(tmp_path, iter(sorted(NAMES))) == len(NAMES)
    table = NameTable.open(tmp_path)
    assert len(table) == len(NAMES)
    ids = [table.id(name) for name in NAMES]
    assert sorted(ids) == list(range(len(NAMES)))
    assert [table.name(number) for number in range(len(table))] == table.names(range(len(table)))
    assert table.ids([*NAMES, "New", ""]).tolist() == [*ids, -1, -1]
    assert table.ids([*NAMES, "a\0", "\ud800"]).tolist() == [*ids, -1, -1]
    for absent in ("", "New", "new york", "New York ", "\ud800", "a\0", "a\0b"):
        assert table.id(absent) is None
    for number in (-1, len(NAMES)):
        with pytest.raises(KeyError):
            table.name(number)
    assert table.form(" New\u00a0York") == "New York"


def test_two_tables_in_a_folder(tmp_path: Path) -> None:
    build_names(tmp_path, ["Ab"])
    build_names(tmp_path, ["ab", "ss"], folded=True)
    assert NameTable.open(tmp_path).id("Ab") == 0
    folded = NameTable.open(tmp_path, folded=True)
    assert (folded.id("Ab"), folded.form("ß")) == (None, "ss")


def test_the_same_names_give_the_same_bytes(tmp_path: Path) -> None:
    files = []
    for folder, names in (("one", NAMES), ("two", NAMES[::-1] + NAMES)):
        (tmp_path / folder).mkdir()
        build_names(tmp_path / folder, names)
        files.append([(tmp_path / folder / file).read_bytes() for file in name_files()])
    assert files[0] == files[1]


@pytest.mark.parametrize("name", ["", " a", "a ", "a  b", "a\u00a0b", "a\n", "e\u0301", "a\0"])
def test_other_forms_are_refused(tmp_path: Path, name: str) -> None:
    with pytest.raises(ValueError, match="form of normal_name"):
        build_names(tmp_path, ["a", "b", name])
    with pytest.raises(ValueError, match="form of folded_name"):
        build_names(tmp_path, ["a", "B"], folded=True)


def test_an_empty_table(tmp_path: Path) -> None:
    assert build_names(tmp_path, []) == 0
    table = NameTable.open(tmp_path)
    assert (len(table), table.id("a"), table.ids(["a"]).tolist()) == (0, None, [-1])
    some = np.arange(5, dtype=np.uint64) << np.uint64(60)
    assert table.hashes.ids(some).tolist() == [-1] * 5
    assert not table.hashes.flags(some).any()


def test_missing_and_damaged_files_are_named(tmp_path: Path) -> None:
    with pytest.raises(WikiprepError, match="no such table"):
        NameTable.open(tmp_path)
    build_names(tmp_path, ["a"])
    path = tmp_path / name_files()[1]
    whole = path.read_bytes()
    for content in (whole[:100], b"", b"ARROW1\0\0" + b"x" * 100):
        path.write_bytes(content)
        with pytest.raises(WikiprepError, match=path.name):
            NameTable.open(tmp_path)
    path.unlink()
    with pytest.raises(WikiprepError, match="no such table"):
        NameTable.open(tmp_path)


def test_opening_copies_nothing(tmp_path: Path) -> None:
    build_names(tmp_path, [f"name {i}" for i in range(10_000)])
    before = pa.total_allocated_bytes()
    table = NameTable.open(tmp_path)
    assert pa.total_allocated_bytes() == before
    fields = vars(table.hashes).values()
    arrays = [field for field in fields if isinstance(field, np.ndarray)]
    assert len(arrays) == 4
    assert not any(array.flags.owndata or array.flags.writeable for array in arrays)


@settings(deadline=None)
@given(st.sets(st.text(st.characters(exclude_categories=["Cs"]), max_size=8).map(normal_name).filter(is_name)))
def test_hashes_know_every_name_and_every_beginning(tmp_path_factory: pytest.TempPathFactory, names: set[str]) -> None:
    order = sorted(names)
    path = tmp_path_factory.mktemp("hashes") / "h"
    write_hashes(path, len(order), lambda: iter([order[:3], order[3:]] if len(order) > 3 else [order]))
    table = NameHashes.open(path)
    if order:
        found = hashes_of(order, table.hasher)
        assert table.ids(found).tolist() == list(range(len(order)))
        assert np.all(table.flags(found) & NAME)
    beginnings = [name.split(" ")[0] for name in order if " " in name]
    if beginnings:
        assert np.all(table.flags(hashes_of(beginnings, table.hasher)) & PREFIX)


def test_most_other_spans_are_filtered_and_none_is_a_name(tmp_path: Path) -> None:
    build_names(tmp_path, [f"{i} {i * i}" for i in range(3000)])
    table = NameTable.open(tmp_path).hashes
    others = hashes_of([f"x{i}" for i in range(1000)], table.hasher)
    assert np.count_nonzero(table.flags(others)) < 400
    assert np.all(table.ids(others) == -1)


def test_names_of_equal_hash_make_another_seed(tmp_path: Path, monkeypatch: pytest.MonkeyPatch) -> None:
    real = name_hashes._hashes_of

    def equal_at_first(names: list[str], hasher: SpanHasher) -> tuple[np.ndarray, np.ndarray, int]:
        found, *rest = real(names, hasher)
        if hasher._base == SpanHasher(0)._base:
            found[:] = found[0]
        return found, *rest

    monkeypatch.setattr(name_hashes, "_hashes_of", equal_at_first)
    build_names(tmp_path, NAMES)
    table = NameTable.open(tmp_path)
    assert table.hashes.hasher._base == SpanHasher(1)._base
    assert [table.name(i) for i in table.hashes.ids(hashes_of(NAMES, table.hashes.hasher)).tolist()] == NAMES
    monkeypatch.setattr(name_hashes, "_SEEDS", 1)
    with pytest.raises(WikiprepError, match="equal hashes"):
        build_names(tmp_path, NAMES)
