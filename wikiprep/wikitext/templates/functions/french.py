"""Centuries, dates and measures on the French Wikipedia."""

import re

from wikiprep.wikitext.templates.arguments import Arguments
from wikiprep.wikitext.templates.functions.flags import without_qualifier
from wikiprep.wikitext.templates.numbers import write_number

_NUMBER = re.compile(r"[-−]?\d+(?:[.,]\d+)?")
_MONTHS = (
    *("janvier", "février", "mars", "avril", "mai", "juin"),
    *("juillet", "août", "septembre", "octobre", "novembre", "décembre"),
)
_ISO = re.compile(r"(\d{3,4})-(\d{1,2})-(\d{1,2})")
_NUMBER_AND_UNIT = re.compile(rf"({_NUMBER.pattern})( [^\d\[\]<>{{}}]*)?")
_DECIMALS = re.compile(r"(?<=,)\d{4,}")
# A whole date in one argument; what the link of its year adds ("en sport") is not shown.
_WHOLE_DATE = re.compile(
    rf"(?P<day>(?:\w+ )?\d{{1,2}}(?:er)?)?\s*(?P<month>{'|'.join(_MONTHS)})\s*(?P<year>\d+(?: av\. J\.-C\.)?)?"
    r"(?: (?:en|au|aux|à) .*)?"
)


def _ordinal(number: str, suffix: str) -> str:
    suffix = suffix or ("er" if number.upper() == "I" else "e")
    return f"{number}<sup>{suffix}</sup>"


def century(args: Arguments) -> str | None:
    """`{{s-|XX|e}}`: XXe siècle; `{{-s-|I|er}}`, `{{sap-|I|er}}`: Ier siècle av. J.-C.

    `{{s2-|XV|e|XVI|e}}`: XVe et XVIe siècles; `{{sp-|XV|e|au|XVI|e|s}}`: XVe au XVIe siècles; `{{s mini|XX}}` is
    without the word.
    """
    number = args[1]
    if not number:
        return None
    name = args.name.lower()
    before = name.startswith("-") or "av" in name
    times = " av. J.-C." if before else " apr. J.-C." if name.startswith("sap") else ""
    if name.strip("-") in ("sp", "sp mini", "sp-mini"):
        second = _ordinal(args[4], args[5]) if args[4] else ""
        word = "" if "mini" in name else " siècles" if args[6] else " siècle"
        return f"{_ordinal(number, args[2])} {args[3]} {second}{word}{times}".replace("  ", " ")
    mini = "mini" in name
    if name.startswith(("s2", "-s2")) and args[3]:
        numbers = f"{_ordinal(number, args[2])} et {_ordinal(args[3], args[4])}"
        return f"{numbers}{'' if mini else ' siècles'}{times}"
    word = "" if mini else " s." if name.startswith("sm") else " siècle"
    return f"{_ordinal(number, args[2])}{word}{times}"


def millennium(args: Arguments) -> str | None:
    """`{{millénaire|II|e}}`: IIe millénaire; `{{-millénaire-|III|e}}`: IIIe millénaire av. J.-C."""
    times = " av. J.-C." if args.name.startswith("-") else ""
    return f"{_ordinal(args[1], args[2])} millénaire{times}" if args[1] else None


def unit_value(args: Arguments) -> str | None:
    """`{{unité|12345|km|2}}`: 12 345 km2; `{{unité|10|km|2|h|-1}}`: 10 km2 h−1; `{{unité|5|±=0.1|km}}`: 5 ± 0,1 km.

    `{{unidad}}` in Spanish and `{{unidade}}` in Portuguese. French groups the decimals too: 3,141 59.
    """
    values = args.positional()
    if not values or not values[0]:
        return None
    head = _written(values[0], args.language)
    if margin := args.first("±", "+-", "incertitude"):
        head += f" ± {_written(margin, args.language)}"
    if power := args["e"]:
        sign = " × " if args.language == "fr" else "×"
        head += f"{sign}10<sup>{power.replace('-', '−')}</sup>"
    return f"{head} {_units(values[1:])}".strip()


