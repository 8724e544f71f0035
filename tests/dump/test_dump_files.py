"""Which files make up a dump, and which are refused with what words."""

import bz2
import gzip
import os
import re
import shutil
from pathlib import Path

import pytest
from dumps import dump, multistream, page

from wikiprep.dump.dump_files import find_parts
from wikiprep.errors import WikiprepError

PAGES = [page(i, f"T{i}", "x") for i in range(1, 31)]


def put(folder, name, data):
    path = folder / name
    path.write_bytes(data)
    return str(path)


def part(folder, name, first, last, dbname="enwiki"):
    return put(folder, name, bz2.compress(dump(PAGES[first - 1 : last], dbname)))


def test_parts_are_ordered_by_first_page_id(tmp_path):
    part(tmp_path, "enwiki-20260901-pages-articles10.xml-p21p30.bz2", 21, 30)
    part(tmp_path, "enwiki-20260901-pages-articles2.xml-p11p20.bz2", 11, 20)
    part(tmp_path, "enwiki-20260901-pages-articles1.xml-p1p10.bz2", 1, 10)
    (tmp_path / "notes.txt").write_text("not a dump")
    for given in ([str(tmp_path)], [str(tmp_path / "*.bz2")], [str(p) for p in sorted(tmp_path.glob("*.bz2"))]):
        parts = find_parts(given)
        assert [p.first_page_id for p in parts] == [1, 11, 21]
        assert {p.siteinfo.dbname for p in parts} == {"enwiki"}
        assert all(p.compression == "bz2" for p in parts)


def test_monthly_content_exports(tmp_path):
    part(tmp_path, "enwiki-2026-11-01-p11p30.xml.bz2", 11, 30)
    part(tmp_path, "enwiki-2026-11-01-p1p10.xml.bz2", 1, 10)
    assert [p.first_page_id for p in find_parts([str(tmp_path)])] == [1, 11]


def test_a_file_named_twice_counts_once(tmp_path):
    path = part(tmp_path, "a.xml.bz2", 1, 30)
    assert len(find_parts([path, str(tmp_path), path])) == 1


@pytest.mark.parametrize(
    ("names", "spans"),
    [
        (
            ["enwiki-20260901-pages-articles.xml.bz2", "enwiki-20260901-pages-articles-multistream.xml.bz2"],
            [(1, 30)] * 2,
        ),
        (
            ["enwiki-20260901-pages-articles.xml.bz2", "enwiki-20260901-pages-articles2.xml-p11p20.bz2"],
            [(1, 30), (11, 20)],
        ),
        (
            [
                "enwiki-20260901-pages-articles1.xml-p1p10.bz2",
                "enwiki-20260901-pages-articles-multistream1.xml-p1p10.bz2",
            ],
            [(1, 10)] * 2,
        ),
        (["enwiki-2026-11-01-p1p20.xml.bz2", "enwiki-2026-11-01-p11p30.xml.bz2"], [(1, 20), (11, 30)]),
        (["a.xml.bz2", "b.xml.bz2"], [(1, 30)] * 2),
    ],
)
def test_two_layouts_are_refused(tmp_path, names, spans):
    for name, span in zip(names, spans, strict=True):
        part(tmp_path, name, *span)
    with pytest.raises(WikiprepError, match="hold the same pages"):
        find_parts([str(tmp_path)])


def test_mixed_wikis_and_dates_are_refused(tmp_path):
    one = part(tmp_path, "enwiki-20260901-pages-articles1.xml-p1p10.bz2", 1, 10)
    other = part(tmp_path, "dewiki-20260901-pages-articles2.xml-p11p20.bz2", 11, 20, "dewiki")
    with pytest.raises(WikiprepError, match=r"is of enwiki, .* of dewiki"):
        find_parts([one, other])
    later = part(tmp_path, "enwiki-20261001-pages-articles2.xml-p11p20.bz2", 11, 20)
    with pytest.raises(WikiprepError, match="20261001"):
        find_parts([one, later])


def test_an_index_is_left_out_with_a_note_and_refused_alone(tmp_path):
    put(tmp_path, "enwiki-20260901-pages-articles-multistream.xml.bz2", multistream(PAGES, 7))
    index = put(tmp_path, "enwiki-20260901-pages-articles-multistream-index.txt.bz2", bz2.compress(b"654:1:T1\n"))
    notes: list[str] = []
    assert len(find_parts([str(tmp_path)], notes.append)) == 1
    assert len(notes) == 1
    assert "index" in notes[0]
    with pytest.raises(WikiprepError, match="index of a multistream dump"):
        find_parts([index])
    renamed = shutil.copy(index, tmp_path / "other.xml.bz2")
    with pytest.raises(WikiprepError, match="index of a multistream dump"):
        find_parts([str(renamed)])


