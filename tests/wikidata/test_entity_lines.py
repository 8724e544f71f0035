"""Every line of a Wikidata dump comes from exactly one range, whatever the grid, and with its own number and offset."""

import random
from itertools import pairwise
from pathlib import Path

import pytest
from entity_dumps import array, item, packed, read
from hypothesis import HealthCheck, given, settings
from hypothesis import strategies as st

from wikiprep.dump.pages import LostRange
from wikiprep.dump.ranges import Range
from wikiprep.errors import WikiprepError
from wikiprep.wikidata.json_dump_files import find_files
from wikiprep.wikidata.lines import Line, LineReader, UnusableLine

RNG = random.Random(5)
ITEMS = [
    item(i, title=f"T{i}", filler="".join(RNG.choices("abcdefghijk", k=900 + 30000 * (i % 17 == 0))))
    for i in range(1, 150)
]
WHOLE = array(ITEMS)
KINDS = ["plain", "bz2", "multi", "gz", "xz", "zst"]


def lines_of(data: bytes) -> list[Line]:
    """The plain way: split at line breaks."""
    found, at = [], 0
    for number, line in enumerate(data.split(b"\n"), 1):
        if line.strip(b" \t\r[],"):
            found.append(Line(number, at, line))
        at += len(line) + 1
    return found


@pytest.fixture(scope="module")
def files(tmp_path_factory: pytest.TempPathFactory) -> dict[str, Path]:
    folder = tmp_path_factory.mktemp("entities")
    made = {kind: folder / f"{kind}.json" for kind in KINDS}
    for kind, path in made.items():
        path.write_bytes(packed(WHOLE, kind))
    return made


@pytest.mark.parametrize("kind", KINDS)
@given(step=st.one_of(st.integers(1024, 9000), st.integers(9000, 200_000)))
@settings(max_examples=8, deadline=None, suppress_health_check=[HealthCheck.function_scoped_fixture])
def test_every_line_is_in_exactly_one_range(files: dict[str, Path], kind: str, step: int) -> None:
    assert read(files[kind], step) == lines_of(WHOLE)


@pytest.mark.parametrize("kind", ["plain", "bz2", "multi"])
@given(cuts=st.lists(st.integers(1, 500_000), min_size=1, max_size=6))
@settings(max_examples=12, deadline=None, suppress_health_check=[HealthCheck.function_scoped_fixture])
def test_a_grid_with_cuts_anywhere_gives_the_same(files: dict[str, Path], kind: str, cuts: list[int]) -> None:
    (file,) = find_files(str(files[kind]))
    edges = sorted({0, file.size, *(c for c in cuts if c < file.size)})
    ranges = [Range(file.path, file.compression, a, b, file.size) for a, b in pairwise(edges)]
    found = [line.data for r in ranges for line in LineReader(r) if line.data.strip(b"[],")]
    assert found == [line.data for line in lines_of(WHOLE)]


@given(st.binary(max_size=60).map(lambda b: b.replace(b"\x1f", b"\n").replace(b"[", b"(")), st.integers(1, 59))
@settings(max_examples=120, deadline=None)
def test_any_bytes_cut_anywhere(tmp_path_factory: pytest.TempPathFactory, data: bytes, cut: int) -> None:
    data = b"{" + data  # so that it is taken for JSON, and for neither UTF-16 nor a compression
    path = tmp_path_factory.mktemp("any") / "any.json"
    path.write_bytes(data)
    edges = sorted({0, min(cut, len(data)), len(data)})
    ranges = [Range(str(path), "plain", a, b, len(data)) for a, b in pairwise(edges)]
    found = [line.data for r in ranges for line in LineReader(r)]
    assert found == data.removesuffix(b"\n").split(b"\n") if data.endswith(b"\n") else data.split(b"\n")


def test_byte_order_mark_and_windows_line_ends(tmp_path: Path) -> None:
    path = tmp_path / "bom.json"
    path.write_bytes(b"\xef\xbb\xbf" + b"{}\r\n{}\r\n")
    assert read(path) == [Line(1, 3, b"{}\r"), Line(2, 7, b"{}\r")]


def test_utf16_is_read_whole(tmp_path: Path) -> None:
    path = tmp_path / "wide.json"
    path.write_bytes(WHOLE.decode().encode("utf-16"))
    assert [line.data for line in read(path, 4096)] == [line.data for line in lines_of(WHOLE)]


