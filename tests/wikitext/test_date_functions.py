"""Dates that are given, formats, other calendars; no clock. MediaWiki settled each line but those of the revision."""

from datetime import UTC, date, datetime, timedelta

import pytest
from hypothesis import assume, given
from hypothesis import strategies as st

from wikiprep.dump.site import Site
from wikiprep.languages.language import languages
from wikiprep.languages.wikitext_words import calendar as calendar_of
from wikiprep.wikitext.extract import extract
from wikiprep.wikitext.templates.calendars import hebrew, iranian, islamic, japanese_year, thai_year
from wikiprep.wikitext.templates.date_formats import format_date, hebrew_numeral, roman
from wikiprep.wikitext.templates.date_input import read_date

NOW = datetime(2019, 3, 5, 23, 30, 1, tzinfo=UTC)
EN = Site.for_language("en")


@pytest.mark.parametrize(
    ("given", "expected"),
    [
        ("2001/2/3", "2001-02-03 00:00:00"),
        ("20010203040506", "2001-02-03 04:05:06"),
        ("2001-02", "2001-02-01 00:00:00"),
        ("3-2-2001", "2001-02-03 00:00:00"),
        ("2/3/99", "1999-02-03 00:00:00"),
        ("3rd May 1999", "1999-05-03 00:00:00"),
        ("May 3rd, 1999", "1999-05-03 00:00:00"),
        ("05-Sep-1987", "1987-09-05 00:00:00"),
        ("1987-Sep-05", "1987-09-05 00:00:00"),
        ("12:30 1 January 1999", "1999-01-01 12:30:00"),
        ("1999-01-01 12:30am", "1999-01-01 00:30:00"),
        ("1 Jan 1999 5pm", "1999-01-01 17:00:00"),
        ("2001-02-03 04:05 -0530", "2001-02-03 09:35:00"),
        ("1999-12-31t23:59:59.999z", "1999-12-31 23:59:59"),
        ("@-5", "1969-12-31 23:59:55"),
        ("2001-02-31", "2001-03-03 00:00:00"),
        ("2001-00-00", "2000-11-30 00:00:00"),
        ("2001-1-1 24:00", "2001-01-02 00:00:00"),
        ("2001-02-03 +1 week 2 days", "2001-02-12 00:00:00"),
        ("2001-02-03 next month", "2001-03-03 00:00:00"),
        ("first day of next month 2004-01-05", "2004-02-01 00:00:00"),
        ("2001-02-03 saturday", "2001-02-03 00:00:00"),
        ("1066-10-14", "1066-10-14 00:00:00"),
        ("2001-W05-6", "2001-02-03 00:00:00"),
        ("2001W05", "2001-01-29 00:00:00"),
        ("2009-W53-7", "2010-01-03 00:00:00"),
        ("Jan 1, 70", "1970-01-01 00:00:00"),
        ("1 January 44", "2044-01-01 00:00:00"),
        ("99-12-31", "1999-12-31 00:00:00"),
        ("20010203 2359", "2001-02-03 23:59:00"),
        ("2001-02-03 10.30", "2001-02-03 10:30:00"),
        ("2001-02-03 4:5:6", "2001-02-03 04:05:06"),
        ("Sat, 03 Feb 2001 04:05:06 +0000", "2001-02-03 04:05:06"),
        ("12:34, 5 January 2006 (UTC)", "2006-01-05 12:34:00"),
        ("2001-02-03 04:05 EST", "2001-02-03 09:05:00"),
        ("1 Jan 2001 (CET)", "2000-12-31 23:00:00"),
        ("2001-02-03 00:00 +5", "2001-02-02 19:00:00"),
        ("2001-02-03 00:00 GMT+2", "2001-02-02 22:00:00"),
        ("2001-02-05 next monday", "2001-02-12 00:00:00"),
        ("2001-02-05 last monday", "2001-01-29 00:00:00"),
        ("2001-02-05 this monday", "2001-02-05 00:00:00"),
        ("2001-02-03 next week", "2001-02-05 00:00:00"),
        ("2001-02-03 monday next week", "2001-02-05 00:00:00"),
        ("first monday of january 2001", "2001-01-01 00:00:00"),
        ("fourth thursday of november 2010", "2010-11-25 00:00:00"),
        ("last friday of february 2001", "2001-02-23 00:00:00"),
        # What is not said is the revision's.
        ("", "2019-03-05 23:30:01"),
        ("now", "2019-03-05 23:30:01"),
        ("today", "2019-03-05 00:00:00"),
        ("+1 day", "2019-03-06 23:30:01"),
        ("2001", "2001-03-05 00:00:00"),
        ("3 February", "2019-02-03 00:00:00"),
        ("12:00", "2019-03-05 12:00:00"),
        ("yesterday noon", "2019-03-04 12:00:00"),
    ],
)
def test_dates_that_are_given(given: str, expected: str) -> None:
    moment = read_date(given, NOW)
    assert moment is not None
    assert format_date("Y-m-d H:i:s", moment, "en") == expected


