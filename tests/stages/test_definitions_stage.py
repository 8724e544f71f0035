"""`--templates expand`: Template pages anywhere in the dump serve the articles of all ranges."""

from pathlib import Path
from typing import Any

import pytest
from building import DATA
from inline import build, rows, write_dump, xml_page

from wikiprep.stages.stage import Commit

TEXT = "Oslo is {{Magnitude of it|big}} and {{Grosse|old}} and {{Script}}{{Box}}{{Long way round}} and {{nowrap|cold}}."


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
    )
    commits = build(folder / "out", dump, sections={"extract": {"templates": templates}} | sections, until="extract")
    (row,) = rows(folder / "out", "articles")
    return " / ".join(p["text"] for p in row["paragraphs"]), commits


def test_simple_templates_of_the_dump_become_text(tmp_path: Path) -> None:
    text, commits = made(tmp_path / "a", "expand")
    assert text == "Oslo is a big city and a old city and and cold."
    assert commits["template_pages"].counts == {
        "template_pages.read": 6,
        "template_pages.simple": 1,
        "template_pages.redirect": 3,
        "template_pages.left_out.box": 1,
        "template_pages.left_out.script": 1,
    }
    assert commits["definitions"].counts == {"definitions.templates": 1, "definitions.redirects": 1}


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


def test_a_dump_without_template_pages_is_told(tmp_path: Path) -> None:
    dump = DATA / "genre56.xml"
    commits = build(tmp_path / "out", dump, sections={"extract": {"templates": "expand"}}, until="extract")
    read = commits["template_pages"].counts.get("template_pages.read", 0)
    assert bool(commits["template_pages"].warnings) == (read == 0)
