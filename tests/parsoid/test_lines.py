"""The lines of snapshots: archives and single files, packed or not, with what cannot be read told by its place."""

import bz2
import gzip
import io
import lzma
import tarfile
from collections.abc import Callable
from pathlib import Path

import pytest
import zstandard

import wikiprep.parsoid.lines as lines_of
from wikiprep.parsoid.lines import Block, blocks_of

from .made import tar_gz

MEMBERS = {"enwiki_0.ndjson": b'{"a":1}\n\n{"b":2}\n', "d/enwiki_1.ndjson": b'\xef\xbb\xbf{"c":3}'}
NUMBERED = [("enwiki_0.ndjson", 1, b'{"a":1}'), ("enwiki_0.ndjson", 3, b'{"b":2}'), ("enwiki_1.ndjson", 1, b'{"c":3}')]


def numbered(blocks: list[Block]) -> list[tuple[str, int, bytes]]:
    return [
        (block.name, number, line)
        for block in blocks
        if block.what == "lines"
        for number, line in enumerate(block.data.split(b"\n"), block.line)
        if line
    ]


@pytest.mark.parametrize(
    "pack", [bytes, gzip.compress, bz2.compress, lzma.compress, zstandard.ZstdCompressor().compress]
)
def test_an_archive_in_any_packing(tmp_path: Path, pack: Callable[[bytes], bytes]) -> None:
    path = tar_gz(tmp_path / "a.tar.gz", MEMBERS | {"readme.txt": b"no lines\n"})
    path.write_bytes(pack(gzip.decompress(path.read_bytes())))
    assert numbered(list(blocks_of(str(path), path.name))) == NUMBERED


def test_a_file_of_lines(tmp_path: Path) -> None:
    path = tmp_path / "x.ndjson.gz"
    path.write_bytes(gzip.compress(b"a\n") + gzip.compress(b"\nb"))  # two members of gzip
    assert numbered(list(blocks_of(str(path), "x"))) == [("x", 1, b"a"), ("x", 3, b"b")]


@pytest.mark.parametrize("size", [1, 2, 3, 7, 50])
def test_lines_do_not_depend_on_how_they_are_read(tmp_path: Path, monkeypatch: pytest.MonkeyPatch, size: int) -> None:
    monkeypatch.setattr(lines_of, "_READ", size)
    monkeypatch.setattr(lines_of, "BLOCK", 2 * size)
    data = b"a\n\nbbbb\ncc\n" + b"d" * 20 + b"\n\n\ne"
    (tmp_path / "x").write_bytes(data)
    want = [("x", n, line) for n, line in enumerate(data.split(b"\n"), 1) if line]
    assert numbered(list(blocks_of(str(tmp_path / "x"), "x"))) == want


def test_a_line_that_is_too_long_is_passed_over(tmp_path: Path, monkeypatch: pytest.MonkeyPatch) -> None:
    for name, value in {"_READ": 4, "BLOCK": 4, "LONGEST": 10, "GLIMPSE": 3}.items():
        monkeypatch.setattr(lines_of, name, value)
    (tmp_path / "x").write_bytes(b"a\n" + b"l" * 30 + b"\nb\n" + b"m" * 30)
    blocks = list(blocks_of(str(tmp_path / "x"), "x"))
    assert numbered(blocks) == [("x", 1, b"a"), ("x", 3, b"b")]
    assert [b for b in blocks if b.what == "long"] == [Block("x", 2, b"lll", "long"), Block("x", 4, b"mmm", "long")]


@pytest.mark.parametrize("cut", [-1, -5, 60, 30])
def test_a_cut_archive_gives_what_is_before_the_cut(tmp_path: Path, cut: int) -> None:
    path = tar_gz(tmp_path / "a.tar.gz", MEMBERS)
    path.write_bytes(path.read_bytes()[:cut])
    *before, last = list(blocks_of(str(path), path.name))
    assert last.what == "damage" and last.name == "a.tar.gz" and b"at byte" in last.data
    assert numbered(before) == NUMBERED[: len(numbered(before))]


def test_damage_in_the_middle(tmp_path: Path) -> None:
    path = tar_gz(tmp_path / "a.tar.gz", {"a.ndjson": bytes(range(33, 127)) * 3_000 + b"\n"})
    data = bytearray(path.read_bytes())
    data[len(data) // 2] ^= 0xFF
    path.write_bytes(bytes(data))
    assert list(blocks_of(str(path), path.name))[-1].what == "damage"


def test_an_archive_is_never_held(tmp_path: Path) -> None:
    """16 MB of lines in blocks of a few: what is in hand is a block, whatever the file."""
    raw = io.BytesIO()
    with tarfile.open(fileobj=raw, mode="w") as archive:
        info = tarfile.TarInfo("a.ndjson")
        info.size = 16 << 20
        archive.addfile(info, io.BytesIO((b"x" * 1023 + b"\n") * (16 << 10)))
    path = tmp_path / "a.tar.gz"
    path.write_bytes(gzip.compress(raw.getvalue(), 1))
    sizes = [len(block.data) for block in blocks_of(str(path), path.name)]
    assert sum(sizes) == 16 << 20 and max(sizes) < 3 << 20
