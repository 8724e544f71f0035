"""Numbers of external links without label; what MediaWiki can judge is in tests/data/wikitext_cases/links.txt."""

import re
from typing import Any

import pytest
from hypothesis import given, settings
from hypothesis import strategies as st

from wikiprep.dump.site import Site
from wikiprep.wikitext.extract import extract

EN = Site.for_language("en")
BARE = "[http://a.example]"


def shown(text: str, **options: Any) -> list[tuple[str, str]]:
    return [(p.kind, p.text) for p in extract(text, "T", EN, **options).paragraphs]


def test_dropped() -> None:
    assert shown(f"See {BARE}, {BARE} and [[{BARE[1:-1]}]].", link_numbers="drop") == [("prose", "See and.")]
    assert shown(f"* {BARE}\n\nb", link_numbers="drop") == [("prose", "b")]


def test_captions_count_first() -> None:
    text = f"a {BARE}\n\n[[File:x.jpg|thumb|b {BARE} c]]\n\nd {BARE}"
    assert shown(text, captions=True) == [
        ("prose", "a [2]"),
        ("caption", "b [1] c"),
        ("prose", "d [3]"),
    ]
    assert shown(text) == [("prose", "a [2]"), ("prose", "d [3]")]


NOTED = "a<ref>[http://n.example]</ref> "


@pytest.mark.parametrize("listed", ["{{reflist}}", "<references />", "<references>\n</references>"])
def test_a_list_of_notes_counts_first(listed: str) -> None:
    """A template may be the list."""
    assert shown(f"{NOTED}{BARE}\n\n{listed}") == [("prose", "a [2]")]


def test_notes_without_list_come_last() -> None:
    assert shown(NOTED + BARE) == [("prose", "a [1]")]
    assert shown(f"{NOTED}{BARE}\n\n{{{{reflist}}}}", templates="drop") == [("prose", "a [1]")]


def test_notes_in_a_template_that_is_nothing() -> None:
    text = f"a {{{{x|<ref>[http://n.example]</ref>}}}} {BARE}\n\n<references/>"
    assert shown(text, templates="drop") == [("prose", "a [1]")]
    assert shown(text) == [("prose", "a [2]")]


def test_a_label_of_templates_alone() -> None:
    """As nothing it is no label; where templates are rendered it shows what is not known here."""
    assert shown("[http://a.example {{x}}] b", templates="drop") == [("prose", "[1] b")]
    assert shown("[http://a.example {{x}}] b") == [("prose", "b")]


def test_links_of_rendered_templates_count() -> None:
    assert shown("{{nowrap|a [http://b.example]}} " + BARE) == [("prose", "a [1] [2]")]


def test_an_address_that_changes_on_the_way() -> None:
    zh = Site.for_language("zh")
    (paragraph,) = extract(f"a [http://b.example/-{{c}}-] {BARE}", "T", zh).paragraphs
    assert paragraph.text == "a [1] [2]"


def test_a_label_that_is_lost_on_the_way_comes_last() -> None:
    """A soft hyphen is a label to MediaWiki, and no character of ours."""
    assert shown(f"a [http://b.example \xad] {BARE}") == [("prose", "a [2] [1]")]


def test_thousands() -> None:
    (paragraph,) = extract(" ".join([BARE] * 1200), "T", EN).paragraphs
    assert paragraph.text.endswith("[999] [1,000] " + " ".join(f"[1,{n:03}]" for n in range(1, 201)))


PIECES = st.lists(
    st.sampled_from(
        [
            *(
                BARE,
                "[http://b.example]",
                "[http://b.example c]",
                "[[File:x.jpg|thumb|",
                "]]",
                "[[d]]",
                "<ref>",
                "</ref>",
            ),
            *(
                "\n\n",
                "\n{|\n|",
                "\n|}\n",
                "\n* ",
                " ",
                "e",
                "{{nowrap|",
                "}}",
                "<references/>",
                "\n== ",
                " ==\n",
                "''",
            ),
        ]
    ),
    max_size=30,
).map("".join)


@settings(max_examples=200, deadline=None)
@given(PIECES)
def test_numbers_are_all_that_differs(text: str) -> None:
    """Kept numbers change no link and no other word, and none comes twice."""
    kept, dropped = (extract(text, "T", EN, captions=True, link_numbers=policy) for policy in ("keep", "drop"))
    links = [[(p.text[k.start : k.end], k.target) for p in r.paragraphs for k in p.links] for r in (kept, dropped)]
    assert links[0] == links[1]
    numbers = [word for p in kept.paragraphs for word in p.text.replace("]", "] ").split() if word.startswith("[")]
    assert len(set(numbers)) == len(numbers)


BLOCKS = st.lists(
    st.sampled_from(
        [
            "Plain [[a]].",
            f"x {BARE} y",
            "* [http://b.example] [http://b.example c]",
            f"{{|\n| {BARE}\n|}}",
            f"[[File:x.jpg|thumb|d {BARE}]]",
            f"e<ref>{BARE}</ref>",
        ]
    ),
    min_size=1,
    max_size=5,
).map("\n\n".join)


@settings(deadline=None)
@given(BLOCKS, BLOCKS)
def test_pages_join_but_for_numbers(first: str, second: str) -> None:
    """Without numbers a paragraph does not depend on the rest of its page; with them nothing else of it does."""
    whole = first + "\n\n" + second
    parts = [shown(text, captions=True, link_numbers="drop") for text in (first, second)]
    assert shown(whole, captions=True, link_numbers="drop") == parts[0] + parts[1]
    parts = [shown(text, captions=True) for text in (first, second)]
    assert [_unnumbered(p) for p in shown(whole, captions=True)] == [_unnumbered(p) for p in parts[0] + parts[1]]


def _unnumbered(paragraph: tuple[str, str]) -> tuple[str, str]:
    kind, text = paragraph
    return kind, re.sub(r"\[[0-9]+\]", "[n]", text)
