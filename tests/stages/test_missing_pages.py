"""A dump that lacks pages which page_props of its date knows."""

import pytest
from building import manifest
from exports import export, put
from inline import build, xml_page

TEXT = "The [[Sun]] is a star and the [[Moon]] goes around the [[Earth]] once a month, as they say."
DUMP = "enwiki-2026-11-01-p10p20.xml.bz2"


def props(folder, rows, date="20261101"):
    values = ",".join(f"({page},'{name}','{value}')" for page, name, value in rows)
    path = folder / f"enwiki-{date}-page_props.sql"
    path.write_text(
        "CREATE TABLE `page_props` (\n  `pp_page` int,\n  `pp_propname` varbinary(60),\n  `pp_value` blob\n);\n"
        f"INSERT INTO `page_props` VALUES {values};\n-- Dump completed on 2026-11-01\n"
    )
    return {"input": {"page_props": str(path)}}


def items(*pages):
    return [(page, "wikibase_item", f"Q{page}") for page in pages]


def dump(folder, *more, name=DUMP):
    pages = [xml_page(number, title, TEXT) for number, title in ((10, "Sun"), (13, "Moon"), (20, "Earth"))]
    put(folder, name, export([*pages, *more]))
    return folder / name


def said(folder):
    return [line for line in manifest(folder)["warnings"] if "the dump lacks" in line]


def test_pages_in_the_range_of_the_dump_are_counted(tmp_path):
    sections = props(tmp_path, items(9, 10, 11, 12, 13, 20, 21))  # 9 and 21 are outside
    commits = build(tmp_path / "out", dump(tmp_path), sections=sections)
    (line,) = said(tmp_path / "out")
    assert "lacks 2 of the 5 pages (40.0%)" in line
    assert "page id 11, 12" in line
    assert commits["pages"].counts["also.page_props.missing"] == 2
    assert commits["pages"].counts["also.page_props.pages"] == 5


def test_a_whole_dump_lacks_none(tmp_path):
    commits = build(tmp_path / "out", dump(tmp_path), sections=props(tmp_path, items(10, 13, 20, 99)))
    assert not said(tmp_path / "out")
    assert commits["pages"].counts["also.page_props.pages"] == 3


@pytest.mark.parametrize(("talk", "missing"), [(False, 0), (True, 1)])
def test_pages_without_an_item_are_asked_only_of_a_dump_with_talk_pages(tmp_path, talk, missing):
    rows = [*items(10, 13, 20), (14, "defaultsort", "x")]
    more = [xml_page(15, "Talk:Sun", "yes", ns=1)] if talk else []
    commits = build(tmp_path / "out", dump(tmp_path, *more), sections=props(tmp_path, rows))
    assert commits["pages"].counts["also.page_props.missing"] == missing


def test_another_date_says_nothing(tmp_path):
    sections = props(tmp_path, items(10, 11), "20261001")
    sections["input"]["allow_other_dates"] = True
    commits = build(tmp_path / "out", dump(tmp_path), sections=sections)
    assert not said(tmp_path / "out")
    assert "also.page_props.missing" not in commits["pages"].counts


def test_pages_of_absent_parts_are_not_counted_again(tmp_path):
    folder = tmp_path / "d"
    dump(folder, name="enwiki-20261101-pages-articles1.xml-p1p20.bz2")
    late = [xml_page(40, "Mars", TEXT), xml_page(45, "Io", TEXT)]
    put(folder, "enwiki-20261101-pages-articles3.xml-p40p60.bz2", export(late))
    sections = props(tmp_path, items(10, 25, 30, 40, 44, 45, 50))
    sections["input"]["allow_missing_parts"] = True
    commits = build(tmp_path / "out", folder, sections=sections)
    counts = commits["pages"].counts  # 25 and 30 lie in the absent part, 44 and 50 in what is here
    assert (counts["also.page_props.missing"], counts["also.page_props.pages"]) == (2, 5)
