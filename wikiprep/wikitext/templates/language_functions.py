"""Parser functions whose answer is a matter of language: `#time`, `#timel`, `#formatdate`, `#language`, `plural`.

Dates that are not given are the revision's, and local time is UTC. Where nothing is known that the answer needs, it is
None.
"""

import functools
import re
from datetime import UTC, datetime
from decimal import Decimal

from wikiprep.languages.language import is_language
from wikiprep.languages.language_codes import bcp47, own_name
from wikiprep.languages.locale_data import date_names, plural_form
from wikiprep.languages.wikitext_words import calendar
from wikiprep.wikitext.templates.date_formats import format_date
from wikiprep.wikitext.templates.date_input import read_date
from wikiprep.wikitext.templates.function_context import Expand, PageContext, part_of
from wikiprep.wikitext.templates.functions.language_names import labels_of
from wikiprep.wikitext.templates.numbers import plain_number

# Where the revision's date is not known: what is the same at both depends on no day.
_ANY_DAYS = (datetime(2004, 2, 5, 6, 7, 8, tzinfo=UTC), datetime(1999, 11, 30, 23, 59, 58, tzinfo=UTC))
_NUMBER = re.compile(r"[-+]?(?:\d+\.?\d*|\.\d+)(?:[eE][-+]?\d{1,3})?")
_EXPLICIT = re.compile(r"\d=")


def time(parts: list[str], page: PageContext, expand: Expand) -> str | None:
    """`{{#time:j F Y|2001-02-03|de}}`: 3 Februar 2001. `#timel` is the same, as no wiki's own time zone is known."""
    form, date_text, code = (part_of(parts, which, expand) for which in range(3))
    language = code if is_language(code) else page.language
    texts = set()
    for now in _ANY_DAYS if page.date is None else (page.date,):
        moment = read_date(date_text, now)
        texts.add(None if moment is None else format_date(form, moment, language))
    return texts.pop() if len(texts) == 1 else None


def language(parts: list[str], page: PageContext, expand: Expand) -> str:
    """`{{#language:de}}`: Deutsch. In another language by the tables of `{{lang}}`, where they have it in full."""
    code, other = (part_of(parts, which, expand).lower() for which in range(2))
    if other != code and is_language(other) and (name := labels_of(other).full_name(code)):
        return name
    return own_name(code) or bcp47(code)


def plural(parts: list[str], page: PageContext, expand: Expand) -> str:
    """`{{plural:3|page|pages}}`: pages. `0=none` is the form of just that number."""
    number = _php_number(plain_number(part_of(parts, 0, expand), page.language))
    forms = []
    for part in parts[1:]:
        form = expand(part).strip()
        if _EXPLICIT.search(form):
            exact, _, value = form.partition("=")
            if exact == number:
                return value
        else:
            forms.append(form)
    return forms[min(plural_form(number, page.language), len(forms) - 1)] if forms else ""


def _php_number(text: str) -> str:
    """A number as PHP reads and writes it; what is none is 0."""
    if text.isdecimal() and text.isascii():
        return str(min(int(text[:20]), 2**63 - 1))
    match = _NUMBER.match(text)
    decimal_text = f"{Decimal(repr(float(match[0]))):f}" if match and abs(float(match[0])) < 1e15 else "0"
    return decimal_text.removesuffix(".0")


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
    """`{{#formatdate:3 February 2001|mdy}}`: another order of the parts of a date that is written out, year or not.

    The date is the whole of the text, in the wiki's month names, full or short, or as 2001-02-03; any other text stays.
    The second part names the style: dmy, mdy, ymd, ISO 8601; the date is in its own order without one.
    """
    text, style = part_of(parts, 0, expand), _STYLES.get(part_of(parts, 1, expand))
    for form, pattern in _patterns(page.language)[0].items():
        if match := pattern.fullmatch(text):
            target = _WITHOUT_YEAR.get((style or "", form), form if len(form) == 2 else style or form)
            return _restyle(match, form, target, page.language)
    return text
