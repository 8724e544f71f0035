"""Hostile pages: time in proportion to size (CPU time), the words that remain, the page flagged."""

import time

import pytest

from wikiprep.dump.site import Site
from wikiprep.wikitext.extract import extract

EN = Site.for_language("en")
END = " end [[link]]."
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


@pytest.mark.parametrize("unit", MEGABYTE)
def test_a_megabyte_takes_under_three_seconds(unit: str) -> None:
    text = unit * (1_000_000 // len(unit)) + END
    start = time.process_time()
    result = extract(text, "T", EN)
    assert time.process_time() - start < 3
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
    text = unit * (100_000 // len(unit)) + END
    start = time.process_time()
    result = extract(text, "T", EN)
    assert time.process_time() - start < 1
    assert sum(result.links.values()) == 2 * result.links["found"]


@pytest.mark.parametrize(
    "text",
    [
        "{{a" * 30_000 + "}}" * 30_000,
        "{{nowrap|" * 30_000 + "x" + "}}" * 30_000,
        "[[a|" * 30_000 + "]]" * 30_000,
        "[[File:a|" * 30_000 + "]]" * 30_000,
        "{|\n|\n" * 30_000 + "|}\n" * 30_000,
        "{{nowrap" + "|[[a]]" * 100_000 + "}}",
        "x" * 500_000,
        "x " * 250_000,
    ],
    ids=["templates", "nowrap", "links", "files", "tables", "arguments", "word", "words"],
)
def test_deep_and_long(text: str) -> None:
    start = time.process_time()
    result = extract(text + "\n\nlast [[word]].", "T", EN)
    assert time.process_time() - start < 3
    assert result.paragraphs[-1].text == "last word."
    assert [link.target for link in result.paragraphs[-1].links] == ["Word"]


def test_a_page_does_not_carry_over_to_the_next() -> None:
    extract("{{a" * 3000 + "}}" * 3000, "T", EN)
    result = extract("A [[b]] c.", "T", EN)
    assert [p.text for p in result.paragraphs] == ["A b c."]
    assert result.flags == []
