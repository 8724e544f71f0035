"""Lines of plain and compressed files; cut and mislabelled files are errors."""

import bz2
import gzip
import lzma
from collections.abc import Callable
from pathlib import Path

import pytest
import zstandard

from wikiprep import textlines
from wikiprep.errors import WikiprepError
from wikiprep.textlines import head, read_lines

TEXT = "".join(f"line {n} \u2028 é\n" for n in range(5000)).encode()
PACKERS: dict[str, Callable[[bytes], bytes]] = {
    ".txt": bytes,
    ".gz": gzip.compress,
    ".bz2": bz2.compress,
    ".xz": lzma.compress,
    ".zst": zstandard.ZstdCompressor(write_checksum=True).compress,
}


@pytest.mark.parametrize("suffix", PACKERS)
@pytest.mark.parametrize("parts", [1, 3])
def test_every_compression_in_one_or_more_members(tmp_path: Path, suffix: str, parts: int) -> None:
    path = tmp_path / f"f{suffix}"
    size = len(TEXT) // parts + 1
    path.write_bytes(b"".join(PACKERS[suffix](TEXT[i : i + size]) for i in range(0, len(TEXT), size)))
    assert list(read_lines(path)) == list(enumerate(TEXT.split(b"\n")[:-1], 1))
    assert head(path, 6) == b"line 0"


@pytest.mark.parametrize("suffix", [s for s in PACKERS if s != ".txt"])
def test_a_cut_file_is_an_error(tmp_path: Path, suffix: str) -> None:
    path = tmp_path / f"f{suffix}"
    packed = PACKERS[suffix](TEXT)
    path.write_bytes(packed[: len(packed) // 2])
    with pytest.raises(WikiprepError, match=f"f{suffix}: cut short"):
        list(read_lines(path))


@pytest.mark.parametrize("suffix", [s for s in PACKERS if s != ".txt"])
def test_a_damaged_file_is_an_error(tmp_path: Path, suffix: str) -> None:
    path = tmp_path / f"f{suffix}"
    packed = bytearray(PACKERS[suffix](TEXT))
    packed[len(packed) // 2 : len(packed) // 2 + 40] = b"\xff" * 40
    path.write_bytes(packed)
    with pytest.raises(WikiprepError, match=f"f{suffix}: "):
        list(read_lines(path))


def test_a_wrong_suffix_is_an_error_and_a_missing_one_is_not(tmp_path: Path) -> None:
    (tmp_path / "f.gz").write_bytes(TEXT)
    with pytest.raises(WikiprepError, match=r"its name says \.gz"):
        list(read_lines(tmp_path / "f.gz"))
    (tmp_path / "f.jsonl").write_bytes(gzip.compress(TEXT))
    assert len(list(read_lines(tmp_path / "f.jsonl"))) == 5000


def test_blank_lines_count_and_line_ends_go(tmp_path: Path) -> None:
    path = tmp_path / "f"
    path.write_bytes(b"\xef\xbb\xbfa\r\n\n  \nb\rc")
    assert list(read_lines(path)) == [(1, b"a"), (4, b"b\rc")]


@pytest.mark.parametrize("size", [1, 2, 3, 7])
def test_lines_do_not_depend_on_the_chunks(tmp_path: Path, monkeypatch: pytest.MonkeyPatch, size: int) -> None:
    path = tmp_path / "f"
    path.write_bytes(b"one\n\ntwo\r\nthree")
    monkeypatch.setattr(textlines, "_CHUNK", size)
    assert list(read_lines(path)) == [(1, b"one"), (3, b"two"), (4, b"three")]


def test_a_file_without_lines_is_an_error(tmp_path: Path, monkeypatch: pytest.MonkeyPatch) -> None:
    monkeypatch.setattr(textlines, "MAX_LINE", 1000)
    monkeypatch.setattr(textlines, "_CHUNK", 300)
    (tmp_path / "f").write_bytes(b"ok\n" + b"x" * 5000)
    with pytest.raises(WikiprepError, match="line 2 is longer"):
        list(read_lines(tmp_path / "f"))


def test_utf_16_missing_files_and_folders(tmp_path: Path) -> None:
    (tmp_path / "f").write_bytes("{}".encode("utf-16"))
    with pytest.raises(WikiprepError, match="UTF-16"):
        list(read_lines(tmp_path / "f"))
    with pytest.raises(WikiprepError, match="no such file"):
        list(read_lines(tmp_path / "none"))
    with pytest.raises(WikiprepError, match="is a folder"):
        list(read_lines(tmp_path))
