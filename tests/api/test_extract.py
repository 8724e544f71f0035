"""`wikiprep.extract` is what `wikiprep wikitext` prints."""

import dataclasses
from pathlib import Path
from typing import Any

import orjson
import pytest
from click.testing import CliRunner

import wikiprep
from wikiprep.api.build_options import TextOptions
from wikiprep.api.extract import page_json, site_of
from wikiprep.cli.main import cli
from wikiprep.cli.options import SEPARATOR
from wikiprep.cli.wikitext import command
from wikiprep.config import ExtractConfig
from wikiprep.dump.siteinfo import PROJECTS

TEXT = (
    "Die '''Aa''' ist ein [[Fluss#Arten|Fluss]]arm.\n"
    "* [[Datei:X.png|mini|Bild]] [[Aa]] {{Unbekannt}}\n[[Kategorie:Fluss]]"
)


def test_a_page_has_text_links_and_an_account() -> None:
    page = wikiprep.extract(TEXT, language="de", title="Aa")
    assert (page.title, page.kind, page.redirect, page.categories) == ("Aa", "article", None, ["Fluss"])
    assert page.text == "Die Aa ist ein Flussarm.\nAa"
    (link,) = page.paragraphs[0].links
    assert (page.paragraphs[0].text[link.start : link.end], link.target, link.fragment) == (
        "Flussarm",
        "Fluss",
        "Arten",
    )
    assert page.links["found"] == sum(n for reason, n in page.links.items() if reason != "found")
    assert page.templates["Unbekannt", "dropped"] == 1
    assert isinstance(page, wikiprep.Article) and page.page_id is None


@pytest.mark.parametrize(
    "options",
    [
        {},
        {"project": "wiktionary"},
        {"captions": True},
        {"templates": "drop"},
        {"timestamp": "2026-11-02T11:00:00+01:00"},
    ],
)
def test_it_is_what_the_command_prints(tmp_path: Path, options: dict[str, Any]) -> None:
    (tmp_path / "Aa.wiki").write_text(TEXT)
    words = [word for name, value in options.items() for word in (f"--{name}", *([] if value is True else [value]))]
    result = CliRunner().invoke(cli, ["wikitext", str(tmp_path / "Aa.wiki"), "--lang", "de", *words])
    assert orjson.loads(result.output) == orjson.loads(
        page_json(wikiprep.extract(TEXT, language="de", title="Aa", **options))
    )


def test_its_options_are_those_of_the_command_and_of_a_build() -> None:
    """`max_page_mb` is for dumps, and a table of templates is an argument of its own."""
    fields = {field.name for field in dataclasses.fields(ExtractConfig)} - {"max_page_mb", "template_table"}
    of_command = {param.name.partition(SEPARATOR)[2]: param for param in command.params if SEPARATOR in param.name}
    assert set(TextOptions.__annotations__) == fields == set(of_command)
    assert all(param.default is None for param in of_command.values())  # a build's: `apply` has them


def test_a_project_has_its_own_templates_and_titles() -> None:
    """A Wiktionary's titles begin in small letters too, and its `{{l}}` is a link."""
    (paragraph,) = wikiprep.extract("{{l|lv|burts}}, [[cat]]", project="wiktionary").paragraphs
    assert [(paragraph.text[link.start : link.end], link.target) for link in paragraph.links] == [
        ("burts", "burts"),
        ("cat", "cat"),
    ]
    for project in PROJECTS:
        assert site_of("en", project).siteinfo.project == project
        assert site_of("de", project).siteinfo.project == project


def test_a_redirect_says_where_it_leads() -> None:
    page = wikiprep.extract("#WEITERLEITUNG [[Fluss#Arten]]", language="de", title="Aa")
    assert page.kind == "redirect" and list(page.paragraphs) == []
    assert page.redirect is not None and (page.redirect.title, page.redirect.fragment) == ("Fluss", "Arten")


def test_a_table_of_templates_by_its_file(tmp_path: Path) -> None:
    table = tmp_path / "own.txt"
    table.write_text("Unbekannt = bekannt\n")
    assert wikiprep.extract(TEXT, language="de", title="Aa", template_table=table).text.endswith("Aa bekannt")
    with pytest.raises(wikiprep.WikiprepError, match=r"absent\.txt"):
        wikiprep.extract(TEXT, template_table=tmp_path / "absent.txt")


@pytest.mark.parametrize(
    ("options", "what"),
    [
        ({"language": "xx-nonsense"}, "no language code"),
        ({"timestamp": "yesterday"}, "'yesterday' is no time"),
        ({"project": "wikipaedia"}, "it takes wikipedia, wiktionary"),
        ({"math": "html"}, "it takes text or tex or drop"),
        ({"templates": "none"}, "it takes expand or render or drop"),
        ({"captoins": True}, "captions"),
        ({"link_numbers": "no"}, "it takes keep or drop"),
    ],
)
def test_what_cannot_be_is_told(options: dict[str, Any], what: str) -> None:
    with pytest.raises(wikiprep.UsageError, match=what):
        wikiprep.extract("text", **options)
