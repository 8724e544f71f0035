"""Tables of dates, plurals and names: every row is read."""

import pytest
from hypothesis import example, given
from hypothesis import strategies as st

from wikiprep.languages.language import languages
from wikiprep.languages.language_codes import _names, bcp47, own_name
from wikiprep.languages.locale_data import _tables, date_names, plural_form, plural_rules
from wikiprep.languages.wikitext_words import calendar

SIZES = {"short": 12, "short_days": 7, "iranian": 12, "hijri": 12, "hebrew": 14, "hebrew_genitives": 14}


@pytest.mark.parametrize("kind", SIZES)
def test_every_language_has_names(kind: str) -> None:
    for code in languages():
        names = date_names(code, kind)
        assert len(names) == SIZES[kind] and all(names), code


def test_days_are_the_languages_own() -> None:
    """Also where the months are those of the language below it."""
    assert calendar("gan")["days"][0] == "禮拜天"
    assert calendar("nds")["days"][1] == "Moondag"
    assert calendar("ru")["genitives"][4] == "мая"
    assert all(len(calendar(code)["days"]) == 7 and len(calendar(code)["names"]) == 12 for code in languages())


@pytest.mark.parametrize(
    ("code", "forms"),
    [("en", "1011"), ("ru", "2012"), ("lv", "0122"), ("ja", "1011"), ("ar", "0123"), ("fr", "0011"), ("ksh", "2011")],
)
def test_forms_of_0_1_2_and_5(code: str, forms: str) -> None:
    assert "".join(str(plural_form(number, code)) for number in ("0", "1", "2", "5")) == forms


@given(
    st.sampled_from(sorted(_tables())),
    st.one_of(st.integers().map(str), st.decimals(0, 10**6, places=3).map(str), st.text()),
)
@example("en", "0/0")
def test_every_number_has_a_form(code: str, number: str) -> None:
    assert 0 <= plural_form(number, code) <= len(plural_rules(code))


def test_names_of_languages() -> None:
    assert own_name("ltg") == "latgaļu"
    assert own_name("no such") == ""
    assert len(_names()) > 400 and all(_names().values())
    assert [bcp47(code) for code in ("zh-hant-tw", "sr-el", "x-ab-cdef", "de")] == [
        "zh-Hant-TW",
        "sr-EL",
        "x-ab-Cdef",
        "de",
    ]
