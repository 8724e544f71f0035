"""Reads the dates that are given to `{{#time:…}}`: the usual forms of PHP's strtotime, in English.

Known: 2001-02-03 (also with / or without marks, without a day, with a time and a zone), 3.2.2001, 2/3/2001 (month
first), 3 February 2001, February 3, 2001, February 2001, 3 February, 2001 (four digits alone: a year), @981158400,
2001-W05-6, 12:30, 12:30 pm, 12.30, zones (+01:00, UTC, EST), now, today, tomorrow, names of days, "+2 days", "3 months
ago", "next year", "next Monday", "Monday this week", "last day of", "first Monday of". What a date does not say is
taken from the page's revision, never from the clock. Anything else is no date.
"""

import functools
import re
import string
from collections.abc import Callable
from datetime import UTC, date, datetime, timedelta

_MONTHS = ("jan", "feb", "mar", "apr", "may", "jun", "jul", "aug", "sep", "oct", "nov", "dec")
_DAYS = ("mon", "tue", "wed", "thu", "fri", "sat", "sun")
_MONTH = (
    r"(?P<name>jan(?:uary)?|feb(?:ruary)?|mar(?:ch)?|apr(?:il)?|may|june?|july?|aug(?:ust)?|sept?(?:ember)?"
    r"|oct(?:ober)?|nov(?:ember)?|dec(?:ember)?)(?![a-z])"
)
_UNITS = {
    **dict.fromkeys(("sec", "second"), (0, 1)),
    **dict.fromkeys(("min", "minute"), (0, 60)),
    "hour": (0, 3_600),
    "day": (0, 86_400),
    "week": (0, 604_800),
    "fortnight": (0, 1_209_600),
    "month": (1, 0),
    "year": (12, 0),
}
_UNIT = rf"(?P<unit>{'|'.join(sorted(_UNITS, key=len, reverse=True))})s?(?![a-z])"
_STEPS = {"next": 1, "last": -1, "previous": -1, "this": 0}
_ORDINALS = "first second third fourth fifth sixth seventh eighth ninth tenth eleventh twelfth"
_NTH = {word: number for number, word in enumerate(_ORDINALS.split(), 1)} | {"last": -1}
# Hours east of Greenwich, of the zones that PHP knows by these letters; those of places (Europe/Berlin) are not known.
_EAST = {0: "utc gmt z wet", 1: "west bst cet", 2: "cest eet", 3: "eest msk", 9: "jst"}
_WEST = {-4: "edt", -5: "est cdt", -6: "cst mdt", -7: "mst pdt", -8: "pst"}
_ZONES = {zone: hours for hours, zones in (_EAST | _WEST).items() for zone in zones.split()}
_Y = r"(?P<y>\d{4})"
_YY = r"(?P<yy>\d\d?)(?![\d:])"
_M = r"(?P<m>1[0-2]|0?\d)"
_D = r"(?P<d>3[01]|[0-2]?\d)(?:st|nd|rd|th)?"
_CLOCK = r"(?P<h>2[0-4]|[01]?\d)[:.](?P<min>[0-5]?\d)(?:[:.](?P<s>[0-5]?\d)(?:[.,]\d+)?)?"
_CLOCK += r"(?:\s*(?P<half>[ap])\.?m\.?(?![a-z]))?"
_END = r"(?!\d)"
_DAY = r"(?P<weekday>mon|tues?|wed(?:nes)?|thu(?:rs?)?|fri|sat(?:ur)?|sun)(?:day)?\.?"


class _NoDateError(ValueError):
    """Nothing that is known here."""


