"""Checksum files beside a dump: which lines are read, and what they say of which file."""

import pytest
from exports import put, sums

from wikiprep.dump.checksums import checksums_beside, expected_of, read_checksums
from wikiprep.errors import WikiprepError

NAME = "enwiki-20261101-pages-articles.xml.bz2"
EXPORT = "enwiki-2026-11-01-p1p9.xml.bz2"


def test_lines_of_both_styles(tmp_path):
    md5, sha1, sha256 = "A" * 32, "b" * 40, "c" * 64
    text = f"# made today\n{md5}  one.xml\r\n{sha1} *./two.xml\n\nSHA256 (a/three.xml) = {sha256}\n"
    found = read_checksums(str(put(tmp_path, "SHA256SUMS", b"\xef\xbb\xbf" + text.encode()))).sums
    assert [(n, e.algorithm, e.digest) for n, e in found.items()] == [
        ("one.xml", "md5", "a" * 32),
        ("two.xml", "sha1", sha1),
        ("three.xml", "sha256", sha256),
    ]


@pytest.mark.parametrize(
    ("data", "words"),
    [
        (b"<!DOCTYPE html><html>", "HTML page"),
        (b"%s  a.xml\nnot a line\n" % (b"0" * 64), "line 2: is no checksum"),
        (b"%s  a.xml\n" % (b"0" * 50), "line 1: is no checksum"),
        (b"BZh91AY&SY\x00\x01", "line 1"),
    ],
)
def test_what_is_no_list_is_named_with_its_line(tmp_path, data, words):
    path = put(tmp_path, "SHA256SUMS", data)
    with pytest.raises(WikiprepError, match=words) as error:
        read_checksums(str(path))
    assert str(path) in error.value.what
    assert "remove" in error.value.hint


def test_an_empty_list_names_nothing(tmp_path):
    assert read_checksums(str(put(tmp_path, "SHA256SUMS", b""))).sums == {}


def test_the_strongest_sum_beside_the_file_counts(tmp_path):
    path = str(put(tmp_path, NAME, b"abc"))
    assert expected_of(path, checksums_beside([path])) is None
    for algorithm in ("md5", "sha1"):
        source = sums(tmp_path, f"enwiki-20261101-{algorithm}sums.txt", algorithm)
        expected = expected_of(path, checksums_beside([path]))
        assert (expected.algorithm, expected.source) == (algorithm, str(source))
    sums(tmp_path)
    assert expected_of(path, checksums_beside([path])).algorithm == "sha256"


def test_each_folder_has_its_own_list(tmp_path):
    one, other = put(tmp_path / "a", EXPORT, b"1"), put(tmp_path / "b", "enwiki-2026-11-01-p10p19.xml.bz2", b"2")
    sums(tmp_path / "a")
    files = checksums_beside([str(one), str(other)])
    assert expected_of(str(one), files)
    assert expected_of(str(other), files) is None


def test_the_list_of_latest_names_files_by_their_date(tmp_path):
    put(tmp_path, NAME, b"abc")
    sums(tmp_path, "enwiki-latest-sha1sums.txt", "sha1")
    path = str(put(tmp_path, NAME.replace("20261101", "latest"), b"abc"))
    assert expected_of(path, checksums_beside([path])).algorithm == "sha1"


def test_a_remote_folder(tmp_path):
    put(tmp_path, EXPORT, b"1")
    sums(tmp_path)
    path = f"file://{tmp_path}/{EXPORT}"
    assert expected_of(path, checksums_beside([path])).source == f"file://{tmp_path}/SHA256SUMS"
