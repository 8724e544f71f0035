"""Small functions: fractions, values, ships, interlanguage links, quotations, lists."""

import re

from wikiprep.wikitext.templates.arguments import Arguments
from wikiprep.wikitext.templates.numbers import format_number

_DIGITS = re.compile(r"-?\d+(?:\.\d+)?")


def last(args: Arguments) -> str | None:
    """The last unnamed argument: `{{transl|language|scheme|text}}` with either left out."""
    values = [value for value in args.positional() if value]
    return values[-1] if values else None


def frac(args: Arguments) -> str | None:
    """`{{frac|1|2}}`: 1⁄2; `{{frac|3|1|2}}`: 3+1⁄2, as MediaWiki's text has it."""
    values = args.positional()
    if len(values) == 1:
        return f"1⁄{values[0]}"
    if len(values) == 2:
        return f"{values[0]}⁄{values[1]}"
    return f"{values[0]}+{values[1]}⁄{values[2]}" if len(values) == 3 else None


def sfrac(args: Arguments) -> str | None:
    """`{{sfrac|1|2}}`: 1/2."""
    values = args.positional()
    if len(values) == 1:
        return f"1/{values[0]}"
    if len(values) == 2:
        return f"{values[0]}/{values[1]}"
    return f"{values[0]}+{values[1]}/{values[2]}" if len(values) == 3 else None


def val(args: Arguments) -> str | None:
    """`{{val|879.6|0.8|u=s|e=3}}`: number, uncertainty, power of ten, unit."""
    number = args[1]
    if not number:
        return None
    if args["fmt"] == "commas" and _DIGITS.fullmatch(number):
        number = format_number(number, "en")
    number = number.replace("-", "−", 1) if number.startswith("-") else number
    up, down, power = args[2], args[3], args["e"]
    if down:
        number += f"+{up.lstrip('+')}−{down.lstrip('-−')}"
    elif up:
        number += up if up.startswith("(") else f"±{up}"
    if power:
        number = f"({number})" if up else number
        number += f"×10<sup>{power.replace('-', '−')}</sup>"
    unit = args.first("u", "ul", "up", "upl")
    number = args["p"] + number
    if unit:
        number += unit if unit in ("%", "°", "′", "″") else f" {unit}"
        if per := args.first("up", "upl"):
            number += f"/{per}" if per != unit else ""
    return number + args.first("s", "suffix")


def ship(args: Arguments) -> str | None:
    """`{{ship|HMS|Belfast|C35|6}}`."""
    return _ship(args[1], args[2], args[3], args[4]) if args[2] else None


def navy(args: Arguments) -> str | None:
    """`{{HMS|Belfast|C35|6}}`: the prefix is the template's own name."""
    return _ship(args.name, args[1], args[2], args[3]) if args[1] else None


def _ship(prefix: str, name: str, mark: str, form: str) -> str:
    full = f"{prefix} {name}".strip()
    target = f"{full} ({mark})" if mark else full
    shown = f"{prefix} ''{name}''".strip()
    if form == "2":
        return f"[[{target}|''{name}'']]"
    if form == "1":
        return f"[[{target}|{prefix} {mark}]]" if mark else f"[[{target}|{shown}]]"
    if form == "3":
        return f"[[{target}|{mark or name}]]"
    if form == "5":
        return f"[[{target}|''{name}'' ({mark})]]" if mark else f"[[{target}|''{name}'']]"
    if mark and form != "6":
        return f"[[{target}|{shown} ({mark})]]"
    return f"[[{target}|{shown}]]"


def ill(args: Arguments) -> str | None:
    """`{{ill|Title|language|Foreign title|lt=label}}`: a link to the page that is still to be written here."""
    title = args[1]
    if not title:
        return None
    label = args.first("lt", "display")
    return f"[[{title}|{label}]]" if label else f"[[{title}]]"


def harvtxt(args: Arguments) -> str | None:
    """`{{harvtxt|Smith|Jones|2000|p=5}}`: Smith & Jones (2000, p. 5)."""
    names, year, place = _harvard(args)
    inside = ", ".join(part for part in (year, place) if part)
    return f"{names} ({inside})" if names and inside else names or None


def harvnb(args: Arguments) -> str | None:
    """`{{harvnb|Smith|2000}}`: Smith 2000."""
    names, year, place = _harvard(args)
    return ", ".join(part for part in (f"{names} {year}".strip(), place) if part) or None


def harv(args: Arguments) -> str | None:
    """`{{harv|Smith|2000|p=5}}`: (Smith 2000, p. 5)."""
    shown = harvnb(args)
    return shown and f"({shown})"


def _harvard(args: Arguments) -> tuple[str, str, str]:
    """Names, year, and where in the work."""
    *names, year = args.positional()[:5] or [""]
    if not names and not any(map(str.isdecimal, year)):
        names, year = [year], ""
    names = [name for name in names if name]
    if len(names) > 3:
        shown = f"{names[0]} et al."
    else:
        shown = " & ".join(part for part in (", ".join(names[:-1]), names[-1] if names else "") if part)
    page, pages = args.first("p", "page"), args.first("pp", "pages")
    return shown, year, f"p. {page}" if page else f"pp. {pages}" if pages else args["loc"]


def sic(args: Arguments) -> str | None:
    """`{{sic|word}}`: word [sic]."""
    word = "".join(args.positional()[:2])
    if args.on("hide"):
        return word
    return f"{word} &#91;''sic''&#93;".strip()


def quote(args: Arguments) -> str | None:
    """A block quotation with its author and source as a block of their own."""
    text = args.first("text", "quote", 1)
    if not text:
        return None
    author = args.first("author", "sign", "by", 2)
    source = args.first("source", "title", 3)
    signed = ", ".join(part for part in (author, source) if part)
    tail = f"\n\n— {signed.lstrip('—– ')}" if signed else ""
    return f"<blockquote>\n{text}{tail}\n</blockquote>"


def bulleted(args: Arguments) -> str | None:
    """`{{bulleted list|a|b}}`."""
    return "".join(f"\n* {value}" for value in args.positional() if value) + "\n"


def number(args: Arguments) -> str | None:
    """`{{nts|12345}}`: 12,345."""
    return format_number(args[1], args.language) or None


def fr_century(args: Arguments) -> str | None:
    """French `{{s-|XX|e}}`, `{{s|XX|e}}`: XXe siècle."""
    return f"{args[1]}<sup>{args[2] or 'e'}</sup> siècle" if args[1] else None


def fr_unit(args: Arguments) -> str | None:
    """French `{{unité|12345|km|2}}`: 12 345 km2."""
    values = args.positional()
    if not values:
        return None
    head = format_number(values[0], "fr") if _DIGITS.fullmatch(values[0]) else values[0]
    return f"{head} {''.join(values[1:])}".strip()
