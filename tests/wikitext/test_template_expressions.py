"""`{{#expr:}}`: the right answers are MediaWiki's own (ParserFunctions of 1.39)."""

import pytest
from hypothesis import given
from hypothesis import strategies as st

from wikiprep.dump.site import Site
from wikiprep.wikitext.extract import extract
from wikiprep.wikitext.templates.expressions import calculate, format_value


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
        ("10^400", "INF"),
        ("(-10)^401", "-INF"),
        ("0^-1", "INF"),
        ("exp 1000", "INF"),
        ("(-1) ^ 0.5", "NAN"),
        ("sin (10^400)", "NAN"),
        ("10^400 round 2", "INF"),
        ("1.2.3 + 1", "2.2"),
        (".", "0"),
        ("3 e 2", "300"),
        ("3e2e1", "3000"),
        ("3.5 + 2e-3 e 2", "3.7"),
        ("1.5e1.5", "47.434164902526"),
        ("ln e", "1"),
        ("2e", None),
        ("-0.4 round 0", "-0"),
        ("ceil -0.3", "-0"),
        ("-1 mod (2 > 400)", None),
        ("-2 mod 2", "0"),
        ("not 3 / trunc -2.7", "0"),
        ("trunc 123456789012345678", "123456789012345680"),
        ("trunc 1e19", "-8446744073709551616"),
        ("1e19 mod 7", "-6"),
        ("trunc 9e18 + trunc 9e18", "1.8E+19"),
        ("trunc 7 / trunc 2", "3.5"),
    ],
)
def test_values(text: str, expected: str | None) -> None:
    value = calculate(text)
    assert (None if value is None else format_value(value)) == expected


@pytest.mark.parametrize(
    "text", ["", "1 +", "5 / 0", "x", "1 2", "(1", "5 mod 0.5", "1+\xa02", "ln 0", "9" * 5000, "(" * 1500]
)
def test_no_value(text: str) -> None:
    assert calculate(text) is None


@given(st.text(alphabet="0123456789.+-*/^() ernodulmifqst<>=", max_size=40))
def test_never_raises(text: str) -> None:
    value = calculate(text)
    assert value is None or format_value(value)


def test_in_a_page() -> None:
    text = "{{formatnum:{{#expr: 1200 + 34.5}}}}, {{#ifexpr: 2 > 1|yes|no}}, {{#expr: {{unknown}} * 2}} and"
    assert extract(text, "T", Site.for_language("en")).paragraphs[0].text == "1,234.5, yes, and"
