"""`{{#expr:}}`: the right answers are MediaWiki's own (ParserFunctions of 1.39)."""

import pytest
from hypothesis import given
from hypothesis import strategies as st

from wikiprep.dump.site import Site
from wikiprep.wikitext.extract import extract
from wikiprep.wikitext.templates.expressions import calculate, shown


@pytest.mark.parametrize(
    ("text", "expected"),
    [
        ("1 + 2 * 3", "7"),
        ("(1+2)*3", "9"),
        ("2^3^2", "64"),
        ("-2^2", "4"),
        ("-7 mod 3", "-1"),
        ("7.5 fmod 2", "1.5"),
        ("1/3", "0.33333333333333"),
        ("10 / 4 round 1", "2.5"),
        ("2.345 round 2", "2.35"),
        ("1234567 round -3", "1235000"),
        ("5 = 5 and 3 < 2", "0"),
        ("not 0", "1"),
        ("trunc -2.7", "-2"),
        ("ceil 1.2", "2"),
        ("1e20", "1.0E+20"),
        ("1/3*1e-7", "3.3333333333333E-8"),
        ("pi round 4", "3.1416"),
        ("10 - 3 - 2", "5"),
        ("2 * 3 round 0 + 0.4", "6"),
        ("3 round 0 * 2", "3"),
        ("sqrt 2", "1.4142135623731"),
        ("1.50", "1.5"),
        ("0.00001", "1.0E-5"),
    ],
)
def test_values(text: str, expected: str) -> None:
    value = calculate(text)
    assert value is not None and shown(value) == expected


@pytest.mark.parametrize("text", ["", "1 +", "5 / 0", "x", "1 2", "(1", "10^400", "ln 0", "9" * 5000, "(" * 1500])
def test_no_value(text: str) -> None:
    assert calculate(text) is None


@given(st.text(alphabet="0123456789.+-*/^() ernodulmifqst<>=", max_size=40))
def test_never_raises(text: str) -> None:
    value = calculate(text)
    assert value is None or shown(value)


def test_in_a_page() -> None:
    text = "{{formatnum:{{#expr: 1200 + 34.5}}}}, {{#ifexpr: 2 > 1|yes|no}}, {{#expr: {{unknown}} * 2}} and"
    assert extract(text, "T", Site.for_language("en")).paragraphs[0].text == "1,234.5, yes, and"
