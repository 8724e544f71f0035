"""What names of dump files say."""

import bz2
from pathlib import Path

import pytest
from dumps import dump, page
from hypothesis import given
from hypothesis import strategies as st

from wikiprep.dump.dump_files import find_parts
from wikiprep.dump.file_names import CONTENT, DumpName, companion, parse_name, part_of
from wikiprep.errors import WikiprepError
from wikiprep.wikidata.json_dump_files import find_files

PART = "enwiki-20260901-pages-articles.xml.bz2"
BESIDE = {
    f"{PART}-rss.xml": "the feed that tells of a dump",
    "enwiki-latest-pages-articles.xml.bz2-rss.xml": "the feed that tells of a dump",
    f"{PART}.torrent": "a torrent",
    "enwiki-20260901-md5sums.txt": "checksums",
    "enwiki-20260901-sha1sums.txt": "checksums",
    f"enwiki-20260901-md5sums-{PART}.txt": "checksums",
    f"enwiki-20260901-sha1sums-{PART}.txt": "checksums",
    "SHA256SUMS": "checksums",
    "MD5SUMS.txt": "checksums",
    f"{PART}.md5": "checksums",
    f"{PART}.sha1": "checksums",
    f"{PART}.sha256": "checksums",
    f"{PART}.sha256.txt": "checksums",
    f"{PART}.asc": "a signature",
    f"{PART}.aria2": "a downloader's notes",
    "enwiki-20260901-pages-articles-multistream-index.txt.bz2": "the index of a multistream dump",
    "enwiki-20260901-pages-articles-multistream-index10.txt-p1p2.bz2": "the index of a multistream dump",
    "enwiki-20260901-pages-articles-multistream-index.txt.bz2-rss.xml": "the feed that tells of a dump",
}
PARTS = [
    *(PART, "enwiki-2026-11-01-p1p10.xml.bz2", "enwiki-20260901-pages-articles10.xml-p1p10.bz2", "index.xml", "a.xml"),
    *("md5.xml", "sha1sums.xml.bz2", "torrent.xml", "enwiki-20260901-pages-meta-current1.xml-p1p9.7z", "notes.txt"),
]


@pytest.mark.parametrize(
    ("name", "said"),
    [
        ("enwiki-2026-11-01-p1p1147431.xml.bz2", DumpName("enwiki", "20261101", CONTENT, None, 1, 1147431)),
        ("zh_yuewiki-2026-11-01-p5p99.xml.zst", DumpName("zh_yuewiki", "20261101", CONTENT, None, 5, 99)),
        ("enwiki-2026-11-01-p4r151r9042.xml.bz2", DumpName("enwiki", "20261101", CONTENT, None, 4, 4, (151, 9042))),
        (
            "simplewiki-2025-03-01-p1p99-pages-meta-history.xml.bz2",
            DumpName("simplewiki", "20250301", CONTENT, None, 1, 99),
        ),
        ("enwiki-20260901-pages-articles.xml.bz2", DumpName("enwiki", "20260901", "pages-articles")),
        ("enwiki-latest-pages-articles.xml.bz2", DumpName("enwiki", "latest", "pages-articles")),
        (
            "enwiki-20260901-pages-articles27.xml-p68475911p69975910.bz2",
            DumpName("enwiki", "20260901", "pages-articles", 27, 68475911, 69975910),
        ),
        (
            "enwiki-20260901-pages-articles-multistream1.xml-p1p41242.bz2",
            DumpName("enwiki", "20260901", "pages-articles-multistream", 1, 1, 41242),
        ),
        (
            "enwiki-20120104-pages-articles1.xml-p000000010p000010000.bz2",
            DumpName("enwiki", "20120104", "pages-articles", 1, 10, 10000),
        ),
        ("dewiki-20260901-pages-articles3.xml.bz2", DumpName("dewiki", "20260901", "pages-articles", 3)),
    ],
)
def test_names_of_both_families(name, said):
    assert parse_name(name) == said


