"""What holds for any text."""

import re

import pytest
from hypothesis import given, settings
from hypothesis import strategies as st

from wikiprep.dump.site import Site
from wikiprep.wikitext.article import Extraction
from wikiprep.wikitext.bold_italic import strip_quotes
from wikiprep.wikitext.extract import extract

EN = Site.for_language("en")
MARKUP = [
    *("[[", "]]", "|", "{{", "}}", "{{{", "}}}", "''", "'''", "'", "<ref>", "</ref>", "<ref name=x />", "<!--", "-->"),
    *(
        "{|",
        "|}",
        "|-",
        "\n",
        "\n\n",
        "\n* ",
        "\n: ",
        "\n; ",
        "==",
        "\n== ",
        " ==\n",
        "<br>",
        "<div>",
        "</div>",
        "[http://a.b ",
    ),
    *(
        "]",
        "[",
        "<nowiki>",
        "</nowiki>",
        "<math>",
        "</math>",
        "File:",
        "Category:",
        "de:",
        "#",
        "&amp;",
        "&nbsp;",
        "\u200e",
    ),
    *("{{lang|fr|", "{{convert|1|km}}", "{{nowrap|", "{{x}}", "(", ")", ",", " ", "\t", "\xa0", "-{", "}-", "__TOC__"),
    *(
        "<blockquote>",
        "</blockquote>",
        "<poem>",
        "</poem>",
        "<gallery>",
        "</gallery>",
        "\x01",
        "\x02",
        "\x03",
        "~",
        "=",
        ";",
        ":",
    ),
]
WORDS = st.text("abcXYZ éß語\U0001f600", min_size=1, max_size=6)
PAGES = st.lists(st.one_of(st.sampled_from(MARKUP), WORDS), max_size=40).map("".join)
PLAIN = st.lists(st.text("abcdefgXYZé語\U0001f600.,", min_size=1, max_size=8), min_size=1, max_size=12).map(" ".join)
SOUND = st.lists(
    st.sampled_from(
        [
            "Plain words.",
            "A [[link]]s and ''[[two|more]]''.",
            "* item [[x]]\n** deeper",
            "; term : text",
            "== Head ==\nBelow.",
            "{| class=x\n| cell\n|}",
            "A {{lang|fr|b}} ({{x}}) c.<ref>n</ref>",
            "[[File:a.jpg|thumb|b [[c]]]]",
            "<blockquote>q</blockquote>",
        ]
    ),
    min_size=1,
    max_size=5,
).map("\n\n".join)


def check(result: Extraction) -> None:
    counts = result.links
    assert counts["found"] == sum(count for reason, count in counts.items() if reason != "found")
    assert counts["kept"] == sum(len(p.links) for p in result.paragraphs)
    assert all(count >= 0 for count in counts.values())
    for paragraph in result.paragraphs:
        text = paragraph.text
        assert text
        assert text == " ".join(text.split())
        assert not re.search(r"[\x00-\x1f\x7f]", text)
        end = 0
        for link in paragraph.links:
            assert end <= link.start < link.end <= len(text)
            end = link.end
            mention = text[link.start : link.end]
            assert mention == mention.strip()
            assert link.target
            assert link.target == link.target.strip()


@settings(max_examples=400, deadline=None)
@given(PAGES)
def test_any_text_gives_sound_spans_and_sums(text: str) -> None:
    check(extract(text, "T", EN))
    check(extract(text, "T", EN, captions=True))
    check(extract(text, "T", EN, templates="drop"))


@settings(max_examples=100, deadline=None)
@given(st.text())
def test_any_unicode(text: str) -> None:
    check(extract(text, "T", Site.for_language("zh")))
    check(extract(text, "T", Site.for_language("ar")))


@settings(deadline=None)
@given(PLAIN)
def test_plain_text_stays_as_it_is(text: str) -> None:
    text = text.strip()
    assert [p.text for p in extract(text, "T", EN).paragraphs] == [text]


@settings(deadline=None)
@given(SOUND)
def test_the_result_is_plain(text: str) -> None:
    once = [p.text for p in extract(text, "T", EN).paragraphs]
    assert [p.text for block in once for p in extract(block, "T", EN).paragraphs] == once


@settings(deadline=None)
@given(SOUND, SOUND)
def test_pages_join(first: str, second: str) -> None:
    parts = [(p.kind, p.text, p.links) for text in (first, second) for p in extract(text, "T", EN).paragraphs]
    whole = extract(first + "\n\n" + second, "T", EN)
    assert [(p.kind, p.text, p.links) for p in whole.paragraphs] == parts


@given(st.text("ab' ", max_size=40))
def test_quotes_only_take_apostrophes(line: str) -> None:
    result = strip_quotes(line)
    assert result.replace("'", "") == line.replace("'", "")
    assert len(result) <= len(line)


@pytest.mark.parametrize("name", ["hıero", "HİERO", "ſource", "tımeline", "now\u0131ki"])
def test_names_of_tags_are_ascii(name: str) -> None:
    """`re` takes ı for i and ſ for s where case does not count; a name so found was looked up in vain."""
    assert [p.text for p in extract(f"a <{name}>b", "T", EN).paragraphs] == [f"a <{name}>b"]
