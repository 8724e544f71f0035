"""Writes a moment by MediaWiki's format codes, those of `{{#time:…}}`.

The codes are described in Help:Extension:ParserFunctions##time on mediawiki.org. Times are UTC. A code that is not
known stands for itself.
"""

import calendar
from collections.abc import Callable
from datetime import date, datetime

from wikiprep.languages.locale_data import date_names
from wikiprep.languages.wikitext_words import calendar as calendar_of
from wikiprep.wikitext.templates.calendars import hebrew, iranian, islamic, japanese_year, thai_year
from wikiprep.wikitext.templates.numbers import in_digits

_LONGEST = 1_000
_EPOCH = date(1970, 1, 1).toordinal()

_NUMBERS: dict[str, Callable[[datetime], int | str]] = {
    "d": lambda t: f"{t.day:02}",
    "j": lambda t: t.day,
    "m": lambda t: f"{t.month:02}",
    "n": lambda t: t.month,
    "Y": lambda t: f"{t.year:04}",
    "y": lambda t: f"{t.year % 100:02}",
    "g": lambda t: t.hour % 12 or 12,
    "h": lambda t: f"{t.hour % 12 or 12:02}",
    "G": lambda t: t.hour,
    "H": lambda t: f"{t.hour:02}",
    "i": lambda t: f"{t.minute:02}",
    "s": lambda t: f"{t.second:02}",
    "w": lambda t: t.isoweekday() % 7,
    "N": lambda t: t.isoweekday(),
    "z": lambda t: t.timetuple().tm_yday - 1,
    "W": lambda t: f"{t.isocalendar().week:02}",
    "o": lambda t: t.isocalendar().year,
    "t": lambda t: calendar.monthrange(t.year, t.month)[1],
    "L": lambda t: int(calendar.isleap(t.year)),
    "U": lambda t: (t.toordinal() - _EPOCH) * 86_400 + t.hour * 3_600 + t.minute * 60 + t.second,
    "I": lambda t: 0,
    "Z": lambda t: 0,
    "xij": lambda t: iranian(t).day,
    "xin": lambda t: iranian(t).month,
    "xiY": lambda t: iranian(t).year,
    "xiy": lambda t: f"{iranian(t).year % 100:02}",
    "xiz": lambda t: iranian(t).of_year,
    "xit": lambda t: 31 if (month := iranian(t).month) < 7 else 30 if month < 12 else 29,
    "xmj": lambda t: islamic(t).day,
    "xmn": lambda t: islamic(t).month,
    "xmY": lambda t: islamic(t).year,
    "xjj": lambda t: hebrew(t).day,
    "xjn": lambda t: hebrew(t).month,
    "xjt": lambda t: hebrew(t).month_days,
    "xjY": lambda t: hebrew(t).year,
    "xkY": lambda t: thai_year(t),
    "xoY": lambda t: t.year - 1911,
    "xtY": lambda t: japanese_year(t.date()),
}


def _calendar_name(kind: str, index_of: Callable[[datetime], int]) -> Callable[[datetime, str], str]:
    return lambda t, language: calendar_of(language)[kind][index_of(t)]


def _date_name(kind: str, index_of: Callable[[datetime], int]) -> Callable[[datetime, str], str]:
    return lambda t, language: date_names(language, kind)[index_of(t)]


_NAMES: dict[str, Callable[[datetime, str], str]] = {
    "F": _calendar_name("names", lambda t: t.month - 1),
    "xg": _calendar_name("genitives", lambda t: t.month - 1),
    "l": _calendar_name("days", lambda t: t.isoweekday() % 7),
    "M": _date_name("short", lambda t: t.month - 1),
    "D": _date_name("short_days", lambda t: t.isoweekday() % 7),
    "xiF": _date_name("iranian", lambda t: iranian(t).month - 1),
    "xmF": _date_name("hijri", lambda t: islamic(t).month - 1),
    "xjF": _date_name("hebrew", lambda t: hebrew(t).month - 1),
    "xjx": _date_name("hebrew_genitives", lambda t: hebrew(t).month - 1),
    "a": lambda t, language: "am" if t.hour < 12 else "pm",
    "A": lambda t, language: "AM" if t.hour < 12 else "PM",
    "c": lambda t, language: f"{t.year:04}-{t:%m-%dT%H:%M:%S}+00:00",
    "r": lambda t, language: f"{_english_date(t, 'D', 'd', 'M', 'Y')} {t:%H:%M:%S} +0000",
    "e": lambda t, language: "UTC",
    "T": lambda t, language: "UTC",
    "O": lambda t, language: "+0000",
    "P": lambda t, language: "+00:00",
    "xx": lambda t, language: "x",
}


