"""`{{convert}}` and `{{cvt}}`: values with their unit, and what they are in other units.

Written after the documentation of Template:Convert and what Module:Convert shows. Where the unit to convert to is not
known here, the input is shown alone, which is what the reader needs most; so are words that are no number.
"""

import math
from dataclasses import replace

from wikiprep.wikitext.templates.arguments import Arguments
from wikiprep.wikitext.templates.functions.convert_input import Quantity, Separator, read_quantity
from wikiprep.wikitext.templates.functions.convert_options import Options, options_of
from wikiprep.wikitext.templates.functions.convert_outputs import SEVERAL, Output, find_outputs, read_request
from wikiprep.wikitext.templates.functions.convert_values import ValueConverter, exact_inches
from wikiprep.wikitext.templates.functions.quantities import (
    MINUS,
    RoundedNumber,
    format_fraction,
    group_thousands,
    localize_numbers,
    power_of_ten,
)
from wikiprep.wikitext.templates.functions.spelling import spell_number
from wikiprep.wikitext.templates.functions.unit_names import Namer, Side, hyphenate
from wikiprep.wikitext.templates.functions.units import MeasureUnit, unit

_POWERS = {3: "thousand", 6: "million", 9: "billion", 12: "trillion", 15: "quadrillion"}
_POWER_LINKS = {
    9: "1000000000 (number)",
    12: "1000000000000 (number)",
    15: "1000000000000000 (number)",
}


def convert(args: Arguments) -> str | None:
    """`{{convert|value|unit|other unit|precision}}`, ranges and inputs in several units (`6|ft|2|in`) too."""
    return _convert(args, "")


def cvt(args: Arguments) -> str | None:
    """`{{cvt}}`: `{{convert}}` with both units abbreviated."""
    return _convert(args, "on")


def convert_symbols(args: Arguments) -> str | None:
    """`{{convert}}` of a wiki in another language: symbols alone, which need no translation, and its own numbers."""
    text = _convert(args, "on")
    return localize_numbers(text, args.language) if text else text


def _convert(args: Arguments, abbr: str) -> str | None:
    parts = args.unstripped()
    if not parts or not parts[0].strip():
        return None
    options = options_of(args, abbr)
    quantity = read_quantity(parts, options)
    if quantity is None:
        # no number: the reader sees an error; its words are worth more
        return " ".join(word for word in (parts[0].strip(), *(part.strip() for part in parts[1:2])) if word)
    return _Conversion(options, quantity).show()


