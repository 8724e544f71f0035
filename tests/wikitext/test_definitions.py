"""Templates that a wiki defines itself: what of a Template page is used, and how a call is expanded."""

import time

import pytest

from wikiprep.dump.site import Site
from wikiprep.wikitext.extract import extract
from wikiprep.wikitext.templates.definition import MAX_LENGTH, prepare

EN = Site.for_language("en")


class Wiki:
    """Definitions from Template pages."""

    def __init__(self, **pages: str) -> None:
        self.bodies = {name: prepare(text)[0] for name, text in pages.items()}

    def find(self, name: str) -> str | None:
        return self.bodies.get(name) or None


def text_of(wikitext: str, **pages: str) -> str:
    found = extract(wikitext, "Page", EN, definitions=Wiki(**pages))
    return "\n".join(p.text for p in found.paragraphs)


@pytest.mark.parametrize(
    ("page", "used"),
    [
        ("a {{{1}}}", "a {{{1}}}"),
        ("a<noinclude> doc {{documentation}}</noinclude>", "a"),
        ("a<noinclude>never closed", "a"),
        ("<includeonly>b</includeonly><noinclude>c</noinclude>", "b"),
        ("x <onlyinclude>b</onlyinclude> y <onlyinclude>c</onlyinclude>", "bc"),
        ("a<!-- note -->b", "ab"),
        ("<NOINCLUDE>a</NOINCLUDE>b", "b"),
    ],
)
def test_the_part_of_a_page_that_is_transcluded(page: str, used: str) -> None:
    assert prepare(page) == (used, "simple")


@pytest.mark.parametrize(
    ("page", "reason"),
    [
        ("<noinclude>only documentation</noinclude>", "empty"),
        (" \n", "empty"),
        ("{{#invoke:Lang|lang}}", "script"),
        ("{|\n| a\n|}", "box"),
        ('<div class="navbox">a</div>', "box"),
        ("|-\n| row of a table", "box"),
        ("x" * (MAX_LENGTH + 1), "long"),
    ],
)
def test_what_is_no_text_is_left_out_for_a_reason(page: str, reason: str) -> None:
    assert prepare(page) == ("", reason)


@pytest.mark.parametrize(
    ("call", "page", "shown"),
    [
        ("{{T|Oslo}}", "''{{{1}}}''", "Oslo"),
        ("{{T}}", "{{{1|nobody}}}", "nobody"),
        ("{{T|}}x", "a{{{1|nobody}}}", "ax"),
        ("{{T|name=Oslo}}", "{{{name|}}}{{{other|}}}", "Oslo"),
        ("{{T|2=b|1=a}}", "{{{1}}}{{{2}}}", "ab"),
        ("{{T|a|b}}", "{{#if:{{{2|}}}|{{{2}}} of {{{1}}}|{{{1}}}}}", "b of a"),
        ("{{T|a}}", "{{#if:{{{2|}}}|{{{2}}} of {{{1}}}|{{{1}}}}}", "a"),
        ("{{T|km}}", "{{#switch:{{{1}}}|m=metres|km|kilometre=kilometres|#default=?}}", "kilometres"),
        ("{{T|{{T|x}}}}", "({{{1}}})", "((x))"),
        ("{{T|a}}", "{{{{{which|Wrap}}}|{{{1}}}}}", "[a]"),
        ("{{Template:T|a}}", "{{{1}}}", "a"),
        ("{{t|a}}", "{{{1}}}", "a"),
        ("{{T|a{{=}}b}}", "{{Wrap|{{{1}}}}}", "[a=b]"),
    ],
)
def test_calls(call: str, page: str, shown: str) -> None:
    assert text_of(f"It is {call}.", T=page, Wrap="&#91;{{{1}}}&#93;") == f"It is {shown}."


def test_links_of_a_definition_are_links_of_the_page() -> None:
    found = extract("See {{T|Oslo}}s.", "Page", EN, definitions=Wiki(T="[[{{{1}}} Airport|{{{1}}}]]"))
    (paragraph,) = found.paragraphs
    assert paragraph.text == "See Oslos."
    assert [(link.start, link.end, link.target) for link in paragraph.links] == [(4, 8, "Oslo Airport")]
    assert found.links["found"] == found.links["kept"] == 1
    assert found.templates == {("T", "rendered"): 1}


def test_a_list_begins_a_line_and_what_shows_nothing_leaves_no_debris() -> None:
    assert text_of("Before {{T}} after.", T="* item") == "Before\nitem after."
    assert text_of("Oslo ({{T}}) is.", T="{{#if:{{{1|}}}|{{{1}}}}}") == "Oslo is."


def test_the_shipped_tables_go_first() -> None:
    assert text_of("It is {{convert|5|km|mi|abbr=on}}.", Convert="wrong") == "It is 5 km (3.1 mi)."


def test_templates_that_call_each_other_end() -> None:
    assert text_of("A {{T}} b.", T="x {{T}} {{Again}}", Again="{{T}}{{T}}").startswith("A x x")


@pytest.mark.parametrize("body", ["{{T|{{{1}}}{{{1}}}}}{{T|{{{1}}}}}", "{{T}}{{T}}{{T}}", "{{{1}}}{{{1}}}" * 50])
def test_definitions_that_grow_without_end_are_bounded(body: str) -> None:
    began = time.monotonic()
    found = extract("{{T|" * 50 + "words " * 2000 + "}}" * 50, "Page", EN, definitions=Wiki(T=body))
    assert sum(len(p.text) for p in found.paragraphs) < 200_000
    assert time.monotonic() - began < 10