def _english_date(t: datetime, *codes: str) -> str:
    name, *rest = (_NAMES[code](t, "en") if code in _NAMES else str(_NUMBERS[code](t)) for code in codes)
    return f"{name}, {' '.join(rest)}"


def format_date(form: str, moment: datetime, language: str) -> str | None:
    """`moment` (UTC) as `form` says, in the words and digits of `language`; None where `form` is longer than any."""
    if len(form) > _LONGEST:
        return None
    out: list[str] = []
    plain_once = plain = False
    numeral: Callable[[int], str] | None = None
    at = 0
    while at < len(form):
        code = form[at]
        if code == "x" and at + 1 < len(form):
            code = form[at : at + 2]
            if code in _CALENDARS and at + 2 < len(form):
                code = form[at : at + 3]
        at += len(code)
        if code == "\\":
            out.append(form[at : at + 1] or "\\")
            at += 1
        elif code == '"':
            end = form.find('"', at)
            out.append(form[at:end] if end >= 0 else '"')
            at = end + 1 if end >= 0 else at
        elif code == "xn":
            plain_once = True
        elif code == "xN":
            plain = not plain
        elif code in _NUMERALS:
            numeral = _NUMERALS[code]
        elif code in _NAMES:
            out.append(_NAMES[code](moment, language))
        elif code in _NUMBERS:
            value = _NUMBERS[code](moment)
            text = str(value)
            if plain or plain_once:
                plain_once = False
            elif numeral is not None:
                text = numeral(int(value)) if text.isdecimal() else text
                numeral = None
            elif text.lstrip("-").isdecimal():
                text = in_digits(text, language) if text[0] != "-" else text
            out.append(text)
        else:
            out.append(code[-1])
    return "".join(out)


_CALENDARS = frozenset(("xi", "xj", "xk", "xm", "xo", "xt"))
_ROMAN = (
    *((1000, "M"), (900, "CM"), (500, "D"), (400, "CD"), (100, "C"), (90, "XC"), (50, "L"), (40, "XL")),
    *((10, "X"), (9, "IX"), (5, "V"), (4, "IV"), (1, "I")),
)
_HEBREW = (
    *((400, "ת"), (300, "ש"), (200, "ר"), (100, "ק"), (90, "צ"), (80, "פ"), (70, "ע"), (60, "ס"), (50, "נ"), (40, "מ")),
    *((30, "ל"), (20, "כ"), (10, "י"), (9, "ט"), (8, "ח"), (7, "ז"), (6, "ו"), (5, "ה"), (4, "ד"), (3, "ג"), (2, "ב")),
    (1, "א"),
)
_FINAL = str.maketrans("כמנפצ", "ךםןףץ")


def roman(number: int) -> str:
    """A number from 1 to 10,000 in Roman numerals; others as they are."""
    return _additive_numeral(number, _ROMAN) if 0 < number <= 10_000 else str(number)


def hebrew_numeral(number: int) -> str:
    """A number from 1 to 9,999 in Hebrew letters; others as they are. 15 and 16 are 9 + 6 and 9 + 7."""
    if not 0 < number < 10_000:
        return str(number)
    thousands, rest = divmod(number, 1_000)
    if not rest:
        return _additive_numeral(thousands, _HEBREW) + "' אלפים" if thousands > 1 else "א' אלף"
    tail = rest % 100
    letters = _additive_numeral(rest - tail, _HEBREW) + (
        "ט" + _additive_numeral(tail - 9, _HEBREW) if tail in (15, 16) else _additive_numeral(tail, _HEBREW)
    )
    letters = letters[:-1] + '"' + letters[-1].translate(_FINAL) if len(letters) > 1 else letters + "'"
    return (_additive_numeral(thousands, _HEBREW) + "'" if thousands else "") + letters


def _additive_numeral(number: int, letters: tuple[tuple[int, str], ...]) -> str:
    out = ""
    for value, letter in letters:
        count, number = divmod(number, value)
        out += letter * count
    return out


_NUMERALS: dict[str, Callable[[int], str]] = {"xr": roman, "xh": hebrew_numeral}
