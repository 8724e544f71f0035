"""Converts and rounds the values of a `{{convert}}`."""

import math
from dataclasses import dataclass, replace
from typing import NamedTuple

from wikiprep.wikitext.templates.functions.convert_input import Quantity
from wikiprep.wikitext.templates.functions.convert_options import Options
from wikiprep.wikitext.templates.functions.quantities import (
    MINUS,
    Number,
    RoundedNumber,
    default_precision,
    format_fraction,
    format_rounded,
    group_thousands,
    rounded_to_figures,
    rounded_to_fraction,
    rounded_to_places,
    rounded_to_step,
)
from wikiprep.wikitext.templates.functions.spelling import spell_fraction
from wikiprep.wikitext.templates.functions.units import MeasureUnit


class _Raw(NamedTuple):
    """A result, not rounded; `value` and `clean` are the input and its digits as the precision sees them."""

    result: float
    value: float
    clean: str


@dataclass(slots=True)
class ValueConverter:
    """The values of one call in other units. `beside_hands`: hands are the first of several outputs."""

    options: Options
    quantity: Quantity
    precision: int | None
    outputs: int
    beside_hands: bool
    altitude: float = 0.0  # in feet, of Mach numbers

    def convert(self, target: MeasureUnit, *, plain: bool = False) -> list[RoundedNumber] | None:
        """Every value in that unit, rounded alike; None where one has none. `plain`: never spelled."""
        options, quantity = self.options, self.quantity
        source = quantity.parts[-1][1] if quantity.parts else quantity.unit
        last = source if quantity.parts else None
        raws = [self._raw(number, source, target) for number in quantity.numbers]
        finite = [raw for raw in raws if raw is not None and math.isfinite(raw.result)]
        if len(finite) < len(raws):
            return None
        places: list[int] = []
        if self.precision is None and not options.figures and options.step is None and not options.fraction:
            for number, raw in zip(quantity.numbers, finite, strict=True):
                smallest = quantity.parts[-1][0] if quantity.parts else number
                decimals = default_precision(smallest, raw.value, abs(raw.result), source, target, last, raw.clean)
                if exact_inches(source, target):
                    decimals = len(f"{raw.value:g}".partition(".")[2])
                elif "hand" in source.marks:
                    decimals = max(decimals, 0)
                places.append(decimals)
            if not options.each:
                places = [max(places)] * len(places)
        return [self._round(raw, target, places[i] if places else 0, plain) for i, raw in enumerate(finite)]

    def _raw(self, number: Number, source: MeasureUnit, target: MeasureUnit) -> _Raw | None:
        quantity = self.quantity
        value = quantity.total if quantity.parts else number.value
        clean = quantity.parts[-1][0].clean if quantity.parts else number.clean
        if "hand" in source.marks:  # 15.2 hands are 15 hands 2 inches
            whole = math.trunc(number.hands)
            inches = 4 * whole + 10 * (number.hands - whole)
            places = max(len(number.clean.partition(".")[2]) - 1, 0)
            return _Raw(inches * 0.0254 / target.scale, inches, f"{abs(inches):.{places}f}")
        if ("inverse" in source.marks) != ("inverse" in target.marks):
            product = value * source.scale * target.scale
            return _Raw(1 / product, value, clean) if product else None
        if source.zero is not None and target.zero is not None and not number.change:
            return _Raw((value - source.zero) * (source.scale / target.scale) + target.zero, value, clean)
        return _Raw(value * (self._scale(source) / self._scale(target)), value, clean)

    def _scale(self, of: MeasureUnit) -> float:
        return _speed_of_sound(self.altitude) if "mach" in of.marks else of.scale

    def _round(self, raw: _Raw, target: MeasureUnit, places: int, plain: bool) -> RoundedNumber:
        options = self.options
        style = replace(options.style, spell_out=False) if plain else options.style
        negative, size = raw.result < 0, abs(raw.result)
        if "hand" in target.marks:
            size, places = size * 4, 0  # in inches
        if below := self._denominator(target):
            parts = rounded_to_fraction(size, below)
            if isinstance(parts, str):
                return format_rounded(parts, None, negative, size, style)
            text = format_fraction(MINUS if negative else "", *parts, bar=options.bar)
            if style.spell_out:
                text = spell_fraction(("-" if negative else "") + parts[0], *parts[1:], us=style.us) or text
            whole = RoundedNumber(text, negative, size, size, size <= 1, parts=parts)
            return as_hands(whole, self.precision) if "hand" in target.marks else whole
        digits: str
        exponent: int | None
        figures = options.figures or self._mach_figures(raw.clean)
        if self.precision is not None:
            digits, exponent = rounded_to_places(size, self.precision)
        elif figures:
            digits, exponent = rounded_to_figures(size, figures)
        elif options.step is not None:
            digits, exponent = rounded_to_step(size, options.step)
        else:
            digits, exponent = rounded_to_places(size, places)
        result = format_rounded(digits, exponent, negative, size, style)
        return as_hands(result, self.precision) if "hand" in target.marks else result

    def _mach_figures(self, clean: str) -> int:
        """Significant figures of what a Mach number becomes: one more than it has; 0 for other units."""
        return len(clean.lstrip("0.").replace(".", "")) + 1 if "mach" in self.quantity.unit.marks else 0

    def _denominator(self, target: MeasureUnit) -> int | None:
        """Of the fraction that a result is rounded to."""
        hands = "hand" in target.marks
        if self.options.fraction:
            metric = bool(target.marks & {"si", "si2", "si3"})
            beside_hands = target.code == "in" and self.beside_hands
            if self.outputs == 1 or hands or beside_hands or (self.precision is None and not metric):
                return self.options.fraction
        return (
            (2 if self.precision == 2 else 4) if hands and self.precision is not None and self.precision > 1 else None
        )


def exact_inches(source: MeasureUnit, target: MeasureUnit) -> bool:
    """Whether hands become inches, which are said in full."""
    return "hand" in source.marks and target.code == "in"


def as_hands(result: RoundedNumber, precision: int | None) -> RoundedNumber:
    """Inches (`result`) as hands, with the inches left over behind the point."""
    inches = math.floor(result.raw) if result.parts else math.floor(result.raw + 0.5)
    hands, inches_left = divmod(inches, 4)
    text = f".{inches_left}"
    if precision is not None and precision <= 0:
        hands, text = math.floor(result.raw / 4 + 0.5), ""
    elif result.parts:
        text = "." + format_fraction("", str(inches_left), *result.parts[1:], bar=False)
    sign = MINUS if result.negative else ""
    return result._replace(
        text=f"{sign}{group_thousands(str(hands), '')}{text}", singular=hands == 1 and not inches_left
    )


def _speed_of_sound(feet: float) -> float:
    """Metres a second at an altitude in the 1976 U.S. Standard Atmosphere (up to 20 km, level from there)."""
    metres = min(max(feet, -15_000), 65_000) * 0.3048
    kelvin = max(288.15 - 0.0065 * metres, 216.65)
    return 340.2940 * math.sqrt(kelvin / 288.15)