@pytest.mark.parametrize("kind", ["plain", "bz2"])
def test_a_line_over_the_limit_is_one_bad_line(tmp_path: Path, kind: str) -> None:
    data = b'{"id":1}\n{"id":"' + b"x" * 30_000_000 + b'"}\n{"id":3}\n'
    path = tmp_path / "long.json"
    path.write_bytes(packed(data, kind))
    for step in (1 << 30, 4096):
        first, long, third = read(path, step)
        assert (first, third) == (Line(1, 0, b'{"id":1}'), Line(3, len(data) - 9, b'{"id":3}'))
        assert isinstance(long, UnusableLine)
        assert (long.number, long.offset, long.reason) == (2, 9, "line too long")
        assert "30,000,009 bytes" in long.detail


def test_a_damaged_block_costs_the_lines_in_it_alone(tmp_path: Path, files: dict[str, Path]) -> None:
    data = bytearray(files["bz2"].read_bytes())
    middle = len(data) // 2
    data[middle] ^= 0xFF
    path = tmp_path / "damaged.json.bz2"
    path.write_bytes(data)
    with pytest.raises(WikiprepError, match="damaged bz2 block at byte"):
        read(path)
    for step in (1 << 30, 3000, 20_000):
        found = read(path, step, keep_damaged=True)
        lost = [x for x in found if isinstance(x, LostRange)]
        good = [x.data for x in found if isinstance(x, Line)]
        whole = [line.data for line in lines_of(WHOLE)]
        assert lost and good
        assert set(good) < set(whole)
        assert good == [line for line in whole if line in set(good)]
        assert all(x.reason == "damaged file" for x in found if isinstance(x, UnusableLine))


@pytest.mark.parametrize("kind", ["bz2", "gz", "xz", "zst"])
def test_a_cut_file_is_an_error_that_names_it(tmp_path: Path, files: dict[str, Path], kind: str) -> None:
    data = files[kind].read_bytes()
    path = tmp_path / "cut.json"
    path.write_bytes(data[: len(data) * 2 // 3])
    with pytest.raises(WikiprepError, match=r"cut\.json: "):
        read(path, 5000)
    kept = read(path, 5000, keep_damaged=True)
    assert any(isinstance(x, LostRange) for x in kept)


@pytest.mark.parametrize("end", [len(WHOLE) - 3, WHOLE.rindex(b"{") - 1, WHOLE.rindex(b"{") + 50])
@pytest.mark.parametrize("step", [1 << 30, 1024, 4096])
def test_an_array_without_an_end_was_cut(tmp_path: Path, end: int, step: int) -> None:
    path = tmp_path / "cut.json"
    path.write_bytes(WHOLE[:end])
    with pytest.raises(WikiprepError, match="ends without the array's closing"):
        read(path, step)
    assert isinstance(read(path, step, keep_damaged=True)[-1], LostRange)


@pytest.mark.parametrize(
    ("content", "what"),
    [
        (b"", "is empty"),
        (b"<!DOCTYPE html><html></html>", "HTML page"),
        (b"<mediawiki/>", "is XML"),
        (b"-- MySQL dump", "SQL dump"),
        (b"hello", "not JSON"),
        (b"BZh9broken", "damaged bz2"),
    ],
)
def test_what_is_no_dump_of_entities_is_named(tmp_path: Path, content: bytes, what: str) -> None:
    path = tmp_path / "latest-all.json.bz2"
    path.write_bytes(content)
    with pytest.raises(WikiprepError, match=what):
        find_files(str(path))


def test_folders_and_patterns(tmp_path: Path) -> None:
    for name in ("b.json", "a.json.gz", "c.txt"):
        (tmp_path / name).write_bytes(b"{}\n")
    assert [Path(f.path).name for f in find_files(str(tmp_path))] == ["a.json.gz", "b.json"]
    assert [Path(f.path).name for f in find_files(str(tmp_path / "*.json"))] == ["b.json"]
    (tmp_path / "a.json.bz2").write_bytes(b"{}\n")
    with pytest.raises(WikiprepError, match=r"a\.json\.bz2 and .*a\.json\.gz are one file"):
        find_files(str(tmp_path))
    with pytest.raises(WikiprepError, match="matches no file"):
        find_files(str(tmp_path / "*.zst"))
