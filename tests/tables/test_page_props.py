"""Page properties from page_props.sql: look-ups, and files that hold nothing are named."""

import gzip
import re
from pathlib import Path

import pytest
from hypothesis import given, settings
from hypothesis import strategies as st

from wikiprep.errors import WikiprepError
from wikiprep.tables.page_props import PageProperties
from wikiprep.tables.page_props_sql import build_properties

HEAD = """-- MySQL dump
CREATE TABLE `page_props` (
  `pp_page` int(10) unsigned NOT NULL,
  `pp_propname` varbinary(60) NOT NULL,
  `pp_value` blob NOT NULL,
  `pp_sortkey` float DEFAULT NULL,
  PRIMARY KEY (`pp_page`,`pp_propname`)
) ENGINE=InnoDB DEFAULT CHARSET=binary;
"""
TAIL = "-- Dump completed on 2026-09-01 10:00:00\n"


def sql(path: Path, rows: list[tuple[int, str, str]]) -> Path:
    values = ",".join(f"({page},'{name}','{value}',NULL)" for page, name, value in rows)
    insert = f"INSERT INTO `page_props` VALUES {values};\n" if rows else ""
    path.write_bytes(gzip.compress((HEAD + insert + TAIL).encode()))
    return path


def test_look_ups(tmp_path: Path) -> None:
    rows = [
        (30, "wikibase_item", "Q42"),
        (7, "disambiguation", ""),
        (7, "wikibase_item", "Q123456789012"),
        (9, "defaultsort", "Adams, (Douglas)"),
        (11, "wikibase_item", "P31"),
        (12, "wikibase_item", "Q"),
    ]
    made = build_properties(sql(tmp_path / "p.sql.gz", rows), tmp_path)
    assert made.counts == {
        "properties.read": 6,
        "properties.disambiguation": 1,
        "properties.items": 2,
        "properties.malformed_items": 2,
        "properties.others": 1,
    }
    properties = PageProperties.open(tmp_path)
    assert [properties.qid(page) for page in (7, 9, 30, 11, 31, -1)] == ["Q123456789012", None, "Q42", None, None, None]
    assert [properties.is_disambiguation(page) for page in (6, 7, 8, 30)] == [False, True, False, False]


@settings(max_examples=20, deadline=None)
@given(st.dictionaries(st.integers(1, 10**9), st.integers(1, 10**9), min_size=1))
def test_every_item_is_found(tmp_path_factory: pytest.TempPathFactory, items: dict[int, int]) -> None:
    folder = tmp_path_factory.mktemp("properties")
    rows = [(page, "wikibase_item", f"Q{item}") for page, item in items.items()]
    made = build_properties(sql(folder / "p.sql.gz", rows), folder)
    assert made.warnings[0].endswith("holds not a single disambiguation page")
    properties = PageProperties.open(folder)
    assert {page: properties.qid(page) for page in items} == {page: f"Q{item}" for page, item in items.items()}
    assert properties.qid(max(items) + 1) is None


def test_files_without_rows_are_named(tmp_path: Path) -> None:
    """dbpedia-spotlight/model-quickstarter#14: an empty type file must not pass for a success."""
    with pytest.raises(WikiprepError, match=r"p\.sql\.gz"):
        build_properties(sql(tmp_path / "p.sql.gz", []), tmp_path)
    with pytest.raises(WikiprepError, match=r"q\.sql\.gz: none of its 1 rows"):
        build_properties(sql(tmp_path / "q.sql.gz", [(1, "defaultsort", "X")]), tmp_path)
    (tmp_path / "page_props.sql.gz").write_bytes(b"<!DOCTYPE html><title>404</title>")
    with pytest.raises(WikiprepError, match=r"page_props\.sql\.gz"):
        build_properties(tmp_path / "page_props.sql.gz", tmp_path)
    with pytest.raises(WikiprepError, match="disambiguations"):
        PageProperties.open(tmp_path / "nowhere")


def test_a_real_table(tmp_path: Path, shared_data: Path) -> None:
    """Rows of the Romansh wiki, 2024, against a plain search in the text."""
    path = shared_data / "sql" / "rmwiki-20240301-page_props.sql.gz"
    text = gzip.decompress(path.read_bytes())
    items = dict(re.findall(rb"\((\d+),'wikibase_item','(Q\d+)'", text))
    pages = set(re.findall(rb"\((\d+),'disambiguation',''", text))
    made = build_properties(path, tmp_path)
    assert (made.counts["properties.items"], made.counts["properties.disambiguation"]) == (len(items), len(pages))
    properties = PageProperties.open(tmp_path)
    assert {page: properties.qid(int(page)) for page in items} == {page: item.decode() for page, item in items.items()}
    assert items
