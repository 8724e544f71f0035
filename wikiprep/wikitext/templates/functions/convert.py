"""`{{convert}}` and `{{cvt}}`: values with their unit, and what they are in other units.

Facts from the documentation of Template:Convert and its module: the first unit is spelled out and the second
abbreviated, rounding keeps the precision that the input implies. Where the unit to convert to is not known here the
input is shown alone, which is what the reader needs most; where the input's own is not, nothing is.
"""

import math
import re

from wikiprep.wikitext.templates.arguments import Arguments
from wikiprep.wikitext.templates.functions.units import Unit, unit
from wikiprep.wikitext.templates.numbers import group

# word -> (between spelled values, between abbreviated ones, between converted ones)
_RANGES = {
    "to": (" to ", " to ", " to "),
    "-": ("–", "–", "–"),
    "–": ("–", "–", "–"),
    "to(-)": (" to ", " to ", "–"),
    "and": (" and ", " and ", " and "),
    "and(-)": (" and ", " and ", "–"),
    "or": (" or ", " or ", " or "),
    "by": (" by ", " by ", " by "),
    "x": (" by ", " × ", " × "),
    "×": (" by ", " × ", " × "),
    "xx": (" × ", " × ", " × "),
    "*": ("×", "×", "×"),
    "+/-": (" ± ", " ± ", " ± "),
    "±": (" ± ", " ± ", " ± "),
    "/": ("/", "/", "/"),
    "to about": (" to about ", " to about ", " to about "),
}
_REPEATS = frozenset(("x", "×"))  # the unit is said with each value when abbreviated
_NUMBER = re.compile(r"([-−+]?)(\d[\d,]*|(?=\.\d))(\.\d+)?(?:e([-+]?\d+))?$", re.I)
_FRACTION = re.compile(r"([-−]?)(?:(\d+)\+)?(\d+)(?://?|⁄)(\d+)$")
_SIMPLE = re.compile(r"(\d[\d,]*(?:\.\d+)?)\s*(to|and|or|by|x|×|-|–)\s*(\d[\d,]*(?:\.\d+)?)$")
_POWERS = {3: "thousand", 6: "million", 9: "billion", 12: "trillion", 15: "quadrillion"}
_COMPOSITES = {"ftin": ("ft", "in"), "lboz": ("lb", "oz"), "stlb": ("st", "lb"), "miyd": ("mi", "yd")}
_ABOVE = {("ft", "in"), ("lb", "oz"), ("st", "lb"), ("mi", "yd"), ("yd", "ft"), ("st", "lb"), ("mi", "ft")}


class _Value:
    """A number as written."""

    __slots__ = ("denominator", "precision", "text", "value")

    def __init__(self, text: str, value: float, precision: int, denominator: int = 0) -> None:
        self.text, self.value, self.precision, self.denominator = text, value, precision, denominator


def _read(text: str) -> _Value | None:
    text = text.strip().replace("&minus;", "−")
    match = _NUMBER.match(text)
    if match and len(text) < 40:
        sign, whole, rest, power = match.groups()
        digits = whole.replace(",", "")
        value = float((digits or "0") + (rest or ""))
        precision = len(rest) - 1 if rest else -(len(digits) - len(digits.rstrip("0"))) if digits.strip("0") else 0
        shown = group(digits) + (rest or "") if digits else "0" + (rest or "")
        if power:
            if abs(int(power)) > 60:
                return None
            value *= 10.0 ** int(power)
            precision -= int(power)
            shown += f"×10<sup>{power.lstrip('+').replace('-', '−')}</sup>"
        negative = sign in ("-", "−") and sign != ""
        return _Value(("−" if negative else "") + shown, -value if negative else value, precision)
    match = _FRACTION.match(text)
    if match and len(text) < 40 and int(match[4]):
        sign, whole, above, below = match.groups()
        value = int(whole or 0) + int(above) / int(below)
        shown = (f"{whole}+" if whole else "") + f"{above}⁄{below}"
        precision = 0
        return _Value(("−" if sign else "") + shown, -value if sign else value, precision, int(below))
    return None


def convert(args: Arguments) -> str | None:
    """`{{convert|value|unit|other unit|precision}}`, ranges and composites (`6|ft|2|in`) too."""
    return _convert(args, args["abbr"])


def cvt(args: Arguments) -> str | None:
    """`{{cvt}}`: `{{convert}}` with both units abbreviated."""
    return _convert(args, args["abbr"] or "on")


