"""Dates. Nothing here depends on today: an age that would be counted to today is left out."""

from wikiprep.wikitext.templates.arguments import Arguments

_MONTHS = (
    *("January", "February", "March", "April", "May", "June"),
    *("July", "August", "September", "October", "November", "December"),
)


def month(text: str) -> str:
    """The month's English name from its number, short or full name; the text itself where it is none."""
    if text.isdecimal() and text.isascii():
        return _MONTHS[int(text) - 1] if 1 <= int(text) <= 12 else text
    return next((name for name in _MONTHS if len(text) >= 3 and name.lower().startswith(text.lower())), text)


def spelled(year: str, mon: str, day: str, *, day_first: bool) -> str:
    """ "March 5, 1950" or "5 March 1950", as far as it is given."""
    day = day.lstrip("0")
    name = month(mon) if mon else ""
    if day_first or not day or not name:
        return " ".join(part for part in (day if name else "", name, year) if part)
    return f"{name} {day}, {year}" if year else f"{name} {day}"


def date(args: Arguments) -> str | None:
    """`{{birth date|1950|3|5|df=y}}`, `{{start date|…}}`; a text that is no number stands for itself."""
    year, mon, day = args[1], args[2], args[3]
    if not year:
        return None
    if not year.lstrip("-").isdecimal():
        return year
    return spelled(year, mon, day, day_first=args.on("df"))


def death_date(args: Arguments) -> str | None:
    """`{{death date and age|1999|3|5|1920|1|2}}`: March 5, 1999 (aged 79)."""
    shown = date(args)
    values = args.positional()[:6]
    years = _years(values[3:6], values[:3]) if len(values) == 6 else None
    return f"{shown} (aged {years})" if shown and years is not None else shown


def age(args: Arguments) -> str | None:
    """`{{age|1950|3|5|1999|1|2}}`: 48. Without an end date it would depend on today: nothing."""
    values = args.positional()[:6]
    years = _years(values[:3], values[3:6]) if len(values) == 6 else None
    return None if years is None else str(years)


def _years(born: list[str], died: list[str]) -> int | None:
    try:
        first, last = ([int(part) for part in parts] for parts in (born, died))
    except ValueError:
        return None
    return last[0] - first[0] - (last[1:] < first[1:])


def as_of(args: Arguments) -> str | None:
    """`{{as of|2010|4|lc=y}}`: as of April 2010."""
    if alt := args["alt"]:
        return alt
    when = spelled(args[1], args[2], args[3], day_first=args["df"].lower() != "us")
    if not when:
        return None
    lead = "since" if args.on("since") else "as of"
    return f"{lead if args.on('lc') else lead.capitalize()} {when}{args['post']}"


def circa(args: Arguments) -> str | None:
    """`{{circa|1450|1460}}`: c. 1450 – c. 1460."""
    values = [f"c. {value}" for value in args.positional()[:2] if value]
    return " – ".join(values) if values else "c."


def reign(args: Arguments) -> str | None:
    """`{{reign|1050|1070}}`: r. 1050–1070."""
    return "r. " + _span(args) if args[1] else None


def floruit(args: Arguments) -> str | None:
    """`{{fl.|1050|1070}}`: fl. 1050–1070."""
    return "fl. " + _span(args) if args[1] else "fl."


def _span(args: Arguments) -> str:
    values = [value for value in args.positional()[:2] if value]
    return (" – " if any(" " in value for value in values) else "–").join(values)
