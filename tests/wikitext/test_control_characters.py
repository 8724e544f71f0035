"""The marks of control_marks.py are control characters: none may come from a page, in whatever dress."""

import pytest

from wikiprep.dump.site import Site
from wikiprep.wikitext.extract import extract

EN = Site.for_language("en")
CODES = [*range(32), 127]


@pytest.mark.parametrize("code", CODES)
def test_behind_a_percent_sign_in_a_link_without_label(code: int) -> None:
    """They once shifted the links that follow, or lost the page."""
    result = extract(f"[[a#%{code:02x}b]] [[c]]\n* d", "T", EN)
    first, second = result.paragraphs
    assert [(first.text[link.start : link.end], link.target) for link in first.links] == [("a# b", "A"), ("c", "C")]
    assert (first.text, second.text, second.kind) == ("a# b c", "d", "list_item")


def test_a_percent_sign_that_another_one_hides() -> None:
    (paragraph,) = extract("[[a#%0%01]] [[b#%%0202]] [[c]]", "T", EN).paragraphs
    assert [link.target for link in paragraph.links] == ["A", "B", "C"]
    assert paragraph.text.isprintable()


@pytest.mark.parametrize("code", CODES)
def test_in_the_title_of_a_page_that_shows_it(code: int) -> None:
    (paragraph,) = extract("b {{PAGENAME}}<ref>c</ref> [[d]]", f"A{chr(code)}", EN).paragraphs
    assert paragraph.text == "b A d"
    assert [link.target for link in paragraph.links] == ["D"]


def test_strings_of_a_class_of_their_own() -> None:
    class Text(str):
        """As numpy's."""

    text = "a [[b]]<ref>c</ref> {{PAGENAME}}\t''d'' &amp; [[T]]"
    result = extract(Text(text), Text("T"), EN)
    assert result == extract(text, "T", EN)
    assert result.paragraphs[0].text == "a b T d & T"


@pytest.mark.parametrize("name", ["urlencode:", "fullurl:", "localurl:", "anchorencode:", "uc:", "#ifexist:"])
def test_half_a_character_in_what_a_function_encodes(name: str) -> None:
    """No dump holds one, but other text may."""
    (paragraph,) = extract(f"a {{{{{name}\ud800}}}} [[b]]", "T", EN).paragraphs
    assert [link.target for link in paragraph.links] == ["B"]


@pytest.mark.parametrize("code", [f"{code:02X}" for code in (*range(9), 0x0B, 0x0C, *range(0x0E, 0x20), 0x7F)])
def test_characters_that_a_function_decodes_are_no_marks_of_ours(code: str) -> None:
    text = f"[[File:a.jpg|thumb|q [[r]]]] a{{{{#urldecode:+x%{code}y}}}} [[b]]\n\n[[c]]"
    for captions in (False, True):
        found = extract(text, "T", EN, captions=captions)
        assert [(p.text, [link.target for link in p.links]) for p in found.paragraphs if p.kind != "caption"] == [
            ("a xy b", ["B"]),
            ("c", ["C"]),
        ]


@pytest.mark.parametrize(
    ("text", "shown"),
    [
        ("x {{#urldecode:{{PAGENAME}}}}", "x Jean-Paul: *x*"),
        ("x {{#urldecode:<nowiki>x-y [[z]]: w</nowiki>+a}}", "x x-y [[z]]: w a"),
        ("a ({{#urldecode:{{unknown}}}}) c", "a c"),
        ("{{#iferror:{{#urldecode:{{#expr:1/0}}}}|bad|good}}", "bad"),
    ],
)
def test_marks_that_stand_in_what_is_decoded_stay(text: str, shown: str) -> None:
    (paragraph,) = extract(text, "Jean-Paul: *x*", EN).paragraphs
    assert paragraph.text == shown
