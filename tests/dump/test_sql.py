"""Table dumps by column name: every year's columns, every way a string can look."""

import gzip

import pytest
from hypothesis import given, settings
from hypothesis import strategies as st

from wikiprep.dump.sql import read_rows
from wikiprep.errors import WikiprepError

CREATE = """-- MySQL dump 10.19
DROP TABLE IF EXISTS `page`;
CREATE TABLE `page` (
  `page_id` int(10) unsigned NOT NULL AUTO_INCREMENT,
  `page_title` varbinary(255) NOT NULL DEFAULT '',
  `page_random` double unsigned NOT NULL,
  `page_lang` varbinary(35) DEFAULT NULL,
  PRIMARY KEY (`page_id`),
  UNIQUE KEY `name_title` (`page_title`)
) ENGINE=InnoDB;
"""
END = "-- Dump completed on 2026-01-01\n"


def put(tmp_path, text: str | bytes, name: str = "t.sql"):
    data = text.encode() if isinstance(text, str) else text
    path = tmp_path / name
    path.write_bytes(gzip.compress(data) if name.endswith("gz") else data)
    return str(path)


def quoted(value: bytes) -> bytes:
    for char, escaped in ((b"\\", b"\\\\"), (b"'", b"\\'"), (b'"', b'\\"'), (b"\0", b"\\0"), (b"\n", b"\\n")):
        value = value.replace(char, escaped)
    return b"'" + value.replace(b"\r", b"\\r").replace(b"\x1a", b"\\Z") + b"'"


@given(rows=st.lists(st.tuples(st.integers(0, 2**40), st.binary(max_size=30), st.none() | st.binary(max_size=4))))
@settings(max_examples=60, deadline=None)
def test_any_string_survives(tmp_path_factory, rows):
    tmp_path = tmp_path_factory.mktemp("sql")
    inserts = b"".join(
        b"INSERT INTO `page` VALUES (%d,_binary %s,0.5e-3,%s);\n" % (n, quoted(t), b"NULL" if x is None else quoted(x))
        for n, t, x in rows
    )
    path = put(tmp_path, CREATE.encode() + inserts + END.encode(), "t.sql.gz")
    assert list(read_rows(path, ["page_lang", "page_id", "page_title"])) == [(x, n, t) for n, t, x in rows]


def test_strings_that_look_like_sql(tmp_path):
    row = r"INSERT INTO `page` VALUES (1,'a),(2,\'b\'; INSERT INTO `page` (3','0',NULL),(-2,'it''s\\',1.5,0x4142);"
    path = put(tmp_path, CREATE + row + "\n" + END)
    assert list(read_rows(path, ["page_id", "page_title", "page_lang"])) == [
        (1, b"a),(2,'b'; INSERT INTO `page` (3", None),
        (-2, b"it's\\", b"AB"),
    ]


def test_one_long_insert(tmp_path):
    values = ",".join(f"({i},'Title_{i}_{'x' * 30}',0.{i},NULL)" for i in range(60_000))
    path = put(tmp_path, CREATE + f"INSERT INTO `page` VALUES {values};\n" + END, "t.sql.gz")
    rows = list(read_rows(path, ["page_id"]))
    assert len(rows) == 60_000
    assert rows[-1] == (59_999,)


def test_columns_named_in_the_insert(tmp_path):
    path = put(tmp_path, "INSERT INTO page (page_title, page_id) VALUES ('A', 1), ('B', 2);")
    assert list(read_rows(path, ["page_id", "page_title"])) == [(1, b"A"), (2, b"B")]


@pytest.mark.parametrize(
    ("name", "data", "words"),
    [
        ("t.sql", "", "is empty"),
        ("t.sql.gz", "", "holds no table"),
        ("t.sql", "INSERT INTO `page` VALUES (1,'A');", r"byte 26 without a CREATE TABLE"),
        ("t.sql", CREATE + "INSERT INTO `page` VALUES (1,'A',0.5,NULL),(2,'B", r"cut or wrong at byte \d+"),
        ("t.sql", CREATE + "INSERT INTO `page` VALUES (1,'A',0.5,NULL);\n", "last line"),
        ("t.sql", CREATE + "INSERT INTO `page` VALUES (1,'A');\n" + END, "2 values in a table of 4"),
        ("t.sql", CREATE + "INSERT INTO `page` VALUES (1,A,0.5,NULL);\n" + END, "cut or wrong"),
        ("t.sql", "hello", "holds no table"),
    ],
)
def test_what_is_wrong_is_named(tmp_path, name, data, words):
    with pytest.raises(WikiprepError, match=words) as error:
        list(read_rows(put(tmp_path, data, name), ["page_id"]))
    assert name in error.value.what
    assert error.value.hint


def test_a_missing_column_names_those_there_are(tmp_path):
    path = put(tmp_path, CREATE + "INSERT INTO `page` VALUES (1,'A',0.5,NULL);\n" + END)
    with pytest.raises(WikiprepError, match="no column page_namespace") as error:
        list(read_rows(path, ["page_id", "page_namespace"]))
    assert "page_id, page_title" in error.value.hint


def test_html_and_cut_gzip(tmp_path):
    (tmp_path / "page.sql.gz").write_bytes(b"<html><head><title>503</title>")
    with pytest.raises(WikiprepError, match="HTML page"):
        list(read_rows(str(tmp_path / "page.sql.gz"), ["page_id"]))
    whole = gzip.compress((CREATE + "INSERT INTO `page` VALUES (1,'A',0.5,NULL);\n" * 50 + END).encode())
    (tmp_path / "cut.sql.gz").write_bytes(whole[: len(whole) - 20])
    with pytest.raises(WikiprepError, match=r"cut\.sql\.gz: .*gz"):
        list(read_rows(str(tmp_path / "cut.sql.gz"), ["page_id"]))


def test_real_tables_of_old_and_new_years(shared_data):
    folder = shared_data / "sql"
    wanted = ["page_id", "page_namespace", "page_title", "page_is_redirect"]
    assert len(list(read_rows(str(folder / "mtwiki-20160111-page.sql.gz"), wanted))) == 14661
    assert next(iter(read_rows(str(folder / "itwikibooks-20240301-page.sql.gz"), wanted))) == (
        54321,
        0,
        b"Allegra,_allegra",
        0,
    )
    assert len(list(read_rows(str(folder / "multiple-inserts.sql"), ["pp_page", "pp_value"]))) == 4
    assert tuple(
        len(list(read_rows(str(folder / f"{wiki}-20160111-redirect.sql.gz"), ["rd_from", "rd_fragment"])))
        for wiki in ("mtwiki", "ngwiki")
    ) == (2667, 21)
