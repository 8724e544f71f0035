"""What `{{convert}}` is to convert: values and ranges of them, with their unit or several units."""

import re
from dataclasses import dataclass, field, replace

from wikiprep.wikitext.templates.functions.convert_options import Options
from wikiprep.wikitext.templates.functions.quantities import Number, read_number
from wikiprep.wikitext.templates.functions.units import MeasureUnit, unit


@dataclass(frozen=True)
class Separator:
    """What stands between two values: with units spelled, abbreviated; on the side of the input, of the output."""

    spelled: str
    short: str = ""
    output: str = ""
    adjective: str = ""
    hyphened: bool = False  # also between abbreviated units if adj=on and abbr=on
    repeat_output: bool = False  # the unit is said with each output
    repeat_short: bool = False  # ... with each abbreviated value
    change: bool = False

    def text(self, *, names: bool, output: bool) -> str:
        """The words of this range on one side."""
        if self.output:
            return self.output if output else self.spelled
        return self.spelled if names or not self.short else self.short


_BY = Separator(" by ", " × ", repeat_short=True)
_PLUS_MINUS = Separator(" ± ", adjective=" ± ", change=True)
_TO = Separator("–")
RANGES: dict[str, Separator] = {
    "to": Separator(" to ", hyphened=True),
    "and": Separator(" and ", hyphened=True),
    "or": Separator(" or ", hyphened=True),
    **dict.fromkeys(("-", "–", "&ndash;", "—"), _TO),
    "to(-)": Separator(" to ", output="–"),
    "and(-)": Separator(" and ", output="–"),
    "to about": Separator(" to about "),
    "by": Separator(" by "),
    "by(x)": Separator(" by ", output=" × ", repeat_output=True),
    **dict.fromkeys(("x", "×", "&times;"), _BY),
    "xx": Separator(" × "),
    "*": Separator("×"),
    **dict.fromkeys(("+/-", "±", "&plusmn;", "+-"), _PLUS_MINUS),
    "+": Separator(" + "),
    ",": Separator(", "),
    ", and": Separator(", and "),
    ", or": Separator(", or "),
    "/": Separator(" / "),
}
_UNSPACED = ("-", "–", "xx", "x", "*")
_THREE = re.compile(r"(\S+)\s+(\S+)\s+(\S.*)", re.S)
_NEGATIVE_FRACTION = re.compile(r"-.*/", re.S)
_MOST = 20
# units said otherwise below a bigger one, and what a sum in them converts to
_BELOW = {("LT", "Lcwt"): "-Lcwt", ("lt", "Lcwt"): "-Lcwt", ("ST", "Scwt"): "-Scwt"}
_DEFAULTS = {"st": "kg lb", "ch": "m", "chain": "m", "Lcwt": "kg", "long-cwt": "kg", "rood": "m2", "qtr": "kg"}


@dataclass
class Quantity:
    """The input. `rest` are the arguments behind it, white space kept."""

    numbers: list[Number]
    ranges: list[Separator]
    unit: MeasureUnit
    code: str
    parts: list[tuple[Number, MeasureUnit]] = field(default_factory=list)  # of an input in several units
    total: float = 0.0  # such an input in its last unit
    known: bool = True
    default: str = ""
    rest: list[str] = field(default_factory=list)
    nocomma: bool = False


def read_quantity(arguments: list[str], options: Options) -> Quantity | None:
    """The input of `{{convert|…}}`; None where no number stands first."""
    arguments = list(arguments)
    nocomma = len(arguments) > 1 and arguments[1].strip().endswith("nocomma")
    if nocomma:
        arguments[1] = arguments[1].strip().removesuffix("nocomma")
        options = replace(options, style=replace(options.style, comma="off"))
    numbers: list[Number] = []
    ranges: list[Separator] = []
    at = 0
    while at < len(arguments) and len(ranges) <= _MOST:
        number = _number_at(arguments, at, options)
        if number is None:
            return None
        numbers.append(number._replace(change=True) if ranges and ranges[-1].change else number)
        at += 1
        separator = RANGES.get(arguments[at].strip()) if at + 1 < len(arguments) else None
        if separator is None:
            break
        ranges.append(separator)
        at += 1
    if not numbers or len(ranges) >= len(numbers):
        return None
    code = arguments[at].strip() if at < len(arguments) else ""
    known_unit = unit(code)
    known = known_unit is not None
    symbol = code.replace("|", "")
    source = known_unit or MeasureUnit(code, symbol, symbol, symbol, 1.0, "?" + code, "", "")
    quantity = Quantity(numbers, ranges, source, code, known=known, default=source.default, nocomma=nocomma)
    at += 1
    if known and not ranges:
        at = _read_parts(quantity, arguments, at, options)
    quantity.rest = arguments[at:]
    return quantity


def _number_at(arguments: list[str], at: int, options: Options) -> Number | None:
    """The number in an argument; "1 to 2" and "1-2" are taken apart first."""
    for _ in range(_MOST):
        text = arguments[at].strip()
        number = read_number(text, options.style)
        if number is not None or len(text) > 200 or len(arguments) > 200:
            return number
        match = _THREE.fullmatch(text)
        if match and not (match[2] == "-" and "/" in match[3]):
            if any(map(str.isdecimal, match[2])):
                return None
            arguments[at : at + 1] = match.groups()
            continue
        if _NEGATIVE_FRACTION.search(text):
            return None
        for mark in _UNSPACED:
            place = text.find(mark, 1)
            if place > 0:
                arguments[at : at + 1] = [text[:place], mark, text[place + len(mark) :]]
                break
        else:
            return None
    return None


def _read_parts(quantity: Quantity, arguments: list[str], at: int, options: Options) -> int:
    """Reads "|11|in" behind "5|ft"; returns where the arguments go on."""
    current = quantity.unit
    total = quantity.numbers[0].value
    while current.parts and at + 1 < len(arguments):
        below = unit(arguments[at + 1].strip())
        count = current.parts.get(below.code, 0) if below else 0
        number = read_number(arguments[at], options.style) if count else None
        if below is None or not count or number is None:
            break
        if not quantity.parts:
            quantity.parts.append((quantity.numbers[0], current))
            quantity.default = _DEFAULTS.get(current.code, current.default)
        total = total * count + number.value
        display_unit = unit(_BELOW.get((current.code, below.code), "")) or below
        quantity.parts.append((number, display_unit))
        current = below
        at += 2
    quantity.total = total
    return at