@pytest.mark.parametrize(
    "name",
    [
        "dump.xml",
        "SHA256SUMS",
        "enwiki-20260901-page_props.sql.gz",
        "enwiki-20260901-pages-articles-multistream-index1.txt-p1p41242.bz2",
        "enwiki-20260901-pages-articles.xml.bz2-rss.xml",
        "enwiki-20260901-sha1sums.txt",
        "enwiki-2026-11-01-p1.xml.bz2",
        "",
    ],
)
def test_other_names_say_nothing(name):
    assert parse_name(name) is None


@given(st.text(max_size=80))
def test_any_name_is_read_or_left(name):
    parsed = parse_name(name)
    assert parsed is None or name.startswith(parsed.wiki)


def test_one_copy_of_a_dump_is_one_layout_whatever_it_is_compressed_with():
    names = ["enwiki-2026-11-01-p1p9.xml.bz2", "enwiki-2026-11-01-p10p19.xml", "enwiki-2026-11-01-p20r1r2.xml.gz"]
    assert len({parse_name(name).layout for name in names}) == 1
    others = [
        "enwiki-20261101-pages-articles1.xml-p1p9.bz2",
        "enwiki-20261101-pages-articles-multistream1.xml-p1p9.bz2",
    ]
    assert len({parse_name(name).layout for name in names + others}) == 3


@pytest.mark.parametrize("name", BESIDE)
def test_companions_are_known_by_name(name: str) -> None:
    assert companion(name) == companion(f"/some/folder/{name}") == companion(f"s3://b/{name}") == BESIDE[name]


@pytest.mark.parametrize("name", PARTS)
def test_parts_are_none(name: str) -> None:
    assert companion(name) is None


def test_the_part_that_one_stands_beside() -> None:
    assert part_of(f"/x/{PART}.torrent") == part_of(f"{PART}-rss.xml") == part_of(f"{PART}.md5") == PART
    index = "enwiki-20260901-pages-articles-multistream-index10.txt-p1p2.bz2"
    assert part_of(index) == "enwiki-20260901-pages-articles-multistream10.xml-p1p2.bz2"
    assert part_of("SHA256SUMS") == ""


@pytest.fixture
def folder(tmp_path: Path) -> Path:
    """A dump with all that can stand beside it."""
    (tmp_path / PART).write_bytes(bz2.compress(dump([page(1, "A", "x")])))
    for name in BESIDE:
        (tmp_path / name).write_bytes(b"<rss/>")
    return tmp_path


@pytest.mark.parametrize("given", ["", "*", "*.xml.bz2*"])
def test_they_are_passed_over_in_folders_and_patterns(folder: Path, given: str) -> None:
    notes: list[str] = []
    (part,) = find_parts([str(folder / given) if given else str(folder)], notes.append)
    assert Path(part.path).name == PART
    told = {line.partition(": ")[0].rpartition("/")[2]: line.partition(": ")[2] for line in notes}
    assert told == {name: f"{what}, passed over" for name, what in BESIDE.items() if name in told}
    assert set(told) == set(BESIDE) if given != "*.xml.bz2*" else f"{PART}.torrent" in told


def test_alone_each_says_what_it_is_and_what_to_give(folder: Path) -> None:
    for name, what in BESIDE.items():
        with pytest.raises(WikiprepError, match="holds no pages") as caught:
            find_parts([str(folder / name)])
        assert what in caught.value.what
        assert part_of(name) in caught.value.hint
    (folder / PART).unlink()
    with pytest.raises(WikiprepError, match="the folder holds no dump"):
        find_parts([str(folder)])


def test_beside_wikidatas_dump(tmp_path: Path) -> None:
    name = "wikidata-20260907-all.json.bz2"
    (tmp_path / name).write_bytes(bz2.compress(b'[\n{"type":"item","id":"Q1"}\n]\n'))
    for other in (f"{name}.torrent", f"{name}.md5", f"{name}-rss.xml", "wikidata-20260907-md5sums.txt"):
        (tmp_path / other).write_bytes(b"x")
    for source in (tmp_path, tmp_path / "*"):
        assert [Path(file.path).name for file in find_files(str(source))] == [name]
    with pytest.raises(WikiprepError, match="is a torrent") as caught:
        find_files(str(tmp_path / f"{name}.torrent"))
    assert caught.value.hint == f"give {name}"
