import bz2
import gzip
import lzma
from pathlib import Path

import pytest

from wikiprep.dump.damage import check_ending
from wikiprep.errors import WikiprepError

XML = b"<mediawiki>" + b"".join(b"<page>%d</page>\n" % i for i in range(30_000)) + b"</mediawiki>\n"
STREAMS = bz2.compress(XML[:100_000], 1) + bz2.compress(XML[100_000:], 1)
WHOLE = {"one.bz2": bz2.compress(XML, 1), "many.bz2": STREAMS, "a.xz": lzma.compress(XML), "a.xml": XML}


@pytest.mark.parametrize("name", list(WHOLE))
def test_whole_files_pass(tmp_path: Path, name: str) -> None:
    (tmp_path / name).write_bytes(WHOLE[name])
    check_ending(str(tmp_path / name))


@pytest.mark.parametrize("name", list(WHOLE))
@pytest.mark.parametrize("left", [0.3, 0.6, 0.999])
def test_cut_files_are_found_at_once(tmp_path: Path, name: str, left: float) -> None:
    (tmp_path / name).write_bytes(WHOLE[name][: int(len(WHOLE[name]) * left)])
    with pytest.raises(WikiprepError, match=f"{name}: cut"):
        check_ending(str(tmp_path / name))


@pytest.mark.parametrize("bytes_off", range(1, 16))
def test_every_byte_of_a_bz2_end_counts(tmp_path: Path, bytes_off: int) -> None:
    (tmp_path / "a.bz2").write_bytes(WHOLE["one.bz2"][:-bytes_off])
    with pytest.raises(WikiprepError):
        check_ending(str(tmp_path / "a.bz2"))


def test_garbage_after_the_end_and_formats_without_a_mark_pass(tmp_path: Path) -> None:
    (tmp_path / "a.bz2").write_bytes(WHOLE["one.bz2"] + b"garbage")
    check_ending(str(tmp_path / "a.bz2"))
    (tmp_path / "a.gz").write_bytes(gzip.compress(XML)[:-20])
    check_ending(str(tmp_path / "a.gz"))


def test_all_real_dumps_are_whole(shared_data: Path) -> None:
    for path in sorted((shared_data / "dumps").glob("*.bz2")):
        check_ending(str(path))
