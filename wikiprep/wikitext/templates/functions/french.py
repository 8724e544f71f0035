"""Centuries, dates and measures on the French Wikipedia."""

import re

from wikiprep.wikitext.templates.arguments import Arguments
from wikiprep.wikitext.templates.numbers import format_number

_NUMBER = re.compile(r"[-−]?\d+(?:[.,]\d+)?")
_MONTHS = (
    *("janvier", "février", "mars", "avril", "mai", "juin"),
    *("juillet", "août", "septembre", "octobre", "novembre", "décembre"),
)
_ISO = re.compile(r"(\d{3,4})-(\d{1,2})-(\d{1,2})")
# A whole date in one argument; what the link of its year adds ("en sport") is not shown.
_WHOLE_DATE = re.compile(
    rf"(?P<day>(?:\w+ )?\d{{1,2}}(?:er)?)?\s*(?P<month>{'|'.join(_MONTHS)})\s*(?P<year>\d+(?: av\. J\.-C\.)?)?"
    r"(?: (?:en|au|aux|à) .*)?"
)


def _ordinal(number: str, suffix: str) -> str:
    suffix = suffix or ("er" if number.upper() == "I" else "e")
    return f"{number}<sup>{suffix}</sup>"


def century(args: Arguments) -> str | None:
    """`{{s-|XX|e}}`, `{{s mini|XX}}`, `{{-s-|I|er}}`, `{{s2-|XV|e|XVI|e}}`: XXe siècle; XVe et XVIe siècles."""
    number = args[1]
    if not number:
        return None
    name = args.name.lower()
    before = name.startswith("-") or "av" in name
    times = " av. J.-C." if before or args.name.startswith("S av") else ""
    if name in ("sp-", "sp", "-sp-", "sp mini-"):
        second = _ordinal(args[4], args[5]) if args[4] else ""
        return f"{_ordinal(number, args[2])} {args[3]} {second} siècle{times}".replace("  ", " ")
    if name.startswith(("s2", "-s2")) and args[3]:
        return f"{_ordinal(number, args[2])} et {_ordinal(args[3], args[4])} siècles{times}"
    short = name.endswith("m-") or name in ("s mini", "s mini-", "sm")
    return f"{_ordinal(number, args[2])}{' s.' if short else ' siècle'}{times}"


def unit_value(args: Arguments) -> str | None:
    """`{{unité|12345|km|2}}`: 12 345 km2; `{{unité|10|km|2|h|-1}}`: 10 km2 h−1; `{{unidad}}` in Spanish."""
    values = args.positional()
    if not values or not values[0]:
        return None
    first = values[0].replace("−", "-").replace(",", ".")
    head = format_number(first, args.language) if _NUMBER.fullmatch(first) else values[0]
    if power := args["e"]:
        head += f"×10<sup>{power.replace('-', '−')}</sup>"
    units: list[str] = []
    for value in values[1:]:
        if units and re.fullmatch(r"[-−]?\d+", value):
            units[-1] += f"<sup>{value.replace('-', '−')}</sup>"
        elif value:
            units.append(value)
    return f"{head} {' '.join(units)}".strip()


def date(args: Arguments) -> str | None:
    """`{{date|1|2|1950}}`, `{{date|1|février|1950|en sport}}`, `{{date|1 février 1950 en sport}}`: 1er février 1950."""
    day, mon, year = (args[1], args[2], args[3])
    if match := _WHOLE_DATE.fullmatch(day):
        day, mon, year = match["day"] or "", match["month"], match["year"] or ""
    elif match := _ISO.fullmatch(day):
        year, mon, day = match.groups()
    elif not mon and not year:
        return day or None
    if mon.isdecimal() and mon.isascii() and 1 <= int(mon[:4]) <= 12:
        mon = _MONTHS[int(mon) - 1]
    day = day.lstrip("0")
    day = "1<sup>er</sup>" if day in ("1", "1er") else day
    if match := re.fullmatch(r"[-−](\d+)", year):
        year = f"{match[1]} av. J.-C."
    return " ".join(value for value in (day, mon, year) if value) or None


def first(args: Arguments) -> str | None:
    """`{{1er mai}}`: 1er mai, with a year behind it if one is given."""
    _, _, mon = args.name.partition(" ")
    return f"1<sup>er</sup> {mon} {args[1]}".strip()


def ordinal(args: Arguments) -> str | None:
    """`{{XIXe}}`, `{{2e}}`, `{{XIXe siècle}}`: the name itself, its ending raised."""
    match = _ORDINAL_NAME.fullmatch(args.name)
    return f"{match[1]}<sup>{match[2]}</sup>{match[3]}" if match else args.name


def title(args: Arguments) -> str | None:
    """`{{Mme|Dupont}}`: Mme Dupont; the name of the template is the title."""
    return f"{args.name} {' '.join(args.positional()[:2])}".strip()


_ORDINAL_NAME = re.compile(r"(\d+|[IVXL]+)(er?|re|de?)((?: siècle)?)")