class _Reading:
    """What the text has said of the date so far."""

    def __init__(self, now: datetime) -> None:
        self.now = now
        self.day: tuple[int, int, int] | None = None
        self.has_year = False
        self.clock: tuple[int, int, int] | None = None
        self.zone = timedelta()
        self.months = 0
        self.seconds = 0
        self.weekday: int | None = None
        self.weekdays = 0  # how many of them on: 1 the next, -1 the last, 0 that day or the next
        self.of_month = 0  # the n-th of the month, -1 its last
        self.week: int | None = None  # how many weeks on, counted from Monday
        self.edge = ""  # "first" or "last" day of the month

    def ymd(self, match: re.Match[str]) -> None:
        if self.day is not None:
            raise _NoDateError("two dates")
        groups = match.groupdict()
        year = int(groups.get("y") or self.now.year)
        if groups.get("yy"):
            year = int(groups["yy"]) + (2_000 if int(groups["yy"]) < 70 else 1_900)
        month = _MONTHS.index(groups["name"][:3].lower()) + 1 if groups.get("name") else int(groups["m"])
        self.day = year, month, int(groups.get("d") or 1)
        self.has_year = bool(groups.get("y") or groups.get("yy"))

    def iso_week(self, match: re.Match[str]) -> None:
        if self.day is not None:
            raise _NoDateError("two dates")
        day = date.fromisocalendar(int(match["y"]), 1, 1) + timedelta(weeks=int(match["week"]) - 1)
        day += timedelta(days=int(match["weekday"] or 1) - 1)
        self.day = day.year, day.month, day.day

    def time(self, match: re.Match[str]) -> None:
        if self.clock is not None:
            raise _NoDateError("two times")
        hour = int(match["h"])
        half = match.groupdict().get("half")
        if half:
            if not 1 <= hour <= 12:
                raise _NoDateError("an hour of the half day")
            hour = hour % 12 + (12 if half.lower() == "p" else 0)
        groups = match.groupdict()
        self.clock = hour, int(groups.get("min") or 0), int(groups.get("s") or 0)

    def stamp(self, match: re.Match[str]) -> None:
        self.ymd(match)
        self.time(match)

    def year(self, match: re.Match[str]) -> None:
        if self.has_year and self.clock is None:  # behind a whole date it is a time
            if int(match["y"][:2]) > 24 or int(match["y"][2:]) > 59:
                raise _NoDateError("no time")
            self.clock = int(match["y"][:2]), int(match["y"][2:]), 0
            return
        _, month, day = self.day or (0, self.now.month, self.now.day)
        self.day = int(match["y"]), month, day

    def offset(self, match: re.Match[str]) -> None:
        if match["sign"]:
            if match["zm"] is None and self.clock is None:  # it goes on with a date that is none
                raise _NoDateError("hours alone")
            shift = timedelta(hours=int(match["zh"]), minutes=int(match["zm"] or 0))
            self.zone = shift if match["sign"] == "+" else -shift

    def epoch(self, match: re.Match[str]) -> None:
        self.day, self.clock = (1970, 1, 1), (0, 0, 0)
        self.seconds += int(match["epoch"])

    def named_zone(self, match: re.Match[str]) -> None:
        self.zone = timedelta(hours=_ZONES[match["zone"].lower()])

    def relative(self, match: re.Match[str]) -> None:
        groups = match.groupdict()
        word = groups.get("word")
        if word and match["unit"].lower() == "week":
            self.week = _STEPS[word.lower()]
            return
        count = _STEPS[word.lower()] if word else int("".join(groups["count"].split()))
        months, seconds = _UNITS[match["unit"].lower()]
        self.months += count * months
        self.seconds += count * seconds

    def ago(self, match: re.Match[str]) -> None:
        self.months, self.seconds = -self.months, -self.seconds

    def named_day(self, match: re.Match[str]) -> None:
        groups = match.groupdict()
        self.weekday = _DAYS.index(match["weekday"][:3].lower())
        self.weekdays = _STEPS[groups["word"].lower()] if groups.get("word") else 0
        self.of_month = _NTH[groups["nth"].lower()] if groups.get("nth") else 0

    def word(self, match: re.Match[str]) -> None:
        word = match["relative"].lower()
        if word != "now":
            self.clock = (12, 0, 0) if word == "noon" else (0, 0, 0)
            self.seconds += {"tomorrow": 86_400, "yesterday": -86_400}.get(word, 0)

    def edge_of(self, match: re.Match[str]) -> None:
        self.edge = match["edge"].lower()

    def result(self) -> datetime:
        now = self.now
        year, month, day = self.day or (now.year, now.month, now.day)
        midnight = self.day is not None or self.weekday is not None
        hour, minute, second = self.clock or ((0, 0, 0) if midnight else (now.hour, now.minute, now.second))
        years, month = divmod(month - 1 + self.months + (self.edge == "last" or self.of_month < 0), 12)
        if self.edge or self.of_month:
            day = 1 if self.edge == "first" or self.of_month > 0 else 0
        when = date(year + years, month + 1, 1) + timedelta(days=day - 1, seconds=0)
        moment = datetime(when.year, when.month, when.day, tzinfo=UTC)
        moment += timedelta(hours=hour, minutes=minute, seconds=second + self.seconds)
        return moment + timedelta(days=self._to_weekday(moment)) - self.zone

    def _to_weekday(self, moment: datetime) -> int:
        """How many days on the named day is."""
        if self.week is not None:
            return 7 * self.week + (self.weekday or 0) - moment.weekday()
        if self.weekday is None:
            return 0
        on = (self.weekday - moment.weekday()) % 7
        if self.of_month:
            return on + 7 * (self.of_month - 1) if self.of_month > 0 else -(-on % 7)
        return on - 7 if self.weekdays < 0 else on or 7 * self.weekdays


_Handler = Callable[[_Reading, re.Match[str]], None]


def _skip(reading: _Reading, match: re.Match[str]) -> None:
    """A space, or a zone that is the one taken without it."""


