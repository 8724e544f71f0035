"""Characters by name or number: notes and accidentals, code points, keys, sets of dashes."""

import unicodedata

from wikiprep.wikitext.control_marks import shield
from wikiprep.wikitext.templates.arguments import Arguments


def table_start(args: Arguments) -> str:
    """`{|`, which begins a table within a template's argument."""
    return "{|"


def table_end(args: Arguments) -> str:
    """`|}`, which ends it."""
    return "|}"


_MUSIC = {
    "bémol": "♭",
    "dièse": "♯",
    "bécarre": "♮",
    **dict.fromkeys(("flat", "b"), "♭"),
    **dict.fromkeys(("sharp", "#"), "♯"),
    **dict.fromkeys(("natural", "n"), "♮"),
    **dict.fromkeys(("doubleflat", "bb", "dflat"), "𝄫"),
    **dict.fromkeys(("doublesharp", "x", "##", "dsharp"), "𝄪"),
    "quarter": "♩",
    "eighth": "♪",
    "8th": "♪",
    "half": "𝅗𝅥",
    "whole": "𝅝",
    "quaver": "♪",
    "crotchet": "♩",
    "treble": "𝄞",
    "bass": "𝄢",
    "alto": "𝄡",
    "tenor": "𝄡",
    "fermata": "𝄐",
    "segno": "𝄋",
    "coda": "𝄌",
    "common": "𝄴",
    "cut": "𝄵",
    "beamed": "♫",
    "halfdim": "ø",
    "dim": "°",
    "aug": "+",
    "delta": "Δ",
    "flipflat": "♭",
}


def music(args: Arguments) -> str | None:
    """`{{music|flat}}`: ♭; scale degrees and metres (`{{music|time|3|4}}`) as digits."""
    kind = args[1].lower()
    if kind in ("time", "timesig", "meter") and args[2]:
        return f"{args[2]}/{args[3]}" if args[3] else args[2]
    if kind in ("scale", "figured", "chord"):
        return "".join(args.positional()[1:]) or None
    return _MUSIC.get(kind) or args[1] or None


def unichar(args: Arguments) -> str | None:
    """`{{unichar|00B7|Middle dot}}`: U+00B7 · MIDDLE DOT."""
    code = args[1].removeprefix("U+").strip()
    try:
        number = int(code, 16)
    except ValueError:
        return " ".join(args.positional()[:2]) or None
    if not 0x20 <= number < 0x110000 or 0xD800 <= number < 0xE000 or 0x7F <= number < 0xA0:
        return " ".join(part for part in (f"U+{code.upper()}", args[2]) if part)
    name = args[2].upper() or unicodedata.name(chr(number), "")
    character = shield(chr(number)) if chr(number).isprintable() else ""
    return " ".join(part for part in (f"U+{code.upper().rjust(4, '0')}", character, name) if part)


_INTEGRALS = {
    "int": "∫",
    "iint": "∬",
    "iiint": "∭",
    "oint": "∮",
    "oiint": "∯",
    "oiiint": "∰",
    "varointclockwise": "∲",
    "ointctrclockwise": "∳",
}


def integral(args: Arguments) -> str | None:
    """`{{intmath|int|0|1}}`: ∫ with its lower and upper bound."""
    sign = _INTEGRALS.get(args[1] or "int", "∫")
    lower, upper = (f"<{tag}>{bound}</{tag}>" if bound else "" for tag, bound in (("sub", args[2]), ("sup", args[3])))
    return sign + upper + lower


def keys(args: Arguments) -> str | None:
    """`{{key press|Ctrl|C}}`: Ctrl+C."""
    return "+".join(part for part in args.positional() if part) or None


def times(args: Arguments) -> str | None:
    """`{{nbsp|3}}`: as many spaces; one without a number."""
    count = args[1]
    return "&nbsp;" * (min(int(count[:20]), 20) if count.isdecimal() and count.isascii() else 1)


def hard_space(args: Arguments) -> str:
    """`{{esd}}`: a space; `{{esd|5 km}}`: words that stay in one line."""
    return args[1] or "&nbsp;"


def power_of_ten(args: Arguments) -> str | None:
    """`{{e|-20}}`: ×10 to the power −20."""
    power = args[1]
    if power[:1] == "-":
        power = "−" + power[1:]
    return f"×10<sup>{power}</sup>" if power else None


def not_applicable(args: Arguments) -> str | None:
    """`{{n/a}}`: N/A, or the words given."""
    return args[1] or "N/A"
