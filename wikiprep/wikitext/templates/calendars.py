"""Days of the Julian, Iranian, Islamic and Hebrew calendars, and years of the Thai, Chinese and Japanese ones.

Days are counted from 1 January of year 1 (Gregorian), as `date.toordinal` does. The arithmetic is that of Reingold and
Dershowitz, "Calendrical Calculations": the tabular Islamic calendar (30 years are 10,631 days), the Hebrew one by its
mean new moons; the Iranian one in cycles of 33 years, as civil calendars of these centuries have it.
"""

import functools
from datetime import date
from typing import NamedTuple


class Day(NamedTuple):
    """A day of another calendar. `month` counts from 1; Hebrew: 6 is Adar, 13 and 14 its two months of leap years."""

    year: int
    month: int
    day: int
    of_year: int  # how many days of the year lie before it (Iranian)
    month_days: int  # how many its month has (Hebrew)


_IRANIAN_START = date(1600, 3, 20).toordinal()  # day 0 of year 979
_ISLAMIC_EPOCH = 227_015
_HEBREW_EPOCH = -1_373_427  # the day before 1 Tishrei 1, by the count of elapsed days below


def julian(day: date) -> Day:
    """A Gregorian day as the Julian calendar has it; its years are counted from a March here, after the leap day."""
    days = day.toordinal() + 1_753_507  # since 1 March of the year -4800
    year = (4 * days + 3) // 1_461
    in_year = days - 1_461 * year // 4
    month = (5 * in_year + 2) // 153
    return Day(year - 4_800 + month // 10, month + 3 - 12 * (month // 10), in_year - (153 * month + 2) // 5 + 1, 0, 0)


def iranian(day: date) -> Day:
    """A Gregorian day as the Iranian calendar has it."""
    cycles, rest = divmod(day.toordinal() - _IRANIAN_START, 12_053)
    fours, rest = divmod(rest, 1_461)
    year = 979 + 33 * cycles + 4 * fours
    if rest >= 366:
        years, rest = divmod(rest - 1, 365)
        year += years
    month, in_month = divmod(rest, 31) if rest < 186 else divmod(rest - 186, 30)
    return Day(year, month + (1 if rest < 186 else 7), in_month + 1, rest, 0)


def islamic(day: date) -> Day:
    """A Gregorian day as the tabular Islamic calendar has it."""
    fixed = day.toordinal()
    year = (30 * (fixed - _ISLAMIC_EPOCH) + 10_646) // 10_631
    month = (11 * (fixed - _islamic_fixed(year, 1)) + 330) // 325
    return Day(year, month, fixed - _islamic_fixed(year, month) + 1, 0, 0)


def _islamic_fixed(year: int, month: int) -> int:
    return _ISLAMIC_EPOCH + (year - 1) * 354 + (3 + 11 * year) // 30 + 29 * (month - 1) + month // 2


@functools.lru_cache(maxsize=256)
def hebrew(day: date) -> Day:
    """A Gregorian day as the Hebrew calendar has it; years begin with Tishrei, which is month 1."""
    fixed = day.toordinal()
    year = day.year + 3_761
    if fixed < _hebrew_new_year(year):
        year -= 1
    rest = fixed - _hebrew_new_year(year)
    days = _hebrew_new_year(year + 1) - _hebrew_new_year(year)
    leap = days > 380
    regular = days - (30 if leap else 0)  # 353, 354 or 355
    lengths = [(1, 30), (2, 30 if regular == 355 else 29), (3, 29 if regular == 353 else 30), (4, 29), (5, 30)]
    lengths += [(13, 30), (14, 29)] if leap else [(6, 29)]
    lengths += [(7, 30), (8, 29), (9, 30), (10, 29), (11, 30), (12, 29)]
    for month, length in lengths:
        if rest < length:
            return Day(year, month, rest + 1, 0, length)
        rest -= length
    raise AssertionError("a year has no day beyond its last")


def _hebrew_elapsed(year: int) -> int:
    months = (235 * year - 234) // 19
    day = 29 * months + (12_084 + 13_753 * months) // 25_920
    return day + 1 if 3 * (day + 1) % 7 < 3 else day


def _hebrew_new_year(year: int) -> int:
    before, this, after = (_hebrew_elapsed(y) for y in (year - 1, year, year + 1))
    delay = 2 if after - this == 356 else 1 if this - before == 382 else 0
    return _HEBREW_EPOCH + this + delay


# The last day of an era is wholly its own, as MediaWiki has it.
_ERAS = (
    (date(2019, 5, 1), "令和"),
    (date(1989, 1, 8), "平成"),
    (date(1926, 12, 26), "昭和"),
    (date(1912, 7, 31), "大正"),
    (date(1868, 1, 1), "明治"),
)


def japanese_year(day: date) -> str:
    """ "平成31"; the first year of an era is 元; before 1868 the plain year."""
    for begins, era in _ERAS:
        if day >= begins:
            year = day.year - begins.year + 1
            return era + (str(year) if year > 1 else "元")
    return str(day.year)


def thai_year(day: date) -> int:
    """543 years ahead; from 1912 to 1940 the year began in April."""
    return day.year + 543 - (1912 <= day.year <= 1940 and day.month <= 3)


def of_julian(year: int, month: int, day: int) -> date | None:
    """The Gregorian day of a day of the Julian calendar (old style); None outside the years 1 to 9998."""
    if not (1 <= year <= 9_998 and 1 <= month <= 12 and 1 <= day <= 31):
        return None
    before = (14 - month) // 12  # years are counted from March
    years, months = year + 4_800 - before, month + 12 * before - 3
    fixed = day + (153 * months + 2) // 5 + 365 * years + years // 4 - 1_753_508
    return date.fromordinal(fixed) if fixed > 0 else None