HTML = b"<!DOCTYPE html>\n<html><head><title>404 Not Found</title></head></html>"


@pytest.mark.parametrize(
    ("name", "data", "words"),
    [
        ("a.xml.bz2", b"", "is empty"),
        ("a.xml.bz2", HTML, 'HTML page.*"404 not found"'),
        ("a.xml.gz", HTML, "HTML page"),
        ("a.xml.gz", gzip.compress(HTML, mtime=0), "HTML page"),
        ("a.xml.bz2", b"BZh9 garbage", "damaged bz2 data at byte 0"),
        ("a.xml", b"[\n" + b'{"type":"item"},\n', "JSON"),
        ("a.sql.gz", gzip.compress(b"-- MySQL dump 10.19\n", mtime=0), "SQL dump"),
        ("a.sql", b"CREATE TABLE `page` (", "SQL dump"),
        ("a.xml", b"<feed><doc></doc></feed>", "XML, but not a MediaWiki dump"),
        ("a.xml", b"\x89PNG\r\n", "not a dump"),
        ("a.xml", b"hello", "not a dump"),
    ],
)
def test_what_is_no_dump_is_named_in_one_line(tmp_path, name, data, words):
    with pytest.raises(WikiprepError, match=words) as error:
        find_parts([put(tmp_path, name, data)])
    assert name in error.value.what
    assert "\n" not in error.value.what
    assert error.value.hint


def test_what_is_not_there(tmp_path):
    for given, words in {
        str(tmp_path / "none.xml"): "no such file",
        str(tmp_path / "*.xml"): "matches no file",
        str(tmp_path): "holds no dump",
    }.items():
        with pytest.raises(WikiprepError, match=words):
            find_parts([given])
    with pytest.raises(WikiprepError, match="no dump is given"):
        find_parts([])


def test_other_real_files_are_refused(shared_data):
    for name in ("wikidata/items-20-array.json.bz2", "sql/ngwiki-20160111-page.sql.gz", "sql/multiple-inserts.sql"):
        with pytest.raises(WikiprepError, match=r"JSON|SQL"):
            find_parts([str(shared_data / name)])


def test_a_remote_address_is_opened_through_pyarrow(tmp_path):
    part(tmp_path, "enwiki-20260901-pages-articles2.xml-p11p20.bz2", 11, 20)
    part(tmp_path, "enwiki-20260901-pages-articles1.xml-p1p10.bz2", 1, 10)
    for given in (f"file://{tmp_path}", f"file://{tmp_path}/*.bz2"):
        assert [p.first_page_id for p in find_parts([given])] == [1, 11]
    with pytest.raises(WikiprepError, match="no such file"):
        find_parts([f"file://{tmp_path}/none.xml"])


def test_a_stub_dump_is_refused_at_once(tmp_path: Path) -> None:
    stub = dump([page(1, "A", ""), page(2, "B", "")])
    stub = re.sub(rb"<text[^>]*>", b'<text bytes="7" id="3" />', stub).replace(b"</text>", b"")
    path = tmp_path / "enwiki-20260101-stub-articles.xml"
    path.write_bytes(stub)
    with pytest.raises(WikiprepError, match="stub dump"):
        find_parts([str(path)])


def test_a_pipe_is_told_to_be_one() -> None:
    read, write = os.pipe()
    try:
        with pytest.raises(WikiprepError, match="is a pipe") as caught:
            find_parts([f"/dev/fd/{read}"])
        assert "write it to a file" in caught.value.hint
    finally:
        os.close(read)
        os.close(write)


def test_a_page_spread_over_files_of_a_history_export_is_named_as_that(tmp_path):
    first = page(5, "T5", "x")
    later = first.replace("<id>1005</id>", "<id>1006</id>")
    for names in (("enwiki-2026-11-01-p5r1005r1005.xml.bz2", "enwiki-2026-11-01-p5r1006r1006.xml.bz2"), ("a", "b")):
        folder = tmp_path / names[0]
        folder.mkdir()
        paths = [put(folder, name, bz2.compress(dump([it]))) for name, it in zip(names, (first, later), strict=True)]
        with pytest.raises(WikiprepError, match="different revisions of page 5: they are of a history export") as error:
            find_parts(paths)
        assert "mediawiki_content_current" in error.value.hint
        assert all(path in error.value.what for path in paths)
