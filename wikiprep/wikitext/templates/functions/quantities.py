"""Numbers as `{{convert}}` reads, rounds and writes them.

The rules are those of Module:Convert on the English Wikipedia, as its documentation and output show them: an output has
the precision that the input implies, at least two significant figures, no more than fourteen.
"""

import math
import re
from dataclasses import dataclass
from typing import Literal, NamedTuple

from wikiprep.wikitext.templates.functions.spelling import spell_fraction, spell_number
from wikiprep.wikitext.templates.functions.units import MeasureUnit
from wikiprep.wikitext.templates.numbers import format_number, group, number_style

MINUS = "−"
_FIGURES = 14
_PLAIN = re.compile(r"([-−+]?)\s*((?:\d+\.?\d*|\.\d+)(?:[eE]([-+]?\d+))?)")
_ENGLISH_NUMBER = re.compile(r"(?<![\w<])\d{1,3}(?:,\d{3})+(?:\.\d+)?|(?<![\w<,.])\d+\.\d+")
# Powers in symbols of units, tags, targets of links and character references, which stay as they are, or a number.
_ALL = re.compile(
    r"[A-Za-z]<sup>[^<]*</sup>|<[^<>]*>|\[\[[^\[\]|]*\||&#?\w+;|(?<!\w)(?:\d{1,3}(?:,\d{3})+|\d+)(?:\.\d+)?", re.ASCII
)
_SIGNIFICAND = re.compile(r"([\d.]+)[eE]")
_FRACTION = re.compile(r"([-−+]?)\s*(?:(\d+(?:\.\d)?)\s*([-+])\s*)?(\d+)\s*(//?|⁄)\s*(\d+)")
_CLEAN = re.compile(r"(\d*)(\.?)(\d*)(?:[eE]([-+]?\d+))?")

Comma = Literal["", "5", "off"]


class Number(NamedTuple):
    """A number as written: its value, how it is shown, and its digits without sign and separators."""

    value: float
    text: str
    clean: str
    singular: bool
    denominator: int = 0
    change: bool = False  # what stands behind ±
    scientific: bool = False
    hands: float = 0.0  # the value where decimals are fourths: 15.2 hands


@dataclass(frozen=True)
class Style:
    """How numbers are written."""

    comma: Comma = ""
    spell_in: bool = False
    spell_out: bool = False
    us: bool = False
    round_input: int | None = None
    scientific: bool = False


class RoundedNumber(NamedTuple):
    """A rounded result. `figure` is its absolute value after rounding; `parts` a fraction (whole, above, below)."""

    text: str
    negative: bool
    figure: float
    raw: float  # absolute, before rounding
    singular: bool
    scientific: bool = False
    decimals: int = 0
    parts: tuple[str, str, str] | None = None


def group_thousands(digits: str, comma: Comma) -> str:
    """Digits, with a point or without, in groups of three."""
    digits = digits.removesuffix(".")
    whole, point, rest = digits.partition(".")
    if comma == "off" or len(whole) < 4 or (comma == "5" and len(whole) == 4):
        return digits
    return group(whole) + point + rest


def localize_numbers(text: str, language: str) -> str:
    """A text with numbers written in English as another language does: all of them, where it has digits of its own."""
    if number_style(language).digits:
        return _ALL.sub(lambda match: _localize_match(match[0], language), text)
    return _ENGLISH_NUMBER.sub(lambda match: format_number(match[0].replace(",", ""), language), text)


def _localize_match(text: str, language: str) -> str:
    if not text[0].isdecimal():
        return text
    short = len(text.partition(".")[0]) < 4
    return format_number(text.replace(",", ""), language, separators=short or "," in text)


def power_of_ten(exponent: int | str) -> str:
    """×10 with that exponent raised."""
    return f"×10<sup>{str(exponent).lstrip('+').replace('-', MINUS)}</sup>"


def format_fraction(sign: str, whole: str, above: str, below: str, *, bar: bool) -> str:
    """As `{{frac}}` (or with a horizontal bar `{{sfrac}}`) shows it in text: 2+1⁄2."""
    return f"{sign}{whole}{'+' if whole else ''}{above}{'/' if bar else '⁄'}{below}"


def read_number(text: str, style: Style) -> Number | None:
    """The number that `text` is; None where it is none."""
    text = text.replace(",", "").replace("&minus;", MINUS).replace("&nbsp;", "").strip("\x03\x04 \t\n\xa0")
    if len(text) > 60:
        return None
    match = _PLAIN.fullmatch(text)
    if match is None:
        return _read_fraction(text, style)
    sign, clean, power = match.groups()
    if power and abs(int(power)) > 300:
        return None
    value = float(clean)
    if not math.isfinite(value):
        return None
    sign = MINUS if sign in ("-", MINUS) and sign else sign
    rounded = clean
    singular = value == 1
    if style.round_input is not None and not power:
        rounded = f"{value + 2e-14:.{style.round_input}f}"
        singular = float(rounded) == 1
    significand = _SIGNIFICAND.match(clean)
    scientific = bool(power) and significand is not None
    if significand and power:
        number_text = group_thousands(significand[1], style.comma) + power_of_ten(power)
    else:
        number_text = group_thousands(rounded, style.comma)
    number_text = sign + number_text
    if style.spell_in:
        number_text = spell_number(sign + rounded, us=style.us) or number_text
        scientific = False
    value = -value if sign == MINUS else value
    return Number(value, number_text, clean, singular, scientific=scientific, hands=value)


