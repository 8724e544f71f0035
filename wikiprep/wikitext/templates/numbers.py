"""How numbers are written in a language: MediaWiki's `formatnum`. The styles are data (languages/data/numbers.json)."""

import functools
import re
from dataclasses import dataclass
from decimal import Decimal

import orjson

from wikiprep.languages.language import DATA, language

_NUMBER = re.compile(r"(-(?=[0-9.]))?([0-9]+|(?=\.[0-9]))(\.[0-9]*)?(?:[Ee]([-+]?[0-9]{1,2})(?![0-9]))?")
_ASCII = "0123456789"


@dataclass(frozen=True)
class NumberStyle:
    """A language's way: separators, its own digits ("" for 0-9), sizes of the last group and of those before it."""

    group: str
    point: str
    digits: str
    sizes: tuple[int, ...]
    shortest: int  # digits that a number has at least where it is grouped


@functools.cache
def number_style(code: str) -> NumberStyle:
    """The style of the first language of `code` and its fallbacks that has one of its own; else English."""
    styles = orjson.loads((DATA / "numbers.json").read_bytes())
    found = styles.get(language(code).code, styles["en"])
    return NumberStyle(found["group"], found["point"], found["digits"], tuple(found["sizes"]), found["from"])


def group(digits: str, separator: str = ",", sizes: tuple[int, ...] = (3, 3)) -> str:
    """A run of digits in groups of three, or of `sizes`."""
    last, others = sizes
    rest, out = digits[:-last], [digits[-last:]]
    while rest:
        out.append(rest[-others:])
        rest = rest[:-others]
    return separator.join(reversed(out))


def format_number(text: str, code: str, *, separators: bool = True) -> str:
    """`text` with every number in it written as the language does."""
    style = number_style(code)

    def one(match: re.Match[str]) -> str:
        sign, whole, rest, exponent = match.groups()
        if exponent:
            value = Decimal(f"{whole or 0}{rest or ''}e{exponent}")
            whole, _, rest = f"{value:f}".partition(".")
            rest = "." + rest if rest else ""
        if separators and style.sizes and len(whole) >= style.shortest:
            whole = group(whole, style.group, style.sizes)
        number = whole + ((style.point if separators else ".") + rest[1:] if rest else "")
        return ("−" if sign else "") + in_digits(number, code)

    if text.startswith("+") and _NUMBER.fullmatch(text, 1):
        text = text[1:]
    return _NUMBER.sub(one, text)


def in_digits(text: str, code: str) -> str:
    """`text` with the digits 0-9 as the language writes them."""
    digits = number_style(code).digits
    return text.translate(str.maketrans(_ASCII, digits)) if digits else text


def plain_number(text: str, code: str) -> str:
    """The other way: separators gone, a point as decimal mark, digits 0-9 (`formatnum:…|R`)."""
    style = number_style(code)
    if style.digits:
        text = text.translate(str.maketrans(style.digits, _ASCII))
    text = text.replace("−", "-")
    swap = {style.group: ",", style.point: "."}
    return "".join(swap.get(character, character) for character in text).replace(",", "")