def _convert(args: Arguments, abbr: str) -> str | None:
    parts = args.positional()
    if len(parts) < 2:
        return None
    return _Conversion(args, parts, abbr).show()


class _Conversion:
    def __init__(self, args: Arguments, parts: list[str], abbr: str) -> None:
        self._args = args
        self._abbr = abbr.lower() or ("off" if args["disp"].lower() == "or" else "")
        self._flip = args["order"].lower() == "flip" or args["disp"].lower() == "flip"
        self._us = args["sp"].lower() == "us"
        self._adjective = args["adj"].lower() in ("on", "mid", "1", "pre")
        self._values: list[_Value] = []
        self._joins: list[str] = []
        self._composite: list[tuple[_Value, Unit]] = []
        self._unit: Unit | None = None
        self._rest: list[str] = []
        self._good = self._parse(parts)

    def _parse(self, parts: list[str]) -> bool:
        at = 0
        match = _SIMPLE.match(parts[0])
        if match:
            parts = [match[1], match[2], match[3], *parts[1:]]
        while at < len(parts):
            value = _read(parts[at])
            if value is None:
                return False
            self._values.append(value)
            at += 1
            if at < len(parts) and (word := parts[at].strip()) in _RANGES and at + 1 < len(parts):
                self._joins.append(word)
                at += 1
                continue
            break
        if at >= len(parts):
            return False
        code = parts[at].strip()
        self._unit = unit(code)
        at += 1
        while self._unit and len(self._values) == 1 and at + 1 < len(parts):
            below, value = unit(parts[at + 1]), _read(parts[at])
            if not below or value is None or (code, parts[at + 1].strip()) not in _ABOVE:
                break
            if not self._composite:
                self._composite.append((self._values[0], self._unit))
            self._composite.append((value, below))
            code = parts[at + 1].strip()
            at += 2
        self._rest = [part.strip() for part in parts[at:]]
        return self._unit is not None

    def show(self) -> str | None:
        """The text, or None where something is not known."""
        source = self._unit
        if not self._good or source is None:
            return None
        outputs = self._outputs(source)
        left = self._input(source)
        display = self._args["disp"].lower()
        if not outputs or display in ("input only",):
            return left
        right = [self._output(code) for code in outputs]
        if any(part is None for part in right):
            return left
        converted = "; ".join(str(part) for part in right)
        if display in ("output only", "out", "number", "output number only", "number only"):
            return converted
        if self._flip:
            left, converted = converted, left
        if display == "or":
            return f"{left} or {converted}"
        if display in ("sqbr", "[]"):
            return f"{left} &#91;{converted}&#93;"
        if display == "comma":
            return f"{left}, {converted}"
        if display == "/" or display == "s":
            return f"{left}/{converted}"
        return f"{left} ({converted})"

    def _outputs(self, source: Unit) -> list[str]:
        code = self._rest[0] if self._rest else ""
        if not code or _read(code):
            code = source.default
        if code in _COMPOSITES or unit(code):
            return [code]
        codes = re.split(r"[ +]+", code)
        return codes if all(unit(part) or part in _COMPOSITES for part in codes) else []

    def _symbols(self, *, output: bool) -> bool:
        output ^= self._flip  # what stands first is spelled out
        if self._unit and self._unit.kind == "temperature" and self._abbr not in ("off", "none", "no"):
            return True
        if self._abbr in ("on", "y", "yes", "~", "unit"):
            return True
        if self._abbr in ("off", "none", "no", "values"):
            return False
        return output if self._abbr != "in" else not output

    def _name(self, of: Unit, values: list[float], *, output: bool) -> str:
        value = values[-1] if len(values) == 1 else 2.0
        if self._symbols(output=output):
            long = of.symbol in ("acre", "long ton", "short ton", "bar", "knot", "dunam", "fathom")
            return of.word(value, us=False) if long else of.symbol
        return of.word(value, us=self._us, adjective=self._adjective and output == self._flip)

    def _join(self, numbers: list[str], of: Unit, name: str, *, output: bool) -> str:
        symbols = self._symbols(output=output)
        hyphen = self._adjective and output == self._flip and not symbols
        space = "" if of.symbol in ("%", "°") or name.startswith(("/",)) else "-" if hyphen else " "
        if hyphen:
            name = name.replace(" ", "-")
        if of.power:
            raised = self._abbr != "unit" and (symbols or self._abbr == "values")
            name = f"{space}{name}" if name.startswith("/") else f"{'-' if hyphen else ' '}{name}"
            name = (f"×10<sup>{of.power}</sup>" if raised else f"{'-' if hyphen else ' '}{_POWERS[of.power]}") + name
            space = ""
        text = numbers[0]
        for word, number in zip(self._joins, numbers[1:], strict=False):
            spelled, abbreviated, converted = _RANGES[word]
            if word in _REPEATS and symbols:
                text += f"{space}{name}"
            text += (converted if output else abbreviated if symbols else spelled) + number
        middle = self._args["mid"] if not output else ""
        extra = self._rest_mid() if self._args["adj"].lower() == "mid" and not output else middle
        return f"{text}{space}{name}" + (extra if extra.startswith("-") else f" {extra}" if extra else "")

    def _rest_mid(self) -> str:
        return next((part for part in self._rest[1:] if part and not _read(part)), "")

    def _input(self, source: Unit) -> str:
        if self._composite:
            return " ".join(
                f"{value.text}{'-' if self._adjective and not self._symbols(output=False) else ' '}"
                f"{self._name(of, [value.value], output=False)}"
                for value, of in self._composite
            )
        values = [value.value for value in self._values]
        return self._join(
            [value.text for value in self._values], source, self._name(source, values, output=False), output=False
        )

    def _output(self, code: str) -> str | None:
        source = self._unit
        assert source is not None
        if code in _COMPOSITES:
            return self._split(source, *_COMPOSITES[code])
        target = unit(code)
        if target is None or target.kind != source.kind:
            return None
        numbers: list[str] = []
        values: list[float] = []
        for value in self._values:
            base = self._base(value, source)
            result = (base - target.offset) / target.scale
            places = self._places(value, source, result, target)
            rounded = _round(result, places)
            values.append(rounded)
            numbers.append(_write(rounded, places))
        return self._join(numbers, target, self._name(target, values, output=True), output=True)

    def _base(self, value: _Value, source: Unit) -> float:
        if self._composite:
            return sum(part.value * of.scale for part, of in self._composite)
        return value.value * source.scale + source.offset

    def _split(self, source: Unit, above: str, below: str) -> str | None:
        big, small = unit(above), unit(below)
        if big is None or small is None or big.kind != source.kind:
            return None
        ratio = round(big.scale / small.scale)
        text = ""
        for i, value in enumerate(self._values):
            whole = int(_round(self._base(value, source) / small.scale, 0))
            joined = _RANGES[self._joins[i - 1]][2] if i else ""
            text += " – " if joined == "–" else joined
            text += f"{group(str(whole // ratio))} {big.symbol} {whole % ratio} {small.symbol}"
        return text

    def _places(self, value: _Value, source: Unit, result: float, target: Unit) -> int:
        """Digits behind the point of a converted value; negative ones are zeros before it."""
        wanted = next((part for part in self._rest[(1 if self._rest else 0) :] if re.fullmatch(r"-?\d{1,2}", part)), "")
        if not wanted and self._rest and re.fullmatch(r"-?\d{1,2}", self._rest[0]):
            wanted = self._rest[0]
        if wanted:
            return int(wanted)
        figures = self._args["sigfig"]
        if figures.isdecimal() and figures.isascii() and result:
            return int(figures) - 1 - math.floor(math.log10(abs(result)) + 1e-14)
        last = self._composite[-1][0] if self._composite else value
        precision: float = max(math.log10(last.denominator), 1) if last.denominator else last.precision
        if target.kind == "temperature":
            kelvin = abs(value.value * source.scale + source.offset)
            least = 2 - math.floor(math.log10(kelvin) + 1e-14) if kelvin > 1e-8 else 2
            return max(math.floor(precision), least)
        if not result or not value.value:
            return 0
        if self._composite:
            below = self._composite[-1][1]
            precision = max(precision, 0)
            # Feet and inches keep more: 6 ft 2 in is 1.88 m.
            adjust = math.log10(target.scale) + 2 if below.name == "inch" else math.log10(below.scale / target.scale)
        else:
            adjust = math.log10(abs(value.value / result))
        least = 1 - math.floor(math.log10(abs(result)) + 1e-14)
        return max(math.floor(precision + adjust + math.log10(2)), least)


def _round(value: float, places: int) -> float:
    """Half away from zero."""
    places = max(-30, min(30, places))
    factor = 10.0**places
    return math.copysign(math.floor(abs(value) * factor + 0.5 + 1e-9), value) / factor


def _write(value: float, places: int) -> str:
    text = f"{abs(value):.{max(places, 0)}f}"
    whole, point, rest = text.partition(".")
    return ("−" if value < 0 else "") + group(whole) + point + rest
