"""Hostile pages: CPU time in proportion to size, the words that remain, the page flagged."""

import gc

import pytest

from wikiprep.dump.site import Site
from wikiprep.wikitext.article import Extraction
from wikiprep.wikitext.extract import Extractor, extract

from .growth import check_growth

EN = Site.for_language("en")
END = " end [[link]]."
LAST = "\n\nlast [[word]]."
MEGABYTE = [
    '<ref name="a ',
    "{{a|b ",
    "{{{a|",
    "[[File:",
    "[http://a ",
    "[http://a] ",
    "[[http://a.example/b] ",
    "<math>",
    "<ref>x ",
    "''",
    "[[a|",
    "<div>",
    "<small><b><span>",
    "<!-- ",
    "<nowiki>",
    '<span style="',
    "<b a={{c ",
    "[[a|{{b|",
    "{{a}} ( {{b}} , ",
    "{{nowrap|",
]
SMALL = [
    *(
        "[[",
        "]]",
        "{{",
        "}}",
        "{{{",
        "}}}",
        "[",
        "]",
        "{",
        "}",
        "<",
        "</",
        "|",
        "=",
        "*",
        ";",
        ":",
        "&",
        "&#",
        "_",
        "__",
    ),
    *(
        "[[File:a|[[b]] ",
        "[[File:a|b]]",
        "[[Category:a]] x",
        "[[a]]",
        "[[a|b|c]]",
        "[[:",
        "[[a#",
        "-{",
        "}-",
        "\n==a==\n",
    ),
    *("<ref>", "</ref>", "<references>", "<poem>", "<gallery>", "<blockquote>", "</blockquote>", "<table>", "</table>"),
    *("{{a}}", "({{a}}", "{{a}}, ", "{{lang|fr|", "{{convert|1|km|", "{{#if:a|", "{{#switch:a|", "{{quote|", "{{!}}"),
    *(
        "\n*",
        "\n;a:b",
        "\n|",
        "'''''a ",
        "a'",
        "(",
        "( ",
        "\x01",
        "\x02a\x01",
        "\x03",
        "\u200e",
        "[//a",
        "<br>",
        "----",
        "<a",
    ),
    *("__A", "&amp;", "{{nowrap|{{nowrap|x}}}}", "{{{a|b}}}", "{{a|{{b|{{c}}", '<div class="thumb">', "<!---->x"),
]


def read(text: str) -> Extraction:
    return extract(text, "T", EN)


