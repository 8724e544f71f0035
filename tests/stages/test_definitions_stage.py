"""`--templates expand`, the default: Template pages anywhere in the dump serve the articles of all ranges."""

import bz2
from pathlib import Path
from typing import Any

import pytest
from inline import build, rows, write_dump, xml_page

from wikiprep.dump.range_bytes import read_chunks
from wikiprep.dump.ranges import Range
from wikiprep.guard.guard import GuardResult
from wikiprep.units.stage import Commit

TEXT = (
    "Oslo is {{Magnitude of it|big}} and {{Grosse|old}} and {{Script}}{{Box}}{{Long way round}} and "
    "{{nowrap|cold}}{{No break|er}}.{{City}}"
)


def template(number: int, name: str, text: str, redirect: str | None = None) -> str:
    return xml_page(number, f"Template:{name}", text, redirect=redirect).replace("<ns>0</ns>", "<ns>10</ns>")


def made(folder: Path, templates: str, **sections: Any) -> tuple[str, dict[str, Commit]]:
    folder.mkdir()
    dump = write_dump(
        folder / "d.xml",
        xml_page(1, "Oslo", TEXT),
        template(2, "Magnitude of it", "a {{{1}}} ''city''<noinclude>{{doc}}</noinclude>"),
        template(3, "Grosse", "", redirect="Template:Magnitude of it"),
        template(4, "Script", "{{#invoke:X|y}}"),
        template(5, "Box", "{|\n| a\n|}"),
        template(6, "Loop", "", redirect="Template:Long way round"),
        template(7, "Long way round", "", redirect="Template:Loop"),
        template(8, "No break", "", redirect="Template:nowrap"),
        template(9, "City", "{{Navigation|a=[[Oslo]]}}"),
        template(10, "Navigation", '<div class="navbox">{{{a}}}</div>'),
    )
    commits = build(folder / "out", dump, sections={"extract": {"templates": templates}} | sections, until="extract")
    (row,) = rows(folder / "out", "articles")
    return " / ".join(p["text"] for p in row["paragraphs"]), commits


def test_simple_templates_of_the_dump_become_text(tmp_path: Path) -> None:
    text, commits = made(tmp_path / "a", "expand")
    assert text == "Oslo is a big city and a old city and and colder."
    assert commits["template_pages"].counts == {
        "template_pages.read": 9,
        "template_pages.simple": 2,
        "template_pages.script": 1,
        "template_pages.redirect": 4,
        "template_pages.left_out.box": 2,
    }
    assert commits["definitions"].counts == {"definitions.templates": 2, "definitions.redirects": 2}


@pytest.mark.parametrize(
    ("templates", "expected"), [("render", "Oslo is and and and cold."), ("drop", "Oslo is and and and .")]
)
def test_other_policies_read_no_template_pages(tmp_path: Path, templates: str, expected: str) -> None:
    text, commits = made(tmp_path / "a", templates)
    assert text == expected
    assert "template_pages" not in commits


def test_the_cut_of_the_dump_changes_nothing(tmp_path: Path) -> None:
    whole = made(tmp_path / "a", "expand")[0]
    assert made(tmp_path / "b", "expand", input={"range_mb": 0.001})[0] == whole


def test_a_dump_without_template_pages_is_read_by_the_tables_in_silence(tmp_path: Path) -> None:
    page = xml_page(1, "Oslo", TEXT)
    expanded = build(tmp_path / "a", write_dump(tmp_path / "d.xml", page), until="extract")
    sections = {"extract": {"templates": "render"}}
    build(tmp_path / "b", write_dump(tmp_path / "d.xml", page), sections=sections, until="extract")
    assert rows(tmp_path / "a", "articles") == rows(tmp_path / "b", "articles")
    assert expanded["template_pages"].counts == {}
    assert not any(expanded[name].warnings for name in ("template_pages", "definitions"))


@pytest.mark.parametrize("cut", [32.0, 0.002])
def test_a_packed_dump_is_unpacked_once(tmp_path: Path, monkeypatch: pytest.MonkeyPatch, cut: float) -> None:
    """What `template_pages` unpacked `extract` reads, and takes away; the pages are the same."""
    pages = [xml_page(n, f"P{n}", f"{{{{T|{n}}}}} [[P{n + 1}]]. " * 40) for n in range(60)]
    plain = write_dump(tmp_path / "d.xml", *pages, template(99, "T", "a {{{1}}}"))
    packed = tmp_path / "d.xml.bz2"
    packed.write_bytes(bz2.compress(plain.read_bytes(), 1))
    ranges = []

    def counted(piece: Range, *rest: Any) -> Any:
        ranges.append(piece.start)
        return read_chunks(piece, *rest)

    monkeypatch.setattr("wikiprep.dump.pages.read_chunks", counted)
    monkeypatch.setattr("wikiprep.guard.guard.Guard.run", in_this_process)
    sections = {"input": {"range_mb": cut}}
    build(tmp_path / "a", packed, sections=sections, until="extract")
    assert ranges == []
    build(tmp_path / "b", packed, sections=sections | {"extract": {"templates": "render"}}, until="extract")
    assert ranges
    build(tmp_path / "c", plain, until="extract")
    a, b, c = ([row["paragraphs"] for row in rows(tmp_path / folder, "articles")] for folder in "abc")
    assert a == c != b
    assert not list((tmp_path / "a").rglob("*.zst"))


class NoWatch:
    def begin(self, *page: Any) -> None:
        pass

    def end(self) -> None:
        pass


def in_this_process(self: Any, work: Any, payload: Any, report: Any, name: str) -> GuardResult[Any]:
    return GuardResult(work(payload, NoWatch(), {}, None), [])
