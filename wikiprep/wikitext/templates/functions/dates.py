"""Dates. Nothing here depends on today: an age that would be counted to today is left out."""

import re

from wikiprep.wikitext.templates.arguments import Arguments

_MONTHS = (
    *("January", "February", "March", "April", "May", "June"),
    *("July", "August", "September", "October", "November", "December"),
)
_ISO = re.compile(r"(-?\d{3,4})-(\d{1,2})(?:-(\d{1,2}))?")
_LENGTHS = (0, 31, 59, 90, 120, 151, 181, 212, 243, 273, 304, 334)


def month(text: str) -> str:
    """The month's English name from its number, short or full name; the text itself where it is none."""
    if text.isdecimal() and text.isascii() and len(text) < 4:
        return _MONTHS[int(text) - 1] if 1 <= int(text) <= 12 else text
    return next((name for name in _MONTHS if len(text) >= 3 and name.lower().startswith(text.lower())), text)


def write_date(year: str, mon: str, day: str, *, day_first: bool) -> str:
    """ "March 5, 1950" or "5 March 1950", as far as it is given."""
    day = day.lstrip("0")
    name = month(mon) if mon.strip("0") else ""
    if day_first or not day or not name:
        return " ".join(part for part in (day if name else "", name, year) if part)
    return f"{name} {day}, {year}" if year else f"{name} {day}"


def date(args: Arguments) -> str | None:
    """`{{birth date|1950|3|5|df=y}}`, `{{start date|…}}`; a text that is no number stands for itself."""
    return _date(args, args.positional()[:3])


def _date(args: Arguments, values: list[str]) -> str | None:
    year, mon, day = (*values, "", "", "")[:3]
    if not year:
        return None
    if match := _ISO.fullmatch(year):
        year, mon, day = match[1], match[2], match[3] or ""
    if not year.lstrip("-").isdecimal():
        return year
    day_first = args.on("df") or args["format"].lower() == "dmy" or args["mf"].lower() in ("no", "n")
    return write_date(year, mon, day, day_first=day_first)


def start_and_end(args: Arguments) -> str | None:
    """`{{start and end dates|1999|12|31|2009|12|31}}`: December 31, 1999 – December 31, 2009."""
    values = args.positional()[:6]
    return " – ".join(text for part in (values[:3], values[3:]) if (text := _date(args, part))) or None


def sorted_date(args: Arguments) -> str | None:
    """`{{dts|2010|4|5|format=dmy}}`; a whole date in one argument stands for itself."""
    values = args.positional()[:3]
    if len(values) == 1 and not values[0].lstrip("-").isdecimal() and not _ISO.fullmatch(values[0]):
        return values[0] or None
    return _date(args, values)


def formatted_date(args: Arguments) -> str | None:
    """`{{date|2010-04-05|mdy}}`: April 5, 2010; day first where nothing is said."""
    match = _ISO.fullmatch(args[1])
    if match is None:
        return args[1] or None
    form = args[2].lower()
    if form in ("iso", "ymd"):
        return args[1]
    return write_date(match[1], match[2], match[3] or "", day_first=form not in ("mdy", "american"))


def death_date(args: Arguments) -> str | None:
    """`{{death date and age|1999|3|5|1920|1|2}}`: March 5, 1999 (aged 79)."""
    values = args.positional()[:6]
    date_text = _date(args, values[:3])
    years = _years(values[3:6], values[:3]) if len(values) == 6 else None
    return f"{date_text} (aged {years})" if date_text and years is not None else date_text


def death_year(args: Arguments) -> str | None:
    """`{{death year and age|1999|1920}}`: 1999 (aged 78–79)."""
    values = args.positional()[:3]
    if len(values) < 2 or not all(value.isdecimal() and len(value) < 10 for value in values[:2]):
        return _date(args, values[:1])
    years = int(values[0]) - int(values[1])
    date_text = f"{month(values[2])} {values[0]}" if len(values) > 2 and values[2] else values[0]
    return f"{date_text} (aged {years - 1}–{years})"


def age(args: Arguments) -> str | None:
    """`{{age|1950|3|5|1999|1|2}}`: 48. Without an end date it would depend on today: nothing."""
    values = args.positional()[:6]
    years = _years(values[:3], values[3:6]) if len(values) == 6 else None
    return None if years is None else str(years)


def age_days(args: Arguments) -> str | None:
    """`{{age in years and days|1950|3|5|1999|1|2}}`: 48 years, 303 days."""
    values = args.positional()[:6]
    years = _years(values[:3], values[3:6]) if len(values) == 6 else None
    if years is None or years < 0:
        return None
    first, last = ([int(part) for part in half] for half in (values[:3], values[3:6]))
    if any(not 1 <= part[1] <= 12 or not 1 <= part[2] <= 31 for part in (first, last)):
        return str(years)
    days = _day_number(last) - _day_number([first[0] + years, *first[1:]])
    years_text = f"{years} year{'' if years == 1 else 's'}"
    return f"{years_text}, {days} day{'' if days == 1 else 's'}"


