"""How numbers are written in a language: MediaWiki's `formatnum`, by data/lists/numbers.txt."""

import functools
import re
from dataclasses import dataclass
from pathlib import Path

_DATA = Path(__file__).parent / "data" / "lists" / "numbers.txt"
_NUMBER = re.compile(r"([-−]?)(\d+)(\.\d+)?")
_MINUS = "−"


@dataclass(frozen=True)
class _Style:
    separator: str = ","
    mark: str = "."
    least: int = 1  # digits more than three before groups are made
    indian: bool = False  # groups of two before the last three
    digits: str = ""


@functools.cache
def _styles() -> dict[str, _Style]:
    known: dict[str, _Style] = {}
    for line in _DATA.read_text(encoding="utf-8").splitlines():
        fields, bar, codes = line.partition(" | ")
        if bar and not line.startswith("#"):
            separator, mark, least, pattern, digits = fields.split(" ")
            separator = {"space": "\xa0", "none": "", "-": ""}.get(separator, separator)
            style = _Style(separator, mark, int(least), pattern == "indian", "" if digits == "-" else digits)
            known |= dict.fromkeys(codes.split(), style)
    return known


@functools.cache
def _style(language: str) -> _Style:
    return _styles().get(language) or _styles().get(language.partition("-")[0]) or _Style()


def group(digits: str, separator: str = ",") -> str:
    """A run of digits in groups of three."""
    head = len(digits) % 3 or 3
    return separator.join([digits[:head], *(digits[i : i + 3] for i in range(head, len(digits), 3))])


def _indian(digits: str, separator: str) -> str:
    """12,34,567: three digits last, two in each group before."""
    head, tail = digits[:-3], digits[-3:]
    start = len(head) % 2 or 2
    groups = [head[:start], *(head[i : i + 2] for i in range(start, len(head), 2))] if head else []
    return separator.join([*groups, tail])


def format_number(text: str, language: str) -> str:
    """`text` with every number in it written as the language does."""
    style = _style(language)

    def one(match: re.Match[str]) -> str:
        sign, whole, rest = match.groups()
        if len(whole) >= 3 + style.least:
            whole = (_indian if style.indian else group)(whole, style.separator)
        return (_MINUS if sign else "") + whole + (style.mark + rest[1:] if rest else "")

    text = _NUMBER.sub(one, text)
    return text.translate(str.maketrans("0123456789", style.digits)) if style.digits else text


def plain_number(text: str, language: str) -> str:
    """The other way: separators gone, a point as decimal mark, ASCII digits (`formatnum:…|R`)."""
    style = _style(language)
    if style.digits:
        text = text.translate(str.maketrans(style.digits, "0123456789"))
    if style.separator:
        text = text.replace(style.separator, "")
        if style.separator == "\xa0":
            text = text.replace(" ", "").replace("\u202f", "")
    return text.replace(style.mark, ".").replace(_MINUS, "-")
