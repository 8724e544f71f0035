"""Centuries, dates and measures on the French Wikipedia."""

import re

from wikiprep.wikitext.templates.arguments import Arguments
from wikiprep.wikitext.templates.numbers import format_number

_NUMBER = re.compile(r"[-−]?\d+(?:[.,]\d+)?")


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
    """`{{unité|12345|km|2}}`: 12 345 km2; `{{unité|10|km|2|h|-1}}`: 10 km2 h−1."""
    values = args.positional()
    if not values or not values[0]:
        return None
    first = values[0].replace("−", "-").replace(",", ".")
    head = format_number(first, "fr") if _NUMBER.fullmatch(first) else values[0]
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
    """`{{date|3|mai|1850}}`, `{{date|3 mai 1850}}`: 3 mai 1850; a fourth argument is the field, and no text."""
    values = [value for value in args.positional()[:3] if value]
    if values and values[0] == "1":
        values[0] = "1<sup>er</sup>"
    return " ".join(values) or None


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