class _Conversion:
    def __init__(self, options: Options, quantity: Quantity) -> None:
        self._quantity = quantity
        self._request = request = read_request(options, quantity)
        self._outputs = outputs = find_outputs(request.target or quantity.default, quantity)
        style = options.style
        if any(number.scientific for number in quantity.numbers):
            style = replace(style, scientific=True)
        if quantity.nocomma:
            style = replace(style, comma="off")
        if any("us" in part.marks for part in (quantity.unit, *(part for units in outputs for part in units))):
            style = replace(style, us=True)
        self._options = options if style is options.style else replace(options, style=style)
        self._namer = Namer(self._options)
        beside_hands = bool(outputs) and "hand" in outputs[0][0].marks
        self._converter = ValueConverter(
            self._options, quantity, request.precision, len(outputs), beside_hands, request.altitude
        )

    def show(self) -> str | None:
        """The text of the conversion."""
        options, quantity = self._options, self._quantity
        if options.show == "input unit":
            return self._input_unit()
        if not self._outputs or options.show == "input":
            return self._input()
        left_text = "" if options.flip or (options.outputs_only and len(self._outputs) > 1) else self._input()
        outputs = [
            self._output_text(units, first_place=i == 0 and options.outputs_only and len(self._outputs) > 1)
            for i, units in enumerate(self._outputs)
        ]
        if any(output is None for output in outputs):
            return left_text or self._input()
        texts = [output for output in outputs if output is not None]
        before, after, between = self._request.joins
        if options.show:
            return between.join(texts)
        if options.outputs_only and len(texts) > 1:
            left_text, *texts = texts
        right_text = between.join(texts)
        if options.flip:
            left_text, right_text = right_text, self._input()
        if options.also_symbol and not quantity.parts and before in (" (", " &#91;"):
            before = f" &#91;{quantity.unit.sign(us=options.style.us)}&#93;{before}"
        text = left_text + before + right_text + after
        return text[:1].upper() + text[1:] if options.capital else text

    def _input_unit(self) -> str:
        if self._quantity.parts:
            return " ".join(self._namer.name(of, number.singular, "in").text for number, of in self._quantity.parts)
        number = self._quantity.numbers[-1]
        name = self._namer.name(self._quantity.unit, number.singular, "in")
        return hyphenate(name.text) if name.spelled and self._options.adjective else name.text

    def _input(self) -> str:
        options, quantity = self._options, self._quantity
        mid = "" if options.flip else self._request.mid
        if quantity.parts:
            texts: list[str] = []
            space = " "
            for number, of in quantity.parts:
                name = self._namer.name(of, number.singular, "in")
                space = "-" if options.adjective and name.spelled else " "
                texts.append(number.text + space + name.text)
            return space.join(texts) + mid
        numbers = quantity.numbers
        source = quantity.unit
        if "mach" in source.marks:
            names = [self._namer.name(source, number.singular, "in") for number in numbers]
            texts = [f"{name.text} {number.text}" for name, number in zip(names, numbers, strict=True)]
            return self._join_ranges(texts, names[0].spelled, "in")
        values = [self._decorate(source, number.text, "in", i == len(numbers) - 1) for i, number in enumerate(numbers)]
        return self._with_unit(
            values, [number.singular for number in numbers], source, "in", mid, self._request.before[0]
        )

    def _output_text(self, units: Output, *, first_place: bool) -> str | None:
        side: Side = "in" if first_place else "out"
        if len(units) > 1:
            return self._compound_output(units, side)
        target = units[0]
        options, quantity = self._options, self._quantity
        if first_place and target.code == quantity.unit.code:
            return self._input()
        results = self._converter.convert(target)
        if results is None:
            return None
        if options.show == "output unit":
            name = self._namer.name(target, results[-1].singular, side)
            return hyphenate(name.text) if name.spelled and options.adjective else name.text
        if "mach" in target.marks:
            name = self._namer.name(target, False, side)
            return self._join_ranges([f"{name.text} {result.text}" for result in results], name.spelled, side)
        last = len(results) - 1
        values = [self._decorate(target, result.text, side, i == last) for i, result in enumerate(results)]
        if options.show == "number":
            return self._join_ranges(values, False, side)
        mid = self._request.mid if options.flip else ""
        return self._with_unit(
            values, [result.singular for result in results], target, side, mid, self._request.before[1]
        )

    def _with_unit(
        self, values: list[str], singular: list[bool], of: MeasureUnit, side: Side, mid: str, before: str
    ) -> str:
        """Values and their unit, which stands behind the last one or, in sizes such as 3 m × 4 m, behind each."""
        options = self._options
        spelt = exact_inches(self._quantity.unit, of) and not options.abbr_given and not options.hands
        first = self._namer.name(of, singular[0], side, forget=len(values) > 1, spelt=spelt)
        name = self._namer.name(of, singular[-1], side, spelt=spelt) if len(values) > 1 else first
        space = name.space
        if before:
            space = ""
        hyphen = name.spelled and options.adjective and bool(name.text)
        ranges = self._quantity.ranges
        repeat = False
        if ranges:
            repeat = any(part.repeat_short for part in ranges) and not name.spelled
            repeat = repeat or (any(part.repeat_output for part in ranges) and (side == "out") != options.flip)
        if repeat and not hyphen and name.text:
            texts = [f"{text}{name.space}{first.text}" for text in values[:-1]] + values[-1:]
        else:
            texts = values
        text = self._join_ranges(texts, name.spelled, side)
        if not name.text:
            return text + before
        return text + before + ("-" + hyphenate(name.text) if hyphen else space + name.text) + mid

    def _join_ranges(self, texts: list[str], names: bool, side: Side, *, spaced: bool = False) -> str:
        text = texts[0]
        for separator, following in zip(self._quantity.ranges, texts[1:], strict=False):
            words = self._range_words(separator, names, side)
            if words == "–" and (following.startswith(MINUS) or spaced):
                words = " – "
            text += words + following
        return text

    def _range_words(self, separator: Separator, names: bool, side: Side) -> str:
        options = self._options
        words = separator.text(names=names, output=(side == "out") != options.flip)
        if options.adjective and (names or (separator.hyphened and options.abbr_given == "on")):
            words = separator.adjective or words.replace(" ", "-")
        return words

    def _decorate(self, of: MeasureUnit, text: str, side: Side, last: bool) -> str:
        """A value with its power of ten or currency."""
        options = self._options
        if of.power:
            if options.abbr in ("on", side) and not options.number_word:
                text += power_of_ten(of.power)
            elif last:
                word = _POWERS[of.power]
                if options.link in ("on", side) and of.power in _POWER_LINKS:
                    word = f"[[{_POWER_LINKS[of.power]}|{word}]]"
                text += ("-" if options.adjective else " ") + word
        return (options.currency or of.currency) + text if of.currency else text

    def _compound_output(self, units: Output, side: Side) -> str | None:
        """Outputs in several units: 5 ft 11 in."""
        options = self._options
        spelling = options.style.spell_out
        results = self._converter.convert(units[-1], plain=True)
        if results is None:
            return None
        counts = next(
            [count for _, count in parts]
            for parts in SEVERAL.values()
            if [unit(code) for code, _ in parts] == list(units)
        )
        texts = [self._format_compound(result, units, counts, side, spelling) for result in results]
        spelled_out = self._namer.spells(units[-1], side)
        mid = self._request.mid if options.flip else ""
        return self._join_ranges(texts, spelled_out, side, spaced=True) + mid

    def _format_compound(
        self, result: RoundedNumber, units: Output, counts: list[int], side: Side, spelling: bool
    ) -> str:
        options = self._options
        remaining = result.figure if result.decimals else float(math.floor(result.raw + (0 if result.parts else 0.5)))
        sign = MINUS if result.negative else ""
        decimals = result.decimals
        texts: list[str] = []
        space = " "
        for i in range(len(units) - 1, -1, -1):
            of = units[i]
            if i:
                size = counts[i - 1]
                rest, part = divmod(remaining, size)
            else:
                rest, part = 0.0, remaining
            remaining = rest
            small = i == len(units) - 1
            name = self._namer.name(of, part == 1 or (small and result.parts is not None and part == 0), side)
            if options.adjective and name.spelled:
                space = "-"
            if small and result.scientific and not remaining:
                sign, text = "", result.text
            elif small and result.parts:
                whole = str(int(part)) if part else ""
                text = format_fraction("", whole, *result.parts[1:], bar=options.bar)
            else:
                digits = "0" if part == 0 else f"{part:.{decimals}f}"
                text = group_thousands(digits, options.style.comma)
                if spelling:
                    text = spell_number(digits, us=options.style.us) or text
            texts.append(text + space + name.text)
            if not remaining:
                break
            decimals = 0
        return sign + space.join(reversed(texts))