def _read_fraction(text: str, style: Style) -> Number | None:
    match = _FRACTION.fullmatch(text)
    if match is None or not int(match[6]):
        return None
    sign, whole, between, above, slash, below = match.groups()
    negative = sign in ("-", MINUS) and sign != ""
    if whole and between != ("-" if negative else "+"):
        return None
    part = int(above) / int(below)
    value = float(whole or 0) + part
    number_text = format_fraction(MINUS if negative else sign, whole or "", above, below, bar=slash == "//")
    if style.spell_in:
        words = spell_fraction(("-" if negative else "") + (whole or ""), above, below, us=style.us)
        number_text = words or number_text
    hands = float(whole or 0) + part / 10
    return Number(
        -value if negative else value,
        number_text,
        text.lstrip("-+−"),
        value <= 1,
        denominator=int(below),
        hands=-hands if negative else hands,
    )


def default_precision(
    number: Number,
    value: float,
    result: float,
    source: MeasureUnit,
    target: MeasureUnit,
    last: MeasureUnit | None,
    clean: str,
) -> int:
    """Digits behind the point of a converted value; negative ones are zeros before it.

    `last` is the smallest unit of an input in several (5 ft 11 in), whose value is in `clean`.
    """
    if number.denominator:
        precision: float = max(math.log10(number.denominator), 1)
    else:
        match = _CLEAN.match(clean)
        whole, point, decimals, power = match.groups() if match else ("", "", "", None)
        zeros = len(whole) - len(whole.rstrip("0"))
        precision = len(decimals) if point else 0 if last else -zeros
        precision -= int(power or 0)
    if source.zero is not None and target.zero is not None:
        kelvin = abs((value - source.zero) * source.scale)
        least = 2 if kelvin < 1e-8 else 2 - math.floor(math.log10(kelvin) + 1e-14)
        return max(math.floor(precision), least)
    if value == 0 or result <= 0:
        return 0
    if "whole" in target.marks and value == math.floor(value):
        adjust = -math.log10(source.scale)
    elif last and "fine" in last.marks:
        adjust = math.log10(target.scale) + 2
    else:
        adjust = math.log10(abs(value / result))
    least = 1 - math.floor(math.log10(result) + 1e-14)
    return max(math.floor(precision + adjust + math.log10(2)), least)


def rounded_to_places(result: float, places: int) -> tuple[str, int | None]:
    """(digits, exponent) of a non-negative number; an exponent says where the point is, before the digits."""
    places = max(-300, min(places, 100))
    if places >= 0:
        return f"{result + (2e-14 if places <= 8 else 0):.{places}f}", None
    digits = f"{result / 10.0**-places:.0f}"
    return digits, None if digits == "0" else len(digits) - places


def rounded_to_figures(result: float, figures: int) -> tuple[str, int]:
    """(digits, exponent) with that many significant figures."""
    figures = max(1, min(figures, _FIGURES))
    if result == 0:
        return "0" * figures, 1
    mantissa, _, power = f"{result:.{figures - 1}e}".partition("e")
    return mantissa.replace(".", ""), int(power) + 1


def rounded_to_step(result: float, step: float) -> tuple[str, None]:
    """The nearest multiple of a step."""
    if step == 0.5:
        half = math.floor(2 * result + 0.5) / 2
        return f"{half:.0f}" if half == math.floor(half) else f"{half:.1f}", None
    return f"{math.floor(result / step + 0.5) * step:.0f}", None


def rounded_to_fraction(result: float, denominator: int) -> str | tuple[str, str, str]:
    """(whole, above, below), or digits alone where nothing is left over."""
    if result <= 0:
        return "0"
    if result > 1e8:
        return f"{result:.2f}"
    whole = math.floor(result)
    above = math.floor((result - whole) * denominator + 0.5 + 2e-14)
    if above >= denominator:
        whole, above = whole + 1, 0
    if not above:
        return str(whole)
    common = math.gcd(above, denominator)
    return (str(whole) if whole else "", str(above // common), str(denominator // common))


def format_rounded(digits: str, exponent: int | None, negative: bool, raw: float, style: Style) -> RoundedNumber:
    """A rounded number as it is shown; in powers of ten where it is very large or small."""
    high, low = (4, 2) if style.scientific else (10, 4)
    if exponent is None:
        whole, point, rest = digits.partition(".")
        if whole.strip("0") == "":
            figures = rest.lstrip("0")
            zeros = len(rest) - len(figures)
            if figures and zeros >= low:
                digits, exponent = figures, -zeros
            elif len(figures) > _FIGURES:
                digits = f"0.{'0' * zeros}{figures[:_FIGURES]}"
        elif len(whole) >= high:
            digits, exponent = whole + rest, len(whole)
        else:
            digits = digits[: _FIGURES + len(point)]
    singular = False
    if exponent is not None:
        digits = digits[:_FIGURES]
        if exponent > high or exponent <= -low or (exponent == high and digits != "1" + "0" * (high - 1)):
            mantissa = digits[0] + ("." + digits[1:] if len(digits) > 1 else "")
            figure = float(mantissa) * 10.0 ** (exponent - 1)
            text = group_thousands(mantissa, style.comma) + power_of_ten(exponent - 1)
            return RoundedNumber((MINUS if negative else "") + text, negative, figure, raw, False, scientific=True)
        singular = exponent == 1 and digits.rstrip("0") == "1"
        if exponent >= len(digits):
            digits = digits + "0" * (exponent - len(digits))
        elif exponent <= 0:
            digits = "0." + "0" * -exponent + digits
        else:
            digits = digits[:exponent] + "." + digits[exponent:]
    else:
        singular = digits == "1" or digits.rstrip("0") == "1."
    if negative and not digits.strip("0."):
        negative = False
    sign = MINUS if negative else ""
    text = sign + group_thousands(digits, style.comma)
    if style.spell_out:
        text = spell_number(sign + digits, us=style.us) or text
    return RoundedNumber(text, negative, float(digits), raw, singular, decimals=len(digits.partition(".")[2]))
