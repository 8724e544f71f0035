"""`{{#formatdate:3 February 2001|mdy}}`: another order of the parts of a date that is written out, year or not.

The date is the whole of the text, in the wiki's month names, full or short, or as 2001-02-03. Any other text stays.
"""

import functools
import re

from wikiprep.languages.locale_data import date_names
from wikiprep.languages.wikitext_words import calendar
from wikiprep.wikitext.templates.function_context import Expand, PageContext, part_of

_FORMS = {
    "dmy": "{day} {month} {year}",
    "ydm": "{year}, {day} {month}",
    "mdy": "{month} {day}, {year}",
    "ymd": "{year} {month} {day}",
    "dm": "{day} {month}",
    "md": "{month} {day}",
    "iso": "{iso}",
}
_STYLES = {"dmy": "dmy", "mdy": "mdy", "ymd": "ymd", "ISO 8601": "iso"}
_WITHOUT_YEAR = {("mdy", "dm"): "md", ("dmy", "md"): "dm"}


@functools.cache
def _patterns(language: str) -> tuple[dict[str, re.Pattern[str]], dict[str, int]]:
    """What a date of each form looks like, and the number from 1 of each month's name in lower case."""
    names = list(zip(calendar(language)["names"], date_names(language, "short"), strict=True))
    months = {name.lower(): number for number, pair in enumerate(names, 1) for name in pair}
    month = rf"(?P<month>{'|'.join(re.escape(name) for pair in names for name in pair)})"
    day, year, gap = r"(?P<day>[0-9]{1,2})", r"(?P<year>[0-9]{1,4}(?:[ _]BC)?)", r"(?: *, *| +)"
    dm, md = f"{day}[ _]{month}", f"{month}[ _]{day}"
    forms = {
        "dmy": dm + gap + year,
        "ydm": year + gap + dm,
        "mdy": md + gap + year,
        "ymd": year + gap + md,
        "dm": dm,
        "md": md,
        "iso": r"(?P<year>-?[0-9]{4})-(?P<month>[0-9]{2})-(?P<day>[0-9]{2})",
    }
    return {form: re.compile(pattern, re.IGNORECASE) for form, pattern in forms.items()}, months


def _restyle(match: re.Match[str], form: str, target: str, language: str) -> str:
    day, month, year = match["day"], match["month"], match.groupdict().get("year") or ""
    if form == "iso":
        if target == "iso" or not 1 <= int(month) <= 12:
            return match[0]
        number, day = int(month), str(int(day))
        year = f"{1 - int(year)} BC" if year[0] == "-" else str(int(year))
    else:
        number = _patterns(language)[1].get(month.lower(), 0)
        if not number:
            return match[0]
    name = calendar(language)["names"][number - 1]
    iso = ""
    if target == "iso":
        iso = f"-{int(year[:-3]) - 1:04}" if year.endswith("BC") else f"{int(year.split()[0]):04}"
        iso += f"-{number:02}-{int(day):02}"
    return _FORMS[target].format(day=day, month=name, year=year, iso=iso)


def format_date_as(parts: list[str], page: PageContext, expand: Expand) -> str:
    """The date in the style that the second part names: dmy, mdy, ymd, ISO 8601; in its own order without one."""
    text, style = part_of(parts, 0, expand), _STYLES.get(part_of(parts, 1, expand))
    for form, pattern in _patterns(page.language)[0].items():
        if match := pattern.fullmatch(text):
            target = _WITHOUT_YEAR.get((style or "", form), form if len(form) == 2 else style or form)
            return _restyle(match, form, target, page.language)
    return text
