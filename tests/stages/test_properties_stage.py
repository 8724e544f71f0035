"""The stage `properties`: what page_props says reaches the pages, and what is no page_props stops the build."""

import gzip
from pathlib import Path

import pytest
from inline import build, kinds, rows, write_dump, xml_page

from wikiprep.errors import UsageError, WikiprepError
from wikiprep.units.stage import Commit

SQL = """-- MySQL dump
CREATE TABLE `page_props` (
  `pp_page` int(10) unsigned NOT NULL,
  `pp_propname` varbinary(60) NOT NULL DEFAULT '',
  `pp_value` blob NOT NULL,
  `pp_sortkey` float DEFAULT NULL,
  PRIMARY KEY (`pp_page`,`pp_propname`)
) ENGINE=InnoDB DEFAULT CHARSET=binary;
INSERT INTO `page_props` VALUES %s;
-- Dump completed on 2026-01-01
"""
ROWS = "(1,'wikibase_item','Q585',NULL),(2,'disambiguation','',NULL),(2,'wikibase_item','Q7',NULL),(1,'notoc','',NULL)"
TEXT = "This is a page of which [[Oslo]] and [[Bergen]] are linked with some words."


def properties(
    folder: Path, content: bytes, name: str = "enwiki-20260101-page_props.sql.gz", **options: bool
) -> dict[str, Commit]:
    path = folder / name
    path.write_bytes(gzip.compress(content) if name.endswith(".gz") and content[:1] != b"<" else content)
    dump = write_dump(
        folder / "enwiki-20260101-pages-articles.xml", xml_page(1, "Oslo", TEXT), xml_page(2, "Bergen", TEXT),
        xml_page(3, "Norway", TEXT),
    )  # fmt: skip
    return build(folder / "out", dump, sections={"input": {"page_props": str(path)} | options}, until="vocabulary")


def test_disambiguations_and_items_reach_the_articles(tmp_path: Path) -> None:
    commits = properties(tmp_path, (SQL % ROWS).encode())
    assert kinds(commits) == {"article": 2, "disambiguation": 1}
    found = [(r["title"], r["kind"], r["qid"]) for r in rows(tmp_path / "out", "articles")]
    assert found == [("Oslo", "article", "Q585"), ("Bergen", "disambiguation", "Q7"), ("Norway", "article", None)]
    assert [r["qid"] for r in rows(tmp_path / "out", "tables/pages.parquet")] == ["Q585", "Q7", None]
    assert commits["properties"].warnings == ()
    counts = commits["properties"].counts
    assert (counts["properties.read"], counts["properties.others"]) == (4, 1)


def test_another_date_that_was_allowed_is_stated_and_warned_of(tmp_path: Path) -> None:
    commits = properties(tmp_path, (SQL % ROWS).encode(), "enwiki-20251201-page_props.sql.gz", allow_other_dates=True)
    (warning,) = commits["properties"].warnings
    assert "2025-12-01" in warning
    assert "2026-01-01" in warning
    assert commits["properties"].facts["dates"] == {"dump": "2026-01-01", "page_props": "2025-12-01"}


def header(wiki: str) -> str:
    """The first lines of mysqldump."""
    return f"""-- MySQL dump 10.19  Distrib 10.3.38-MariaDB, for debian-linux-gnu (x86_64)
--
-- Host: db1166    Database: {wiki}
-- ------------------------------------------------------
"""


CATEGORIES = "CREATE TABLE `categorylinks` (\n  `cl_from` int NOT NULL\n);\nINSERT INTO `categorylinks` VALUES (1);\n"


