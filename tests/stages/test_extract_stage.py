"""The stages `extract` and `pages` on small dumps: counts, rejects, and dumps of which nothing can be made."""

import bz2
import random
from pathlib import Path
from typing import Any

import pytest
from building import DATA
from inline import build, kinds, rows, write_dump, xml_page

from wikiprep.checks import check_corpus
from wikiprep.errors import WikiprepError
from wikiprep.files import Store
from wikiprep.manifest import read_manifest
from wikiprep.units.stage import Commit

TEXT = "'''Oslo''' is the capital of [[Norway]]. It has a [[Harbour|port]], and [[Edvard Munch]] lived there."
COMPARED = [
    "articles",
    *(f"tables/{name}.parquet" for name in ("pages", "redirects", "entity_vocab", "templates")),
]


def extracted(folder: Path, *pages: str, **extract: Any) -> dict[str, Commit]:
    dump = write_dump(folder / "enwiki-20260101-pages-articles.xml", *pages)
    return build(folder / "out", dump, sections={"extract": extract}, until="pages")


def rejects(folder: Path) -> list[tuple[Any, ...]]:
    return [(r["page_id"], r["title"], r["reason"]) for r in rows(folder / "out", "rejects")]


def test_every_page_is_one_kind_and_the_sums_close(tmp_path: Path) -> None:
    commits = extracted(
        tmp_path,
        xml_page(1, "Oslo", TEXT),
        xml_page(2, "Norway", "", redirect="Oslo"),
        xml_page(3, "Harbour", "* [[Oslo]]\n{{disambig}}"),
        xml_page(4, "Category:Cities", "[[Oslo]]", ns=14),
        xml_page(5, "Style", "a { color: red }", model="css"),
        "  <page><title>No id</title><ns>0</ns></page>\n",
    )
    assert kinds(commits) == {
        "article": 1, "redirect": 1, "disambiguation": 1, "other_namespace": 1, "reject": 2,
    }  # fmt: skip
    assert kinds(commits, "pages") == kinds(commits)
    counts = commits["extract"].counts
    assert counts["pages.read"] == 6
    assert (counts["rejects.content model"], counts["rejects.no page id"]) == (1, 1)
    assert (counts["links.found"], counts["links.kept"]) == (4, 4)
    assert rejects(tmp_path) == [(5, "Style", "content model"), (None, "No id", "no page id")]
    # A page without an id has no row in the page table, and yet the sums there close too.
    assert [r["page_id"] for r in rows(tmp_path / "out", "tables/pages.parquet")] == [1, 2, 3, 4, 5]


def test_a_page_too_large_is_a_reject(tmp_path: Path) -> None:
    commits = extracted(tmp_path, xml_page(1, "Long", "x" * 1001), xml_page(2, "Oslo", TEXT), max_page_mb=0.001)
    assert kinds(commits) == {"article": 1, "reject": 1}
    assert rejects(tmp_path) == [(1, "Long", "page too large")]


def test_captions_are_kept_where_asked_for(tmp_path: Path) -> None:
    page = xml_page(1, "Oslo", f"[[File:Oslo.jpg|thumb|The [[harbour]]]]\n{TEXT}")
    for captions in (False, True):
        folder = tmp_path / str(captions)
        folder.mkdir()
        extracted(folder, page, captions=captions)
        found = [p["kind"] for row in rows(folder / "out", "articles") for p in row["paragraphs"]]
        assert found.count("caption") == captions


def test_the_newest_revision_dates_the_dump(tmp_path: Path) -> None:
    newer = xml_page(2, "New", TEXT).replace("2026-01-02", "2026-01-05")
    commits = extracted(tmp_path, xml_page(1, "Old", TEXT), newer)
    assert commits["extract"].facts["newest_revision"] == "2026-01-05T03:04:05Z"
    assert "Newest revision: 2026-01-05T03:04:05Z" in (tmp_path / "out" / "README.md").read_text()


def test_a_dump_without_pages_names_the_file(tmp_path: Path) -> None:
    with pytest.raises(WikiprepError, match=r"enwiki-20260101-pages-articles\.xml.*no page"):
        extracted(tmp_path)


def test_a_stub_dump_names_the_file(tmp_path: Path) -> None:
    pages = [xml_page(i, f"T{i}", "").replace('bytes="0"', 'bytes="500"') for i in range(1, 4)]
    with pytest.raises(WikiprepError) as caught:
        build(tmp_path / "out", write_dump(tmp_path / "enwiki-20260101-stub.xml", *pages), until="pages")
    assert "enwiki-20260101-stub.xml" in str(caught.value)
    assert "stub" in str(caught.value)


def test_articles_without_any_text_stop_the_build(tmp_path: Path) -> None:
    with pytest.raises(WikiprepError, match=r"no text came of its 2 articles"):
        extracted(tmp_path, xml_page(1, "A", "<!-- -->"), xml_page(2, "B", "{{x}}"))