@pytest.mark.parametrize("unit", MEGABYTE)
def test_a_megabyte_takes_four_times_what_a_quarter_takes(unit: str) -> None:
    result = check_growth(read, lambda size: unit * (size // len(unit)) + END, 1_000_000)
    if "unclosed:comment" not in result.flags:  # which hides the end, as in MediaWiki
        assert result.paragraphs[-1].text.endswith("end link.")
        assert result.paragraphs[-1].links
    assert sum(result.links.values()) == 2 * result.links["found"]


@pytest.mark.parametrize("unit", MEGABYTE)
def test_what_is_never_closed_is_flagged(unit: str) -> None:
    if unit in ("[http://a] ", "''", "<div>", "<small><b><span>", '<span style="', '<ref name="a '):
        pytest.skip("nothing is lost here")
    result = extract(unit * 100 + END, "T", EN)
    assert any(flag.startswith(("unclosed:", "limit:")) for flag in result.flags) or "{{a}}" in unit


@pytest.mark.parametrize("unit", SMALL)
def test_time_grows_with_size(unit: str) -> None:
    result = check_growth(read, lambda size: unit * (size // len(unit)) + END, 400_000)
    assert sum(result.links.values()) == 2 * result.links["found"]


# What opens, what stands in the middle, what closes, and how often.
DEEP = {
    "templates": ("{{a", "", "}}", 30_000),
    "nowrap": ("{{nowrap|", "x", "}}", 30_000),
    "links": ("[[a|", "", "]]", 30_000),
    "files": ("[[File:a|", "", "]]", 30_000),
    "tables": ("{|\n|\n", "", "|}\n", 30_000),
}
LONG_ALONE = {
    "arguments": ("{{nowrap", "|[[a]]", "}}", 100_000),
    "word": ("", "x", "", 500_000),
    "words": ("", "x ", "", 250_000),
}


@pytest.mark.parametrize("what", DEEP)
def test_deep(what: str) -> None:
    opening, middle, closing, count = DEEP[what]
    last_word_remains(check_growth(read, lambda size: opening * size + middle + closing * size + LAST, count))


@pytest.mark.parametrize("what", LONG_ALONE)
def test_long(what: str) -> None:
    before, unit, behind, count = LONG_ALONE[what]
    last_word_remains(check_growth(read, lambda size: before + unit * size + behind + LAST, count))


def last_word_remains(result: Extraction) -> None:
    assert result.paragraphs[-1].text == "last word."
    assert [link.target for link in result.paragraphs[-1].links] == ["Word"]


# One thing that is long within a construct: before what is written, what is repeated, behind it, what is shown of it.
LONG = {
    "white space in a caption": ("[[File:a.jpg|thumb|", " ", "b [[c]]]]", "b c"),
    "line ends in a caption": ("[[File:a.jpg|thumb|", "\n", "b]]", "b"),
    "no-break spaces in a caption": ("[[File:a.jpg|", "\xa0", "b]]", "b"),
    "addresses in a term": ("; a", "://", " : b", "a"),
    "links with addresses in a term": ("; ", "[[x|b://c]] ", ": d", "b://c"),
    "an address in a term": ("; [http://a.example", "e9", " x: [b]", "[http://a.example"),
    "white space in a variant": ("-{zh-hans:a; ", " ", " x}-b", "a;"),
    "classes of a box": ("<div ", "class=", ">b</div>", "b"),
    "quotes in the classes of a box": ("<div ", "class='", ">b</div>", "b"),
    "a number": ("{{formatnum:", "9", "}}", "9"),
    "a width": ("{{padleft:a|", "9", "|b}}", "bbb"),
    "a namespace": ("b{{ns:", "9", "}}", "b"),
    "a form of plural": ("{{plural:1|", "9", "|b}}", "9"),
    "a code of a language": ("{{lang", "-x", "|b}}", "b"),
    "a gauge": ("{{track gauge|", "9", "mm}}", "9"),
}


@pytest.mark.parametrize("captions", [False, True])
@pytest.mark.parametrize("what", LONG)
def test_something_long(what: str, captions: bool) -> None:
    """Each is half a million characters long: what took the square of that would not come to an end."""
    before, unit, behind, shown = LONG[what]
    text = before + unit * (500_000 // len(unit)) + behind + LAST
    result = extract(text, "T", Site.for_language("zh") if "variant" in what else EN, captions=captions)
    assert result.paragraphs[-1].text == "last word."
    assert sum(result.links.values()) == 2 * result.links["found"]
    if captions or "caption" not in what:
        assert shown in result.paragraphs[0].text
        assert len(result.paragraphs) > 1


# In a link of 16,000 characters, the longest that is looked at; so many of them are the page.
IN_LINKS = {
    "white space before an empty label": (" ", "b|"),
    "brackets before an empty label": ("(", "b|"),
    "colons before a line end": (":a", "%0Ab"),
    "combining marks": ("\u0301\u0316", ""),
    "prefixes": ("de:", "b"),
}


@pytest.mark.parametrize("what", IN_LINKS)
def test_links_that_are_long(what: str) -> None:
    unit, behind = IN_LINKS[what]
    links = [f"[[a{i}{unit * (16_000 // len(unit))}{behind}]]" for i in range(60)]
    result = extract("\n\n".join(links) + LAST, "T", EN)
    assert result.paragraphs[-1].text == "last word."
    assert result.links["found"] == 61
    assert sum(result.links.values()) == 2 * 61


# What is no link to a page, each time another: what is remembered of it is text, which no collector has to look at.
@pytest.mark.parametrize(
    "unit",
    [
        *("[[a@{]] ", "[[<b @>]] ", "[[a@%5B|b]] ", "[[#a @]] ", "[[wikt:a@]] ", "[[Special:a@]] ", "[[File:a@|b]] "),
        *("[[http://a@ b]] ", "{{a@}} ", "{{{a@|b}}} ", "&a@; ", "[http://a@ b] ", "<ref name=a@>b</ref>", "-{a@}- "),
    ],
)
def test_what_is_remembered_is_no_work_for_the_garbage_collector(unit: str) -> None:
    extractor = Extractor(Site.for_language("zh"))
    extractor.extract(unit.replace("@", "") + END, "T")
    gc.collect()
    before = len(gc.get_objects())
    extractor.extract("".join([unit.replace("@", str(i)) for i in range(20_000)]) + END, "T")
    gc.collect()
    assert len(gc.get_objects()) - before < 1_000


def test_a_page_does_not_carry_over_to_the_next() -> None:
    extract("{{a" * 3000 + "}}" * 3000, "T", EN)
    result = extract("A [[b]] c.", "T", EN)
    assert [p.text for p in result.paragraphs] == ["A b c."]
    assert result.flags == []