@pytest.mark.parametrize(
    ("name", "content", "what", "hint"),
    [
        (
            "enwiki-20251201-page_props.sql.gz",
            SQL % ROWS,
            "is of 2025-12-01",
            "enwiki-20260101-page_props.sql.gz; or --a",
        ),
        (
            "dewiki-20260101-page_props.sql.gz",
            SQL % ROWS,
            "is of dewiki; the dump",
            "enwiki-20260101-page_props.sql.gz",
        ),
        (
            "page_props.sql.gz",
            header("dewiki") + SQL % ROWS,
            "is of dewiki; the dump",
            "enwiki-20260101-page_props.sql.gz",
        ),
        (
            "enwiki-20260101-page_props.sql.gz",
            header("dewiki") + SQL % ROWS,
            "is of dewiki, as its header says, whatever its name (enwiki); the dump",
            "enwiki-20260101-page_props.sql.gz",
        ),
        ("enwiktionary-20260101-page_props.sql.gz", SQL % ROWS, "is of enwiktionary", "enwiki-20260101"),
        (
            "enwiki-20260101-categorylinks.sql.gz",
            header("enwiki") + CATEGORIES,
            "is the table categorylinks, not page_props",
            "enwiki-20260101-page_props.sql.gz",
        ),
        ("enwiki-20260101-redirect.sql.gz", "", "is the table redirect, not page_props", "page_props.sql.gz"),
    ],
)
def test_a_table_of_another_wiki_date_or_kind_is_refused_before_any_stage(
    tmp_path: Path, name: str, content: str, what: str, hint: str
) -> None:
    with pytest.raises(UsageError) as caught:
        properties(tmp_path, content.encode(), name)
    assert what in caught.value.what
    assert name in caught.value.what
    assert hint in caught.value.hint
    assert not (tmp_path / "out").exists()


def test_the_date_of_the_wrong_table_is_not_told_as_the_dump_s(tmp_path: Path) -> None:
    table = tmp_path / "dewiki-20240301-page_props.sql.gz"
    table.write_bytes(gzip.compress((SQL % ROWS).encode()))
    dump = write_dump(tmp_path / "pages.xml", xml_page(1, "Oslo", TEXT))
    with pytest.raises(UsageError) as caught:
        build(tmp_path / "out", dump, sections={"input": {"page_props": str(table)}}, until="vocabulary")
    assert caught.value.hint == "take enwiki-DATE-page_props.sql.gz"


@pytest.mark.parametrize("wiki", ["enwiki", "wikidb", "copy_of_wikis"])
def test_a_header_of_this_wiki_or_of_somebody_s_copy_passes(tmp_path: Path, wiki: str) -> None:
    assert properties(tmp_path, (header(wiki) + SQL % ROWS).encode())["properties"].warnings == ()
    assert (tmp_path / "out" / "tables").exists()


def test_a_table_with_a_prefix_is_the_table(tmp_path: Path) -> None:
    commits = properties(tmp_path, (SQL % ROWS).replace("`page_props`", "`mw_page_props`").encode(), "props.sql.gz")
    assert commits["properties"].counts["properties.items"] == 2


def test_a_name_without_a_date_is_no_warning(tmp_path: Path) -> None:
    commits = properties(tmp_path, (SQL % ROWS).encode(), "page_props.sql.gz")
    assert commits["properties"].warnings == ()
    assert commits["properties"].facts["dates"]["page_props"] is None


def test_a_table_without_items_is_warned_of(tmp_path: Path) -> None:
    commits = properties(tmp_path, (SQL % "(2,'disambiguation','',NULL)").encode())
    assert "not a single Wikidata item" in commits["properties"].warnings[0]


@pytest.mark.parametrize(
    "content",
    [
        b"",
        b"<!DOCTYPE html><html><body>404 Not Found</body></html>",
        b"-- MySQL dump\n",
        (SQL % "(1,'notoc','',NULL)").encode(),
        (SQL % ROWS).encode().split(b"VALUES")[0],
        (SQL % ROWS).encode()[:-30],
        b"nothing of the kind",
    ],
    ids=["empty", "html", "comment", "no such property", "no rows", "cut", "text"],
)
def test_what_is_no_page_props_stops_the_build_before_the_dump_is_read(tmp_path: Path, content: bytes) -> None:
    with pytest.raises(WikiprepError) as caught:
        properties(tmp_path, content)
    assert "enwiki-20260101-page_props.sql.gz" in caught.value.what
    assert not (tmp_path / "out" / "articles").exists()


def test_a_missing_file_is_named(tmp_path: Path) -> None:
    with pytest.raises(UsageError, match=r"nowhere\.sql: no such file"):
        build(
            tmp_path / "out",
            write_dump(tmp_path / "d.xml", xml_page(1, "A", TEXT)),
            sections={"input": {"page_props": str(tmp_path / "nowhere.sql")}},
        )


def test_page_props_of_another_wiki_is_said(tmp_path: Path) -> None:
    commits = properties(tmp_path, (SQL % "(9001,'wikibase_item','Q1',NULL),(9002,'disambiguation','',NULL)").encode())
    assert any("none of its QIDs is of a page of this dump" in line for line in commits["extract"].warnings)