def _written(value: str, language: str) -> str:
    """A number, or one with words behind it, as the language writes numbers."""
    match = _NUMBER_AND_UNIT.fullmatch(value)
    if match is None:
        return value
    number = write_number(match[1], language)
    if language == "fr":
        number = _DECIMALS.sub(lambda digits: re.sub(r"(\d{3})(?=\d)", "\\1\xa0", digits[0]), number)
    return number + (match[2] or "")


def _units(values: list[str]) -> str:
    """Units, each with the power that stands behind it."""
    units: list[str] = []
    for value in values:
        if units and re.fullmatch(r"[-−]?\d+", value):
            units[-1] += f"<sup>{value.replace('-', '−')}</sup>"
        elif value:
            units.append(value)
    return " ".join(units)


def sizes(args: Arguments) -> str | None:
    """`{{dunité|10|20|cm}}`: 10 × 20 cm; `{{tunité|10|20|30|cm}}`: 10 × 20 × 30 cm."""
    count = 3 if args.name.startswith("T") else 2
    values = args.positional()
    sides = " × ".join(_written(value, args.language) for value in values[:count] if value)
    return f"{sides} {_units(values[count:])}".strip() or None


def time(args: Arguments) -> str | None:
    """`{{heure|12|30}}`: 12 h 30; `{{heure|12|30|15}}`: 12 h 30 min 15 s; `{{durée|m=3|s=20}}`: 3 min 20 s."""
    hours, minutes, seconds = args.first(1, "h"), args.first(2, "m", "min"), args.first(3, "s")
    unit = "" if hours and not seconds else "&nbsp;min"
    parts = (
        f"{hours}&nbsp;h" if hours else "",
        f"{minutes}{unit}" if minutes else "",
        f"{seconds}&nbsp;s" if seconds else "",
    )
    return " ".join(part for part in parts if part) or None


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
    """`{{XIXe}}`, `{{2e}}`, `{{XIXe siècle}}`: the name itself, its ending raised; `{{2e|armée}}`: 2e armée."""
    match = _ORDINAL_NAME.fullmatch(args.name)
    text = f"{match[1]}<sup>{match[2]}</sup>{match[3]}" if match else args.name
    return f"{text} {args[1]}" if args[1] and " " not in args.name else text


def ordinal_number(args: Arguments) -> str | None:
    """`{{ordinal|1}}`: 1er; `{{ordinal|5}}`: 5e."""
    return f"{args[1]}<sup>{'er' if args[1] == '1' else 'e'}</sup>" if args[1] else None


def in_language(args: Arguments) -> str | None:
    """`{{en russe|Москва|Moskva}}`: en russe : Москва, Moskva."""
    words = ", ".join(value for value in args.positional() if value)
    return f"{args.name[:1].lower()}{args.name[1:]} : {words}" if words else None


def arabic(args: Arguments) -> str | None:
    """`{{arabe|Le Caire|القاهرة|al-Qāhira}}`: Le Caire (en arabe : القاهرة, al-Qāhira); `{{arabe|القاهرة}}` alone."""
    first, *others = args.positional() or [""]
    words = ", ".join(value for value in others if value)
    return f"{first} (en arabe : {words})".strip() if words else first or None


def aside(args: Arguments) -> str | None:
    """`{{incise|words}}`: — words —; `{{incise|words|stop}}` at a sentence's end: — words."""
    return f"— {args[1]}{'' if args[2] else ' —'}" if args[1] else "—"


def sovereign(args: Arguments) -> str | None:
    """`{{souverain|Louis XIV}}`, `{{noble|Alexandre VI (pape)}}`: the article, without what tells it from others;
    `{{souverain-|Louis XIV}}` makes no link."""
    name = without_qualifier(args[1])
    if not name or args.name.endswith("-") or "[" in name:
        return name or None
    return f"[[{args[1]}]]" if name == args[1] else f"[[{args[1]}|{name}]]"


def title(args: Arguments) -> str | None:
    """`{{Mme|Dupont}}`: Mme Dupont; the name of the template is the title."""
    return f"{args.name} {' '.join(args.positional()[:2])}".strip()


_ORDINAL_NAME = re.compile(r"(\d+|[IVXL]+)(er?|re|de?)((?: siècle)?)")
