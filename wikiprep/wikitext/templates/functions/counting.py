"""Numbers in text: fractions, ordinals, words, money."""

from wikiprep.wikitext.templates.arguments import Arguments
from wikiprep.wikitext.templates.functions.spelling import spell_integer, spell_number
from wikiprep.wikitext.templates.numbers import format_number

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
    number = args[1]
    if not number.lstrip("-").isdecimal():
        return number or None
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
    """`{{£sd|l=1|s=2|d=3}}`: £1 2s 3d."""
    pounds, shillings, pence = args.first("l", "£"), args["s"], args["d"]
    parts = (f"£{pounds}" if pounds else "", f"{shillings}s" if shillings else "", f"{pence}d" if pence else "")
    return " ".join(part for part in parts if part) or None