def test_blank_articles_are_a_warning(tmp_path: Path) -> None:
    commit = extracted(tmp_path, xml_page(1, "A", ""), xml_page(2, "B", " "))["extract"]
    assert commit.warnings == ("all 2 articles of the dump are blank",)
    assert commit.counts["pages.article"] == commit.counts["documents.blank"] == 2


def test_a_dump_of_redirects_alone_is_no_dump_of_articles(tmp_path: Path) -> None:
    with pytest.raises(WikiprepError, match=r"none of its 1 pages is an article \(redirect 1\)"):
        extracted(tmp_path, xml_page(1, "A", "", redirect="B"))


def test_a_damaged_range_is_counted_where_it_may_be_kept(tmp_path: Path) -> None:
    rng = random.Random(3)
    words = [" ".join("".join(rng.choices("abcdefghij", k=7)) for _ in range(4000)) for _ in range(40)]
    xml = write_dump(tmp_path / "x", *(xml_page(i + 1, f"T{i}", text) for i, text in enumerate(words))).read_bytes()
    data = bytearray(bz2.compress(xml, 1))
    data[len(data) // 2] ^= 0xFF
    dump = tmp_path / "enwiki-20260101-pages-articles.xml.bz2"
    dump.write_bytes(data)
    with pytest.raises(WikiprepError, match=r"pages-articles\.xml\.bz2: .* at byte .*\n.*--keep-damaged"):
        build(tmp_path / "strict", dump, until="pages")
    commits = build(tmp_path / "kept", dump, sections={"input": {"keep_damaged": True}}, until="pages")
    counts = commits["extract"].counts
    assert counts["damaged.ranges"] == 1
    assert counts["damaged.bytes"] > 0
    assert 20 < counts["pages.article"] < 40
    assert "damaged" in commits["extract"].warnings[0]
    damaged = [r for r in rows(tmp_path / "kept", "rejects") if r["reason"] == "damaged range"]
    assert [(r["page_id"], r["title"]) for r in damaged] == [(None, None)]
    assert "bytes" in damaged[0]["detail"]
    store = Store(str(tmp_path / "kept"))
    assert list(check_corpus(store, read_manifest(store))) == []


def test_the_cut_of_the_dump_does_not_change_the_rows(tmp_path: Path) -> None:
    made = []
    for i, size in enumerate((32.0, 0.006, 0.002)):
        build(tmp_path / str(i), DATA / "genre56.xml", sections={"input": {"range_mb": size}}, until="vocabulary")
        made.append([rows(tmp_path / str(i), name) for name in COMPARED])
    assert made[0] == made[1] == made[2]


# The stage `pages`.


def test_a_second_page_of_one_title_is_a_reject_and_makes_no_records(tmp_path: Path) -> None:
    dump = write_dump(
        tmp_path / "d.xml",
        xml_page(7, "Oslo", TEXT + " This one came second."),
        xml_page(3, "Oslo", TEXT),
        xml_page(4, "Norway", "The capital of this country in the north is [[Oslo]]."),
    )
    commits = build(tmp_path / "out", dump)
    assert kinds(commits) == {"article": 3}
    assert kinds(commits, "pages") == {"article": 2, "reject": 1}
    assert commits["pages"].counts["also.rejects.duplicate_title"] == 1
    assert rejects(tmp_path) == [(7, "Oslo", "duplicate title")]
    assert commits["records"].counts["pages.skipped.duplicate_title"] == 1
    assert {r["page_id"] for r in rows(tmp_path / "out", "records")} == {3, 4}
    store = Store(str(tmp_path / "out"))
    assert list(check_corpus(store, read_manifest(store))) == []


def test_a_dump_given_twice_is_refused(tmp_path: Path) -> None:
    pages = [xml_page(i, f"T{i}", TEXT) for i in range(1, 4)]
    one = write_dump(tmp_path / "a.xml", *pages)
    two = write_dump(tmp_path / "b.xml", *pages)
    with pytest.raises(WikiprepError):
        build(tmp_path / "out", one, two, until="pages")


def test_templates_are_counted_over_the_dump(tmp_path: Path) -> None:
    commits = extracted(
        tmp_path,
        xml_page(1, "A", "{{lang|fr|eau}} is {{unknown|x}} {{unknown}} water that everybody drinks."),
        xml_page(2, "B", "{{unknown}} {{other}} and some words of text."),
    )
    made = rows(tmp_path / "out", "tables/templates.parquet")
    table = {r["name"]: (r["rendered"], r["dropped"], r["pages"]) for r in made}
    assert table == {"Unknown": (0, 3, 2), "Other": (0, 1, 1), "Lang": (1, 0, 1)}
    assert next(iter(table)) == "Unknown"
    counts = commits["pages"].counts
    assert (counts["templates.found"], counts["templates.rendered"], counts["templates.dropped"]) == (5, 1, 4)
