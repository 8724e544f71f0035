"""Templates that a wiki defines itself: what of a Template page is used, and how a call is expanded."""

import pytest

from wikiprep.dump.site import Site
from wikiprep.wikitext.extract import extract
from wikiprep.wikitext.templates.definition import KINDS, MAX_LENGTH, Definition, prepare
from wikiprep.wikitext.templates.own_table import OwnTable

EN = Site.for_language("en")


class Wiki:
    """Definitions from Template pages."""

    def __init__(self, **pages: str) -> None:
        self.pages = {name.replace("_", " "): prepare(text) for name, text in pages.items()}

    def find(self, name: str) -> Definition | None:
        if name not in self.pages:
            return None
        body, reason = self.pages[name]
        return Definition(name, KINDS[reason], body or None)


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
        ("{{#invoke:Navbox|navbox}}", "box"),
        ("a {{#lst:Other page|part}}", "script"),
        ("{|\n| a\n|}", "box"),
        ('<div class="navbox">a</div>', "box"),
        ("|-\n| row of a table", "box"),
        ("| a\n| b", "box"),
        ("{{#switch:{{{1|}}}|a=</div>|#default=<table class='navbox {{{b|}}}'>}}<tr><td>a</td></tr></table>", "box"),
        ('<div style="a"><table class="metadata plainlinks stub"><tr><td>a</td></tr></table></div>', "box"),
        ("x" * (MAX_LENGTH + 1), "long"),
        ("{{#if:{{{1}}}|" + "x" * MAX_LENGTH + '|<div class="infobox">a</div>}}', "box"),
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
        ("{{T|a}}", "{{ {{{|safesubst:}}}#if:{{{1}}}|b}}{{safesubst:#if:|x|c}}", "bc"),
        ("{{T|a}}", "{{(!}}\n{{!}} b\n{{!)}}{{{1}}}", "a"),
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


@pytest.mark.parametrize(
    ("page", "used", "reason"),
    [
        ("{|\n| a\n|}<includeonly>\n[[Category:X]]\n</includeonly>", "[[Category:X]]", "simple"),
        ('<div class="hatnote">a</div>\n{{{1}}}', "{{{1}}}", "simple"),
        ("{{#if:{{{1|}}}\n| a\n| b\n}}", "{{#if:{{{1|}}}\n| a\n| b\n}}", "simple"),
        ("{{#switch:{{{1}}}\n| a = b\n| c = d\n}}", "{{#switch:{{{1}}}\n| a = b\n| c = d\n}}", "simple"),
        ('<div class="center">{{{1}}}</div>', '<div class="center">{{{1}}}</div>', "simple"),
        ("{{#invoke:Lang|lang}}", "{{#invoke:Lang|lang}}", "script"),
    ],
)
def test_what_is_left_of_a_page_with_boxes_functions_and_scripts(page: str, used: str, reason: str) -> None:
    assert prepare(page) == (used, reason)


@pytest.mark.parametrize(
    "page",
    [
        '{{#if:{{{1|}}}|<span class="noprint">a</span>|<sup class="noprint Inline-Template">b</sup>}}',
        "{{#if:{{{1|}}}||\n{{{!}} class=navbox\n{{!}} a\n{{!}}}}}",
        '<div class="{{#if:{{{1|}}}|x|ambox}}">a</div>',
        '<span style="display:none">{{{1|key}}}</span>',
        '<div class="x">{{#tag:references}}</div>',
        '{{Inner|<div class="stub">a</div>}}',
    ],
)
def test_a_call_whose_outcome_is_a_box_or_notice_shows_nothing(page: str) -> None:
    found = extract("Oslo ({{T}}) is.", "Page", EN, definitions=Wiki(T=page, Inner="{{{1}}}"))
    assert [p.text for p in found.paragraphs] == ["Oslo is."]
    assert found.templates == {("T", "dropped"): 1}


