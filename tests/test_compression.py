"""One unpacker for all: what the formats' own tools write is read by every path, what is cut is seen by every path."""

import bz2
import gzip
import lzma
import struct
import subprocess
from collections.abc import Callable
from pathlib import Path
from shutil import which

import pytest
import zstandard
from entity_dumps import array, item
from entity_dumps import read as read_entities
from hypothesis import given, settings
from hypothesis import strategies as st
from inline import write_dump, xml_page

from wikiprep.compression import Compression, Unpacker, compression_of
from wikiprep.dump.dump_files import find_parts
from wikiprep.dump.pages import Page, RangeReader
from wikiprep.dump.ranges import plan_ranges
from wikiprep.dump.source import read_head
from wikiprep.dump.sql import read_rows
from wikiprep.errors import WikiprepError
from wikiprep.textlines import head, read_lines

PACKERS: dict[Compression, Callable[[bytes], bytes]] = {
    "gz": gzip.compress,
    "bz2": bz2.compress,
    "xz": lzma.compress,
    "zst": zstandard.ZstdCompressor(write_checksum=True).compress,
}
SQL = (
    b"CREATE TABLE `page` (\n  `page_id` int NOT NULL,\n  `page_title` blob\n);\n"
    b"INSERT INTO `page` VALUES (1,'A'),(2,'B');\n"
)


@pytest.fixture(scope="module")
def pages(tmp_path_factory: pytest.TempPathFactory) -> bytes:
    """A dump of three pages."""
    path = tmp_path_factory.mktemp("pages") / "a.xml"
    return write_dump(path, *(xml_page(i, f"T{i}", f"Text {i} with words. " * 300) for i in (1, 2, 3))).read_bytes()


def ids(path: Path) -> list[int]:
    """The pages that a dump file gives."""
    (part,) = find_parts([str(path)])
    found = [it for range_ in plan_ranges([part], 1 << 30) for it in RangeReader(range_, part.siteinfo, False)]
    return [it.page_id for it in found if isinstance(it, Page)]


def long_window(data: bytes, log: int) -> bytes:
    """As `zstd --long=LOG` writes what it reads from a pipe: the window is as long as was asked for."""
    parameters = zstandard.ZstdCompressionParameters(window_log=log, enable_ldm=True)
    made = zstandard.ZstdCompressor(compression_params=parameters).compressobj()
    return made.compress(data) + made.flush()


def skippable(data: bytes) -> bytes:
    """As pzstd writes: before the frame one to be skipped, which holds the frame's size."""
    frame = zstandard.compress(data)
    return struct.pack("<III", 0x184D2A50, 4, len(frame)) + frame


ODD: dict[str, Callable[[bytes], bytes]] = {
    **{f"long-{log}": (lambda data, log=log: long_window(data, log)) for log in (27, 28, 31)},  # type: ignore[misc]
    "pzstd": lambda data: skippable(data[: len(data) // 2]) + skippable(data[len(data) // 2 :]),
    "gz members": lambda data: gzip.compress(data[:50]) + gzip.compress(data[50:]),
    "gz padded": lambda data: gzip.compress(data[:50]) + b"\0" * 512 + gzip.compress(data[50:]) + b"\0" * 99,
    "xz streams": lambda data: lzma.compress(data[:50]) + b"\0" * 8 + lzma.compress(data[50:], preset=9),
    "bz2 streams": lambda data: bz2.compress(data[:50]) + bz2.compress(data[50:]),
    "tiny members": lambda data: gzip.compress(b"") + gzip.compress(data[:1]) + gzip.compress(data[1:]),
}


@pytest.mark.parametrize("odd", ODD)
def test_every_path_reads_what_tools_write(tmp_path: Path, pages: bytes, odd: str) -> None:
    pack = ODD[odd]

    def put(name: str, data: bytes) -> Path:
        (tmp_path / name).write_bytes(pack(data))
        return tmp_path / name

    assert ids(put("a.xml", pages)) == [1, 2, 3]
    assert [line.data.rstrip(b",") != b"" for line in read_entities(put("a.json", array([item(1), item(2)])))] == [
        True
    ] * 2
    assert list(read_rows(str(put("a.sql", SQL)), ["page_id", "page_title"])) == [(1, b"A"), (2, b"B")]
    lines = put("lines", b"first line\nsecond\n")
    assert list(read_lines(lines)) == [(1, b"first line"), (2, b"second")]
    assert head(lines, 5) == b"first"
    assert read_head(str(lines))[1] == b"first line\nsecond\n"


@pytest.mark.skipif(not which("zstd"), reason="needs the zstd tool")
@pytest.mark.parametrize("options", [["--long=31"], ["-T2", "--long=28"]])
def test_what_zstd_itself_writes(tmp_path: Path, pages: bytes, options: list[str]) -> None:
    path = tmp_path / "a.xml.zst"
    with path.open("wb") as out:
        subprocess.run(["zstd", "-q", *options, "-c"], input=pages, stdout=out, check=True)
    assert ids(path) == [1, 2, 3]
    assert b"\n".join(line for _, line in read_lines(path)) == b"\n".join(
        line for line in pages.split(b"\n") if line.strip()
    )


@pytest.mark.parametrize("kind", PACKERS)
def test_a_cut_anywhere_is_told(tmp_path: Path, pages: bytes, kind: Compression) -> None:
    whole = PACKERS[kind](pages) + PACKERS[kind](b"more text" * 500)
    second = len(PACKERS[kind](pages))
    for end in (second // 2, second - 3, second + 1, second + 20, len(whole) - 1):
        if kind in ("xz", "zst", "gz") or end != second + 1:  # of bz2 a single B may be garbage
            (tmp_path / "a").write_bytes(whole[:end])
            with pytest.raises(WikiprepError, match=r"cut short|damaged"):
                list(read_lines(tmp_path / "a"))


@settings(max_examples=60, deadline=None)
@given(
    st.sampled_from(sorted(PACKERS)),
    st.lists(st.binary(max_size=300), min_size=1, max_size=4),
    st.integers(1, 50),
    st.integers(0, 40),
    st.data(),
)
def test_streams_padding_and_pieces_make_no_difference(
    kind: Compression, parts: list[bytes], step: int, zeros: int, data: st.DataObject
) -> None:
    packed = (b"\0" * zeros).join(PACKERS[kind](part) for part in parts)
    assert compression_of(packed) == kind
    unpacker = Unpacker(kind)
    found = b"".join(p for i in range(0, len(packed), step) for p in unpacker.feed(packed[i : i + step]))
    assert found == b"".join(parts)
    assert not unpacker.cut
    cut = Unpacker(kind)
    end = data.draw(st.integers(1, len(PACKERS[kind](parts[0])) - 1))
    b"".join(cut.feed(packed[:end]))
    assert cut.cut


def test_what_is_no_stream_behind_the_last_one_is_ignored_and_told() -> None:
    unpacker = Unpacker("gz")
    assert b"".join(unpacker.feed(gzip.compress(b"text") + b"garbage")) == b"text"
    assert unpacker.ended
    assert not unpacker.cut
    assert list(unpacker.feed(gzip.compress(b"more"))) == []
