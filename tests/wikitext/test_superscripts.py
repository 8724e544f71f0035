"""Superscripts and subscripts as signs, where the option asks for them."""

from typing import Any

import pytest
from hypothesis import given
from hypothesis import strategies as st

from wikiprep.dump.site import Site
from wikiprep.wikitext.extract import extract
from wikiprep.wikitext.marks import NOTHING
from wikiprep.wikitext.superscripts import signs_of, with_signs

EN = Site.for_language("en")


def shown(text: str, **options: Any) -> list[str]:
    return [p.text for p in extract(text, "T", EN, **options).paragraphs]


@pytest.mark.parametrize(
    ("wikitext", "plain", "unicode"),
    [
        ("10<sup>6</sup> H<sub>2</sub>O", "106 H2O", "10⁶ H₂O"),
        ("m<SUP class=x>−2</sup >", "m−2", "m⁻²"),
        ("m<sup>&minus;2</sup>", "m−2", "m⁻²"),
        ("1<sup>er</sup>, 1<sup>1a</sup>", "1er, 11a", "1er, 11a"),
        ("a<sup>''n''</sup>, a<sup>2", "an, a2", "an, a2"),
        ("* 5<sup>(n+1)</sup>", "5(n+1)", "5⁽ⁿ⁺¹⁾"),
        ("<nowiki>a<sup>2</sup></nowiki>", "a<sup>2</sup>", "a<sup>2</sup>"),
        ("a<sup></sup>b <sup> 2</sup>", "ab 2", "ab 2"),
    ],
)
def test_signs(wikitext: str, plain: str, unicode: str) -> None:
    assert shown(wikitext) == [plain]
    assert shown(wikitext, superscripts="unicode") == [unicode]


def test_links_span_the_signs() -> None:
    (paragraph,) = extract("See [[Carbon dioxide|CO<sub>2</sub>]] now.", "T", EN, superscripts="unicode").paragraphs
    (link,) = paragraph.links
    assert (paragraph.text[link.start : link.end], link.target) == ("CO₂", "Carbon dioxide")


@pytest.mark.parametrize(
    "text", ["[[x<sup>2</sup>]] a", "[[a]]<sup>2</sup>b", "''<sup>2</sup>'' a", "<sup>2</sup> a\n b"]
)
def test_nothing_but_the_signs_changes(text: str) -> None:
    plain, signs = (extract(text, "T", EN, superscripts=asked) for asked in ("plain", "unicode"))
    assert plain.links == signs.links and plain.flags == signs.flags
    assert [p.text for p in plain.paragraphs] == [p.text.replace("²", "2") for p in signs.paragraphs]
    assert [p.links for p in plain.paragraphs] == [p.links for p in signs.paragraphs]


def test_those_of_templates_too() -> None:
    assert shown("{{val|5|e=6}}") != shown("{{val|5|e=6}}", superscripts="unicode")
    assert shown("{{val|5|e=6}}", superscripts="unicode") == ["5×10⁶"]


@given(st.sampled_from(["sup", "sub", "b"]), st.text("0123456789+-−=()niabc", max_size=9))
def test_one_sign_a_character_or_none_at_all(tag: str, text: str) -> None:
    signs = signs_of(tag, text)
    if signs is not None:
        assert tag != "b" and len(signs) == len(text) > 0
        assert with_signs(f"x<{tag}>{text}</{tag}>y") == f"x{NOTHING}{signs}{NOTHING}y"
    else:
        assert with_signs(f"x<{tag}>{text}</{tag}>y") == f"x<{tag}>{text}</{tag}>y"