def test_the_order_of_who_decides_a_call() -> None:
    """A user's table, the wiki's definition, the language's table, and the common one never against a definition."""
    call = "It is {{convert|5|km|mi|abbr=on}}."
    assert text_of(call, Convert="so") == "It is so."
    assert text_of(call, Convert="a {{#invoke:Unknown|f}}") == "It is 5 km (3.1 mi)."  # English has a line for it
    assert text_of(call, Convert='<div class="navbox">a</div>') == "It is."
    own = extract(call, "Page", EN, own_templates=OwnTable(("Convert = {1}",)), definitions=Wiki(Convert="so"))
    assert [p.text for p in own.paragraphs] == ["It is 5."]
    italian = Site.for_language("it")
    notice = extract("Il merlo. {{S|uccelli}}", "P", italian, definitions=Wiki(S="{{#invoke:Stub|main}}"))
    assert [p.text for p in notice.paragraphs] == ["Il merlo."]
    assert [p.text for p in extract("{{S|a}}", "P", italian, definitions=Wiki()).paragraphs] == ["a"]  # no page there


@pytest.mark.parametrize(
    ("call", "page", "shown"),
    [
        ("{{Umr|5|km|mi|abbr=on}}", "{{#invoke:Convert|convert}}", "5 km (3.1 mi)"),
        ("{{Umr|5}}", "{{#invoke:convert|convert|{{{1}}}|km|mi|abbr=on}}", "5 km (3.1 mi)"),
        ("{{Umr|fr|Bonjour}}", "<includeonly>{{#invoke:Lang|lang}}</includeonly><noinclude>x</noinclude>", "Bonjour"),
        ("{{Umr|Bonjour}}", "{{#invoke:Lang|lang_xx_italic|code=fr}}", "French: Bonjour"),
        ("{{Umr|Tokyo|東京|Tōkyō}}", "{{#invoke:Nihongo|main}}", "Tokyo (東京, Tōkyō)"),
        ("big{{Umr|59|N|10|E}}", "{{#invoke:Coordinates|coord}}", "big"),
        ("big{{Umr|x}}", "{{#if:{{{1|}}}|, {{{1}}}}}{{#invoke:Check for unknown parameters|check}}", "big, x"),
        ("{{#invoke:convert|convert|5|km|mi|abbr=on}}", "-", "5 km (3.1 mi)"),
    ],
)
def test_scripts_that_are_known_go_to_their_functions(call: str, page: str, shown: str) -> None:
    assert text_of(f"It is {call}.", Umr=page) == f"It is {shown}."


def test_a_template_that_calls_itself_ends_there_as_in_mediawiki() -> None:
    """The oracle: a message of class error in the place of the call, which readers of text do not want."""
    assert text_of("A {{T}} b.", T="x {{T}} {{Again}} y", Again="({{T}})") == "A x y b."
    assert text_of("A {{T|{{T|1}}}} b.", T="<{{{1}}}>") == "A <<1>> b."  # an argument is the page's, and no circle


def test_calls_within_definitions_are_not_counted() -> None:
    found = extract("{{T|{{U}}}}", "Page", EN, definitions=Wiki(T="a {{V}} {{{1}}}", U="b", V="c"))
    assert found.templates == {("T", "rendered"): 1, ("U", "rendered"): 1}


def test_the_switch_of_a_disambiguation_page_may_stand_in_a_definition() -> None:
    found = extract("A:\n{{T}}", "Page", EN, definitions=Wiki(T='<div class="metadata">a</div>__DISAMBIG__'))
    assert found.disambiguation


@pytest.mark.parametrize("body", ["{{T|{{{1}}}{{{1}}}}}{{T|{{{1}}}}}", "{{T}}{{T}}{{T}}", "{{{1}}}{{{1}}}" * 50])
def test_definitions_that_grow_without_end_are_bounded(body: str) -> None:
    found = extract("{{T|" * 50 + "words " * 2000 + "}}" * 50, "Page", EN, definitions=Wiki(T=body))
    assert sum(len(p.text) for p in found.paragraphs) < 200_000