@pytest.mark.parametrize(
    "given",
    [
        "zzz",
        "3. Mai 2001",
        "2001-13-01",
        "2001-02-32",
        "2001-02-03 2002-01-01",
        "0000-00-00",
        "9" * 200,
        "1e5",
        "+ day",
        "20011301",
        "20010232",
        "2001-W00",
    ],
)
def test_no_dates(given: str) -> None:
    assert read_date(given, NOW) is None


@given(st.text("0123456789 -+/:.,@TZaepmdyJanFbruy", max_size=30))
def test_any_text_is_a_date_or_none(text: str) -> None:
    moment = read_date(text, NOW)
    assert moment is None or moment.tzinfo is UTC


def show(text: str, code: str = "en", timestamp: str = "") -> str:
    return " / ".join(p.text for p in extract(text, "Page", Site.for_language(code), timestamp=timestamp).paragraphs)


def test_without_a_date_it_is_the_revisions() -> None:
    text = "{{#time:j F Y}}, {{#timel:H:i}}, {{#time:Y|-1 year}}, {{#time:F|1999}}"
    assert show(text, timestamp="2019-03-05T23:30:00Z") == "5 March 2019, 23:30, 2018, March"
    assert show("{{#time:j. F Y}}", "de", "2019-03-05T23:30:00Z") == "5. März 2019"


def test_without_a_revision_nothing_is_made_up() -> None:
    result = extract("a {{#time:Y}} b {{#time:j|1999}} c {{#time:Y|1999}} d {{#time:Y|2 May 2003}} e", "P", EN)
    assert [p.text for p in result.paragraphs] == ["a b c 1999 d 2003 e"]
    assert result.templates == {("#time", "dropped"): 2}


@given(
    st.text(min_size=0, max_size=30),
    st.datetimes(datetime(1600, 1, 1), datetime(2400, 1, 1)),
    st.sampled_from(languages()),
)
def test_any_format_in_any_language(form: str, moment: datetime, language: str) -> None:
    shown = format_date(form, moment.replace(tzinfo=UTC), language)
    assert isinstance(shown, str)
    assert format_date('"' + form.replace('"', "") + '"', moment, language) == form.replace('"', "")


@given(st.dates(date(1600, 1, 1), date(2600, 1, 1)))
def test_days_follow_each_other(day: date) -> None:
    """The next day is the next in its month, or the first of a month; a year begins with its first month."""
    for calendar, first in ((iranian, 1), (islamic, 1), (hebrew, 1)):
        this, following = calendar(day), calendar(day + timedelta(days=1))
        if following.month == this.month:
            assert (following.year, following.day) == (this.year, this.day + 1)
        else:
            assert following.day == 1 and this.day in (29, 30, 31)
        assert following.year == this.year + (following.month == first and following.day == 1)


def test_days_that_are_known() -> None:
    assert iranian(date(2024, 3, 20))[:4] == (1403, 1, 1, 0)
    assert iranian(date(2025, 3, 20))[:4] == (1403, 12, 30, 365)
    assert islamic(date(2000, 4, 6))[:3] == (1421, 1, 1)
    assert hebrew(date(2023, 9, 16))[:3] == (5784, 1, 1)
    assert hebrew(date(2024, 3, 24)) == (5784, 14, 14, 0, 29)  # Purim of a leap year
    assert [japanese_year(date(y, 1, 1)) for y in (1867, 1868, 1912, 1989, 2024)] == [
        "1867",
        "明治元",
        "明治45",
        "昭和64",
        "令和6",
    ]
    assert [thai_year(day) for day in (date(1940, 3, 31), date(1940, 4, 1), date(1941, 1, 1))] == [2482, 2483, 2484]


def test_numerals() -> None:
    assert [roman(n) for n in (0, 4, 1999, 10_001)] == ["0", "IV", "MCMXCIX", "10001"]
    assert [hebrew_numeral(n) for n in (0, 1, 15, 16, 20, 500, 5784)] == [
        "0",
        "א'",
        'ט"ו',
        'ט"ז',
        "כ'",
        'ת"ק',
        "ה'תשפ\"ד",
    ]
    assert [hebrew_numeral(n) for n in (1000, 5000, 10_000)] == ["א' אלף", "ה' אלפים", "10000"]


@given(st.sampled_from(languages()), st.integers(0, 11), st.sampled_from(["mdy", "dmy", "ymd", ""]))
def test_dates_keep_their_day_in_every_order_and_language(code: str, month: int, style: str) -> None:
    name = calendar_of(code)["names"][month]
    shown = show(f"{{{{#dateformat:3 {name} 2001|{style}}}}}", code)
    assert "2001" in shown and "3" in shown.replace(show(name, code), "")
    assume(show(name, code) == name)  # Tai Nüa has a zero-width space in one, which the text has not
    assert show(f"{{{{#dateformat:{shown}|dmy}}}}", code) == show(f"{{{{#dateformat:3 {name} 2001|dmy}}}}", code)
