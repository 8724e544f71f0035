"""Dates as other languages write them: `{{Datum|5|3|1950}}`, `{{fecha|5|3|1950}}`, `{{дата|5|3|1950}}`."""

import datetime
import re
from collections.abc import Callable

from wikiprep.wikitext.templates.arguments import Arguments
from wikiprep.wikitext.templates.calendars import julian, of_julian

_MONTHS = {
    "de": "Januar Februar März April Mai Juni Juli August September Oktober November Dezember",
    "es": "enero febrero marzo abril mayo junio julio agosto septiembre octubre noviembre diciembre",
    "pt": "janeiro fevereiro março abril maio junho julho agosto setembro outubro novembro dezembro",
    "fr": "janvier février mars avril mai juin juillet août septembre octobre novembre décembre",
    "ru": "января февраля марта апреля мая июня июля августа сентября октября ноября декабря",
    "uk": "січня лютого березня квітня травня червня липня серпня вересня жовтня листопада грудня",
    "ar": "يناير فبراير مارس أبريل مايو يونيو يوليو أغسطس سبتمبر أكتوبر نوفمبر ديسمبر",
    "pl": "stycznia lutego marca kwietnia maja czerwca lipca sierpnia września października listopada grudnia",
    "cs": "ledna února března dubna května června července srpna září října listopadu prosince",
}
_FORMS = {
    "de": ("{day}. {month} {year}", "{month} {year}"),
    "es": ("{day} de {month} de {year}", "{month} de {year}"),
    "pt": ("{day} de {month} de {year}", "{month} de {year}"),
    "ru": ("{day} {month} {year}", "{month} {year}"),
    "uk": ("{day} {month} {year}", "{month} {year}"),
    "ar": ("{day} {month} {year}", "{month} {year}"),
    "pl": ("{day} {month} {year}", "{month} {year}"),
    "cs": ("{day}. {month} {year}", "{month} {year}"),
}
# The month alone, where it is another form.
_ALONE = {
    "pl": "styczeń luty marzec kwiecień maj czerwiec lipiec sierpień wrzesień październik listopad grudzień",
}
# Articles on the two calendars.
_CALENDARS = {
    "de": ("Julianischer Kalender", "Gregorianischer Kalender"),
    "cs": ("Juliánský kalendář", "Gregoriánský kalendář"),
}
_ISO = re.compile(r"(\d{3,4})-(\d{1,2})(?:-(\d{1,2}))?")
_DOTTED = re.compile(r"(\d{1,2})\.(\d{1,2})\.(\d{3,4})")


def write_date(language: str, day: str, mon: str, year: str) -> str:
    """The date in that language, as far as it is given."""
    names = (_ALONE if language in _ALONE and not day else _MONTHS)[language].split()
    known = mon.isdecimal() and mon.isascii() and 1 <= int(mon[:4]) <= 12
    name = names[int(mon) - 1] if known else mon
    full, short = _FORMS[language]
    if name and day and year:
        return full.format(day=day.lstrip("0"), month=name, year=year)
    if name and day:
        return full.rpartition("{month}")[0].format(day=day.lstrip("0")) + name
    return short.format(month=name, year=year) if name and year else year or name or day


def date(language: str, order: str, template: str) -> Callable[[Arguments], str | None]:
    """The function of a template whose first three arguments are day, month, year (`dmy`) or the reverse (`ymd`).

    `template`: one that is so, for the function's own description.
    """

    def render(args: Arguments) -> str | None:
        values = [value for value in args.positional()[:3] if value]
        if not values:
            return None
        if match := _ISO.fullmatch(values[0]):
            year, mon, day = match[1], match[2], match[3] or ""
        elif match := _DOTTED.fullmatch(values[0]):
            day, mon, year = match.groups()
        elif len(values) == 1:
            return values[0]
        else:
            if order == "ymd" or (len(values[0]) > 2 and values[0].isdecimal()):
                values.reverse()
            day, mon, year = (values if len(values) == 3 else ["", *values])[:3]
        return write_date(language, day, mon, year) or None

    values = ("5", "3", "1950")
    call = "|".join((template, *(values if order == "dmy" else reversed(values))))
    render.__doc__ = f"`{{{{{call}}}}}`: {write_date(language, *values)}; a text that is no date stands for itself."
    return render


def both_calendars(args: Arguments) -> str | None:
    """German and Czech `{{JULGREGDATUM|12|11|1833|Link="true"}}`: 31. Oktober jul. / 12. November 1833 greg.

    The day is the Gregorian one, the Julian one is counted from it; the marks are raised and linked.
    """
    language = args.language if args.language in _CALENDARS else "de"
    given = args.positional()[:3]
    try:
        new = datetime.date(*(int(value[:5]) for value in reversed(given)))
    except (TypeError, ValueError):
        return write_date(language, *(*given, "", "", "")[:3]) or None
    old = julian(new)
    linked = args["Link"].strip('"').lower() in ("true", "1", "ja", "ano")
    dates = (
        _linked_date(language, old.day, old.month, old.year if old.year != new.year else None, linked),
        _linked_date(language, new.day, new.month, new.year, linked),
    )
    articles = _CALENDARS[language]
    return f"{dates[0]}<sup>[[{articles[0]}|jul.]]</sup> / {dates[1]}<sup>[[{articles[1]}|greg.]]</sup>"


def _linked_date(language: str, day: int, mon: int, year: int | None, linked: bool) -> str:
    parts = (write_date(language, str(day), str(mon), ""), "" if year is None else str(year))
    return " ".join(f"[[{part}]]" if linked else part for part in parts if part)


def old_style(args: Arguments) -> str | None:
    """Russian `{{OldStyleDate|13|1|1900|1|1}}`: 1 (13) января 1900; `{{СС|13 января|1900|1}}` alike.

    `{{СС3|8.4.1765}}` is given the old date and counts the new one: 8 (19) апреля 1765.
    """
    values = [value for value in args.positional()[:6] if value]
    if not values:
        return None
    if match := _DOTTED.fullmatch(values[0]):
        if len(values) == 1 and args.name == "СС3":
            return _with_new_style(*match.groups())
        values[:1] = match.groups()
    elif " " in values[0]:
        values[:1] = values[0].split(" ", 1)
    if len(values) > 3 and " " in values[3]:
        values[3:4] = values[3].split(" ", 1)
    day, mon, year, old_day, old_month, old_year = (*values, "", "", "", "", "")[:6]
    if not old_day:
        return write_date("ru", day, mon, year)
    return _both_styles((old_day, old_month or mon, old_year or year), (day, mon, year))


def _with_new_style(day: str, mon: str, year: str) -> str:
    new = of_julian(int(year), int(mon), int(day))
    if new is None:
        return write_date("ru", day, mon, year)
    return _both_styles((day, str(int(mon)), year), (str(new.day), str(new.month), str(new.year)))


def _both_styles(old: tuple[str, str, str], new: tuple[str, str, str]) -> str:
    """Day, month and year of both, as far as they differ, and what they share once."""
    if old[2] != new[2]:
        return f"{write_date('ru', *old)} ({write_date('ru', *new)})"
    if old[1] != new[1]:
        return f"{write_date('ru', old[0], old[1], '')} ({write_date('ru', new[0], new[1], '')}) {new[2]}".strip()
    return f"{old[0].lstrip('0')} ({new[0].lstrip('0')}) {write_date('ru', '', new[1], new[2])}".strip()