# What a form may start with (0: a digit, a: a letter), the form, what it says.
_FORMS: tuple[tuple[str, str, _Handler], ...] = (
    (" ,", r"[\s,]+", _skip),
    ("@", r"@(?P<epoch>-?\d{1,11})" + _END, _Reading.epoch),
    (
        "0",
        r"(?P<y>\d{4})(?P<m>\d\d)(?P<d>\d\d)T?(?P<h>2[0-4]|[01]\d)(?P<min>[0-5]\d)(?P<s>[0-5]\d)" + _END,
        _Reading.stamp,
    ),
    ("0", r"(?P<y>\d{4})(?P<m>0\d|1[0-2])(?P<d>[0-2]\d|3[01])" + _END, _Reading.ymd),
    ("0", rf"{_Y}([-/]){_M}\2{_D}{_END}", _Reading.ymd),
    ("0", rf"{_Y}-{_M}{_END}", _Reading.ymd),
    ("0", rf"(?P<yy>\d\d)-{_M}-{_D}{_END}", _Reading.ymd),
    ("0", rf"{_Y}-?W(?P<week>0[1-9]|[1-4]\d|5[0-3])(?:-?(?P<weekday>[0-7]))?{_END}", _Reading.iso_week),
    ("0", rf"{_M}/{_D}/(?:{_Y}|(?P<yy>\d\d)){_END}", _Reading.ymd),
    ("0", rf"{_M}/{_D}{_END}", _Reading.ymd),
    ("0", rf"{_D}([.\-]){_M}\2{_Y}{_END}", _Reading.ymd),
    ("0", rf"{_D}[ \t.-]*{_MONTH}[ \t.,-]*{_Y}{_END}", _Reading.ymd),
    ("0", rf"{_D}[ \t.-]*{_MONTH}[ \t.,-]*{_YY}", _Reading.ymd),
    ("0", rf"{_D}[ \t.-]*{_MONTH}", _Reading.ymd),
    ("a", rf"{_MONTH}[ \t.-]*{_D}[ \t.,-]+{_Y}{_END}", _Reading.ymd),
    ("a", rf"{_MONTH}[ \t.-]*{_D}[ \t.,-]+{_YY}", _Reading.ymd),
    ("a", rf"{_MONTH}[ \t.-]*{_Y}{_END}", _Reading.ymd),
    ("0", rf"{_Y}-{_MONTH}-{_D}{_END}", _Reading.ymd),
    ("0", rf"{_Y}[ \t.-]*{_MONTH}", _Reading.ymd),
    ("a", rf"{_MONTH}[ \t.-]*{_D}{_END}", _Reading.ymd),
    ("a", _MONTH, _Reading.ymd),
    ("0a", rf"T?{_CLOCK}{_END}", _Reading.time),
    ("0", r"(?P<h>1[0-2]|0?[1-9])\s*(?P<half>[ap])\.?m\.?(?![a-z])", _Reading.time),
    ("a(", rf"\(?(?P<zone>{'|'.join(sorted(_ZONES, key=len, reverse=True))})\)?(?![a-z])", _Reading.named_zone),
    ("+a", r"(?:gmt)?(?P<sign>[+-])(?P<zh>\d\d(?=:?\d\d)|\d\d?(?![\d:]))(?::?(?P<zm>\d\d))?" + _END, _Reading.offset),
    ("+0", rf"(?P<count>[+-]?\s*\d{{1,5}})\s*{_UNIT}", _Reading.relative),
    ("a", rf"(?P<word>next|last|previous|this)\s*{_UNIT}", _Reading.relative),
    ("a", r"ago(?![a-z])", _Reading.ago),
    ("a", rf"{_DAY}(?![a-z])", _Reading.named_day),
    ("a", rf"(?P<word>next|last|previous|this)\s+{_DAY}(?![a-z])", _Reading.named_day),
    ("a", rf"(?P<nth>{'|'.join(_NTH)})\s+{_DAY}\s+of(?![a-z])", _Reading.named_day),
    ("a", r"(?P<relative>now|today|midnight|noon|tomorrow|yesterday)(?![a-z])", _Reading.word),
    ("a", r"(?P<edge>first|last) day of(?![a-z])", _Reading.edge_of),
    ("0", _Y + _END, _Reading.year),
)
_COMPILED = tuple(
    (starts, re.compile(form, re.IGNORECASE | re.ASCII).match, handler) for starts, form, handler in _FORMS
)
_BY_FIRST = {
    first: tuple((match, handler) for starts, match, handler in _COMPILED if set(starts) & set(kind))
    for kind, firsts in (
        (" ", " \t\n,"),
        ("@", "@"),
        ("(", "("),
        ("+", "+-"),
        ("0", string.digits),
        ("a", string.ascii_letters),
    )
    for first in firsts
}
_LONGEST = 100


@functools.lru_cache(maxsize=4_096)
def read_date(text: str, now: datetime) -> datetime | None:
    """The moment, in UTC, that `text` means; `now` is the time of the revision. None for what is no date here."""
    if len(text) > _LONGEST:
        return None
    if len(text) == 4 and text.isdecimal() and text.isascii():
        text = "00:00 " + text
    reading = _Reading(now)
    at = 0
    try:
        while at < len(text):
            best: tuple[int, re.Match[str], _Handler] | None = None
            for form, handler in _BY_FIRST.get(text[at], ()):
                if (match := form(text, at)) and (best is None or match.end() > best[0]):
                    best = match.end(), match, handler  # the longest, of equal ones the first
            if best is None:
                return None
            at, match, handler = best
            handler(reading, match)
        return reading.result()
    except (ValueError, OverflowError):
        return None
