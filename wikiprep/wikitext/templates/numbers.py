"""How numbers are written in a language: MediaWiki's `formatnum`. The styles are data (languages/data/numbers.json)."""

import functools
import re
from dataclasses import dataclass
from decimal import Decimal

import orjson

from wikiprep.languages.language import DATA, language

_NUMBER = re.compile(r"(-(?=[0-9.]))?([0-9]+|(?=\.[0-9]))(\.[0-9]*)?([Ee][-+]?[0-9]{1,2}(?![0-9]))?")
_TYPED = re.compile(r"[-−+]?\d+(?:[.,]\d+)?")
_ASCII = "0123456789"
_NEVER = 10**9  # digits


@dataclass(frozen=True)
class NumberStyle:
    """A language's way: separators, its own digits ("" for 0-9), sizes of the last group and of those before it."""

    group: str
    point: str
    digits: str
    grouped: str  # the digits of numbers that are long enough for separators; in a few languages other ones
    sizes: tuple[int, ...]
    shortest: int  # digits that a number has at least where it is grouped


@functools.cache
def number_style(code: str) -> NumberStyle:
    """The style of the first language of `code` and its fallbacks that has one of its own; else English."""
    styles = orjson.loads((DATA / "numbers.json").read_bytes())
    facts = styles.get(language(code).code, styles["en"])
    digits = facts["digits"]
    return NumberStyle(
        facts["group"], facts["point"], digits, facts.get("grouped", digits), tuple(facts["sizes"]), facts["from"]
    )


def group(digits: str, separator: str = ",", sizes: tuple[int, ...] = (3, 3)) -> str:
    """A run of digits in groups of three, or of `sizes`."""
    last, others = sizes
    end = max(0, len(digits) - last)
    starts = range(end % others - others if end % others else 0, end, others)
    return separator.join([*(digits[max(0, start) : start + others] for start in starts), digits[end:]])


def format_number(text: str, code: str, *, separators: bool = True) -> str:
    """`text` with every number in it written as the language does."""
    style = number_style(code)
    grouped_from = style.shortest if separators and style.sizes else _NEVER
    # Where short numbers stay as they are, so do exponents of theirs.
    all_formatted = grouped_from == sum(style.sizes[:1]) + 1

    def format_match(match: re.Match[str]) -> str:
        sign, whole, rest, exponent = match.groups()
        digits = style.digits
        if all_formatted or len(whole) >= grouped_from:
            digits = style.grouped
            if exponent:
                whole, rest = _write_out(f"{whole or 0}{rest or ''}{exponent}")
                exponent = None
            if len(whole) >= grouped_from:
                whole = group(whole, style.group, style.sizes)
        number = whole + ((style.point if separators else ".") + rest[1:] if rest else "")
        number = (sign or "") + _translate_digits(number + (exponent or ""), digits)
        return number.replace("-", "−")

    if text.startswith("+") and _NUMBER.fullmatch(text, 1):
        if all_formatted:
            text = text[1:]
        else:
            grouped_from = _NEVER
    return _NUMBER.sub(format_match, text)


def write_number(text: str, code: str) -> str:
    """A number as editors type it, with point or comma, as the language writes it; anything else as it is."""
    return format_number(text.replace("−", "-").replace(",", "."), code) if _TYPED.fullmatch(text) else text


def _write_out(number: str) -> tuple[str, str]:
    """The whole part of a number with an exponent, its point and at most three digits."""
    value = Decimal(number)
    places = min(3, max(0, -int(value.as_tuple().exponent)))
    whole, point, rest = f"{value:.{places}f}".partition(".")
    rest = rest.rstrip("0")
    return whole, point + rest if rest else ""


def in_digits(text: str, code: str) -> str:
    """`text` with the digits 0-9 as the language writes them."""
    return _translate_digits(text, number_style(code).digits)


def _translate_digits(text: str, digits: str) -> str:
    return text.translate(str.maketrans(_ASCII, digits)) if digits else text


def plain_number(text: str, code: str) -> str:
    """The other way: separators gone, a point as decimal mark, digits 0-9 (`formatnum:…|R`)."""
    style = number_style(code)
    if style.digits:
        text = text.translate(str.maketrans(style.digits, _ASCII))
    text = text.replace("−", "-")
    swap = {style.group: ",", style.point: "."}
    return "".join(swap.get(character, character) for character in text).replace(",", "")