def days_between(args: Arguments) -> str | None:
    """`{{age in days|1990|1|1|1999|1|1}}`: 3287. Without an end date it would depend on today: nothing."""
    ends = _two_dates(args)
    return None if ends is None else str(_day_number(ends[1]) - _day_number(ends[0]))


def age_in_full(args: Arguments) -> str | None:
    """`{{age in years, months and days|1990|1|1|1999|3|5}}`: 9 years, 2 months and 4 days."""
    ends = _two_dates(args)
    if ends is None or ends[1] < ends[0] or "week" in args.name:
        return None
    (year, mon, day), (last_year, last_month, last_day) = ends
    months = 12 * (last_year - year) + last_month - mon - (last_day < day)
    since = [year + (mon - 1 + months) // 12, (mon - 1 + months) % 12 + 1, day]
    counts = ((months // 12, "year"), (months % 12, "month"), (_day_number(ends[1]) - _day_number(since), "day"))
    parts = [f"{count} {word}{'' if count == 1 else 's'}" for count, word in counts if count]
    return " and ".join(part for part in (", ".join(parts[:-1]), parts[-1] if parts else "0 days") if part)


def _two_dates(args: Arguments) -> tuple[list[int], list[int]] | None:
    """The dates of six arguments; None where one is missing or no date."""
    values = args.positional()[:6]
    try:
        numbers = [int(month_number(value)) for value in values]
    except ValueError:
        return None
    dates = numbers[:3], numbers[3:]
    known = len(numbers) == 6 and all(0 < y < 10_000 and 1 <= m <= 12 and 1 <= d <= 31 for y, m, d in dates)
    return dates if known else None


def duration(args: Arguments) -> str | None:
    """`{{duration|h=1|m=2|s=3}}`: 1:02:03."""
    parts = [args.first("h", 1), args.first("m", 2), args.first("s", 3)]
    while parts and not parts[0]:
        parts.pop(0)
    return ":".join([parts[0], *(part.rjust(2, "0") for part in parts[1:])]) if parts else None


def _day_number(parts: list[int]) -> int:
    year, mon, day = parts
    leap = year % 4 == 0 and (year % 100 != 0 or year % 400 == 0)
    before = year - 1
    return 365 * year + before // 4 - before // 100 + before // 400 + _LENGTHS[mon - 1] + day + (leap and mon > 2)


def _years(born: list[str], died: list[str]) -> int | None:
    try:
        first, last = ([int(month_number(part)) for part in parts] for parts in (born, died))
    except ValueError:
        return None
    if any(abs(part) > 99_999 for part in first + last):
        return None
    return last[0] - first[0] - (last[1:] < first[1:])


def month_number(text: str) -> str:
    """A month's number from its name; anything else as it is."""
    name = month(text)
    return str(_MONTHS.index(name) + 1) if name in _MONTHS else text


def as_of(args: Arguments) -> str | None:
    """`{{as of|2010|4|lc=y}}`: as of April 2010."""
    if alt := args["alt"]:
        return alt
    when = write_date(args[1], args[2], args[3], day_first=args["df"].lower() not in ("us", "mdy"))
    if not when:
        return None
    if args.on("bare"):
        return when + args["post"]
    lead = "since" if args.on("since") else "as of"
    return f"{args['pre']} {lead if args.on('lc') else lead.capitalize()} {when}{args['post']}".strip()


def circa(args: Arguments) -> str | None:
    """`{{circa|1450|1460}}`: c. 1450 – c. 1460."""
    values = [f"c. {value}" for value in args.positional()[:2] if value]
    return " – ".join(values) if values else "c."


def reign(args: Arguments) -> str | None:
    """`{{reign|1050|1070}}`: r. 1050–1070."""
    return "r. " + _span(args) if args[1] or args[2] else "r."


def floruit(args: Arguments) -> str | None:
    """`{{fl.|1050|1070}}`: fl. 1050–1070."""
    return "fl. " + _span(args) if args[1] or args[2] else "fl."


def letter_and_year(args: Arguments) -> str | None:
    """`{{born|1950}}`, `{{b.|1950}}`, `{{died|1999}}`, `{{m.|1970}}`: the first letter of the name and a year."""
    return f"{args.name[:1].lower()}. {args[1]}".strip()


def _span(args: Arguments) -> str:
    values = [value for value in args.positional()[:2] if value]
    return (" – " if any(" " in value for value in values) else "–").join(values)
