"""Numbers in text: fractions, ordinals, words, money."""

import re
from decimal import ROUND_HALF_UP, Decimal

from wikiprep.wikitext.templates.arguments import Arguments
from wikiprep.wikitext.templates.date_formats import roman
from wikiprep.wikitext.templates.functions.spelling import spell_integer, spell_number
from wikiprep.wikitext.templates.numbers import format_number

_DECIMAL = re.compile(r"-?\d{1,15}(?:\.\d{1,15})?", re.ASCII)
_PLACES = ("0", "1", "2", "3", "4", "5", "6")
_LARGE = {
    "k": "thousand",
    "m": "million",
    "b": "billion",
    "t": "trillion",
    "l": "lakh",
    "c": "crore",
    "lc": "lakh crore",
}
_ORDINALS = {
    "one": "first",
    "two": "second",
    "three": "third",
    "five": "fifth",
    "eight": "eighth",
    "nine": "ninth",
    "twelve": "twelfth",
}
_SIGNS = {
    "USD": "US$",
    "AUD": "A$",
    "CAD": "C$",
    "NZD": "NZ$",
    "HKD": "HK$",
    "SGD": "S$",
    "TWD": "NT$",
    "GBP": "£",
    "EUR": "€",
    "JPY": "¥",
    "CNY": "CN¥",
    "RMB": "CN¥",
    "INR": "₹",
    "KRW": "₩",
    "RUB": "₽",
    "BRL": "R$",
    "PHP": "₱",
    "ILS": "₪",
    "TRY": "₺",
    "UAH": "₴",
    "VND": "₫",
    "THB": "฿",
    "NGN": "₦",
    "KZT": "₸",
}


def frac(args: Arguments) -> str | None:
    """`{{frac|1|2}}`: 1⁄2; `{{frac|3|1|2}}`: 3+1⁄2, as MediaWiki's text has it."""
    return _fraction(args, "⁄")


def sfrac(args: Arguments) -> str | None:
    """`{{sfrac|1|2}}`: 1/2."""
    return _fraction(args, "/")


def _fraction(args: Arguments, bar: str) -> str | None:
    values = args.positional()[:3]
    if len(values) == 1:
        return f"1{bar}{values[0]}" if values[0] else None
    if len(values) == 2:
        return f"{values[0]}{bar}{values[1]}" if any(values) else None
    if len(values) < 3 or not any(values):
        return None
    return f"{values[0]}{'+' if values[0] else ''}{values[1]}{bar}{values[2]}"


def ordinal(args: Arguments) -> str | None:
    """`{{ordinal|3}}`: 3rd."""
    return ordinal_number(args[1]) or None


def ordinal_number(number: str) -> str:
    """A number with its ending; anything else as it is."""
    if not number.lstrip("-").isdecimal():
        return number
    last_two, last_digit = int(number[-2:].lstrip("-") or 0), int(number[-1])
    return number + ("th" if 10 < last_two < 20 else {1: "st", 2: "nd", 3: "rd"}.get(last_digit, "th"))


def in_words(args: Arguments) -> str | None:
    """`{{number to words|21}}`: twenty-one; `{{spellnum per MOS|…}}` alike."""
    us = args["sp"].lower() == "us" or args["us"].lower() in ("y", "yes", "on")
    words = spell_number(args[1], us=us) or args[1]
    return (words[:1].upper() + words[1:] if args.on("upper") or args["case"] == "U" else words) or None


def ordinal_words(args: Arguments) -> str | None:
    """`{{ordinal to word|21}}`: twenty-first."""
    number = args[1]
    words = spell_integer(int(number)) if number.isdecimal() and number.isascii() and len(number) < 20 else None
    if words is None:
        return number or None
    head, mark, last = words.rpartition("-") if "-" in words.rpartition(" ")[2] else words.rpartition(" ")
    last = _ORDINALS.get(last) or (last[:-1] + "ieth" if last.endswith("y") else last + "th")
    return head + mark + last


def number(args: Arguments) -> str | None:
    """`{{nts|12345}}`: 12,345."""
    return (args["prefix"] + format_number(args[1], args.language) + args["suffix"]) if args[1] else None


def rupees(args: Arguments) -> str | None:
    """`{{INRConvert|500|c}}`: ₹500 crore; what it is in dollars depends on today."""
    amount = args[1]
    word = _LARGE.get(args[2].lower(), "")
    if not amount:
        return "₹"
    return f"₹{format_number(amount, 'en') if amount.isdecimal() else amount}" + (f" {word}" if word else "")


def currency(args: Arguments) -> str | None:
    """`{{currency|100|USD}}`: US$100."""
    amount, code = args.first(1, "amount"), args.first(2, "type").upper()
    if not amount:
        return None
    amount = format_number(amount, "en") if amount.isdecimal() and args["fmt"] != "no" else amount
    sign = _SIGNS.get(code)
    return f"{sign}{amount}" if sign else f"{code} {amount}".strip()


def old_money(args: Arguments) -> str | None:
    """`{{£sd|s=7|d=6}}`: 0.38, in pounds, for other templates to count with."""
    pounds, shillings, pence = (_decimal(args.first(*keys) or "0") for keys in (("l", "£"), ("s",), ("d",)))
    if pounds is None or shillings is None or pence is None:
        return None
    value = pounds + shillings / 20 + pence / 240
    return _rounded(value, "2").removesuffix(".00") if value else None


_MONEY = {
    **dict.fromkeys(("US$", "USD", "US dollar", "US Dollar"), ("US$", "United States dollar")),
    **dict.fromkeys(("A$", "AUD", "AU$"), ("A$", "Australian dollar")),
    **dict.fromkeys(("C$", "CAD", "CA$"), ("C$", "Canadian dollar")),
    **dict.fromkeys(("NZ$", "NZD"), ("NZ$", "New Zealand dollar")),
    **dict.fromkeys(("HK$", "HKD"), ("HK$", "Hong Kong dollar")),
    **dict.fromkeys(("S$", "SGD"), ("S$", "Singapore dollar")),
    **dict.fromkeys(("£", "GBP", "Pound", "Pound sterling", "UK£"), ("£", "Pound sterling")),
    **dict.fromkeys(("€", "EUR", "Euro"), ("€", "Euro")),
    **dict.fromkeys(("¥", "JPY", "JPY2", "Yen"), ("¥", "Japanese yen")),
}


def money(args: Arguments) -> str | None:
    """`{{US$|1000|link=yes}}`: US$1,000, the sign linked; `long=no`: $1,000. What it is worth today is left out."""
    sign, article = _MONEY.get(args.name, ("", ""))
    amount = args[1]
    if args["long"] == "no":
        sign = sign[-1:]
    if article and args.on("link"):
        sign = f"[[{article}|{sign}]]"
    return (sign + (format_number(amount, "en") if amount.isdecimal() else amount)) or None


def density(args: Arguments) -> str | None:
    """`{{pop density|1000|12|km2|sqmi|prec=0}}`: people to an area, in both units."""
    people, area = _decimal(args[1]), _decimal(args[2])
    if people is None or not area or area < 0:
        return args[1] or None
    units = {"km2": ("km<sup>2</sup>", Decimal(1)), "sqmi": ("sq mi", Decimal("2.589988110336"))}
    first, second = units.get(args[3]), units.get(args[4])
    shown = [
        f"{format_number(_rounded(people / area * unit[1] / first[1], args['prec']), 'en')}/{unit[0]}"
        for unit in (first, second)
        if unit and first
    ]
    return f"{shown[0]} ({shown[1]})" if len(shown) > 1 else shown[0] if shown else None


def percentage(args: Arguments) -> str | None:
    """`{{percentage|1|3|1}}`: 33.3%; `{{percent and number|3333|20000}}`: 17% (3,333)."""
    part, whole = _decimal(args[1]), _decimal(args[2])
    if part is None or not whole:
        return args[1] or None
    share = f"{_rounded(100 * part / whole, args[3])}%"
    return f"{share} ({format_number(args[1], 'en')})" if args.name.endswith("number") else share


def rounded(args: Arguments) -> str | None:
    """`{{round|54.376|2}}`: 54.38."""
    value = _decimal(args[1])
    return args[1] or None if value is None else _rounded(value, args[2])


def winning(args: Arguments) -> str | None:
    """`{{winning percentage|30|20|50}}`: .550, a tie is half a win."""
    wins, losses, ties = (_decimal(args[i] or "0") for i in (1, 2, 3))
    if wins is None or losses is None or ties is None or not (games := wins + losses + ties):
        return args[1] or None
    if not args.on("ignore_ties"):
        wins += ties / 2
    text = _rounded(wins / games, "3")
    return text if args.on("leading_zero") else text.removeprefix("0")


def plural(args: Arguments) -> str | None:
    """`{{plural|2|page}}`: 2 pages; a plural of its own in the third place."""
    number, word = args[1], args[2]
    if number.lstrip("-−") in ("1", ""):
        return f"{number} {word}".strip() or None
    ending = "ies" if word.endswith("y") and word[-2:-1] not in "aeiou" else "s"
    return f"{number} {args[3] or (word[:-1] if ending == 'ies' else word) + ending}"


def roman_numeral(args: Arguments) -> str | None:
    """`{{romnum|5}}`: V."""
    number = args[1]
    known = number.isdecimal() and number.isascii() and 0 < int(number[:5]) < 4000 and len(number) < 5
    return roman(int(number)) if known else number or None


def _decimal(text: str) -> Decimal | None:
    text = text.replace(",", "").replace("−", "-")
    return Decimal(text) if _DECIMAL.fullmatch(text) else None


def _rounded(value: Decimal, places: str) -> str:
    """Halves away from zero, as `{{#expr: … round …}}`."""
    count = int(places) if places in _PLACES else 0
    return str(value.quantize(Decimal(1).scaleb(-count), ROUND_HALF_UP)).replace("-", "−")
