"""What `{{convert}}` converts to: the arguments behind the input, and the units they name."""

import math
from dataclasses import dataclass

from wikiprep.wikitext.templates.functions.convert_input import Quantity
from wikiprep.wikitext.templates.functions.convert_options import Options
from wikiprep.wikitext.templates.functions.quantities import MINUS, read_number
from wikiprep.wikitext.templates.functions.units import MeasureUnit, unit

# codes for a value in several units, smallest last, with how many of the next one make each
SEVERAL: dict[str, tuple[tuple[str, int], ...]] = {
    "ftin": (("ft", 12), ("in", 1)),
    "footin": (("foot", 12), ("in", 1)),
    "ydft": (("yd", 3), ("ft", 1)),
    "ydftin": (("yd", 3), ("ft", 12), ("in", 1)),
    "lboz": (("lb", 16), ("oz", 1)),
    "stlb": (("st", 14), ("lb", 1)),
    "st and lb": (("st", 14), ("lb", 1)),
    "stlboz": (("st", 14), ("lb", 16), ("oz", 1)),
    "miyd": (("mi", 1760), ("yd", 1)),
    "mift": (("mi", 5280), ("ft", 1)),
    "mich": (("mi", 80), ("ch", 1)),
    "handin": (("hand", 4), ("in", 1)),
}
_TONS = ("LTf", "STf", "LTf STf", "STf LTf")
# outputs whose units are written otherwise than alone
_TOGETHER = {
    "LT ST t": "lt -ST t",
    "LT t ST": "lt t -ST",
    "ST LT t": "-ST lt t",
    "ST t LT": "-ST t lt",
    "t LT ST": "t lt -ST",
    "ton": "LT ST",
    "floz": "impoz USoz",
    "kPa kg/cm2": "kPa kgf/cm2",
    "LTf STf": "-LTf -STf",
    "STf LTf": "-STf -LTf",
    **{f"{force} {tons}": f"{force} -{tons.replace(' ', ' -')}" for force in ("kN", "MN", "GN") for tons in _TONS},
}
Output = tuple[MeasureUnit, ...]


@dataclass
class Request:
    """What the arguments behind the input ask for."""

    target: str = ""
    precision: int | None = None
    mid: str = ""  # words behind the first unit
    before: tuple[str, str] = ("", "")  # words before the units
    joins: tuple[str, str, str] = (" (", ")", "; ")
    altitude: float = 0.0  # in feet

    def set_precision(self, word: str) -> bool:
        """Whether `word` is a number; it is taken if it is whole and the first."""
        number = word.replace(",", "").replace(MINUS, "-")
        try:
            value = float(number) if number and len(number) < 20 and not number.isalpha() else math.nan
        except ValueError:
            return False
        if not math.isfinite(value):
            return False
        if value == math.floor(value) and self.precision is None:
            self.precision = int(max(-300, min(value, 100)))
        return True


def read_request(options: Options, quantity: Quantity) -> Request:
    """The unit to convert to, the precision, and the words to put in."""
    rest = list(quantity.rest)

    def take() -> str:
        return rest.pop(0) if rest else ""

    request = Request(joins=options.joins, altitude=options.altitude or 0.0)
    if "mach" in quantity.unit.marks and rest and read_number(rest[0], options.style):
        number = read_number(take(), options.style)
        request.altitude = number.value if number else 0.0
    word = take().strip()
    if not request.set_precision(word):
        request.target = word
        if rest and request.set_precision(rest[0].strip()):
            take()
    if options.middle:
        if word.startswith("-") and len(word) > 1 and not word[1].isdecimal():
            request.target, rest[:0] = "", [word]  # no unit is given
        word = take().rstrip()
        request.mid = word if word.startswith("-") or not word.strip() else f" {word.strip()}"
    if options.before_unit:
        before = _add_spaces(take(), both=True)
        request.before = ("", before) if options.flip else (before, "")
    if options.own_joins:
        first, second = take(), take()
        request.joins = (first, second, "; ") if first.strip() else (f" &#91;{first}", f"&#93;{second}", "; ")
    elif options.before_units:
        first, second = take(), take()
        words = _add_spaces(first, both=False)
        request.before = (words, _add_spaces(second, both=False) if second.strip() else words)
    if request.precision is None and rest:
        request.set_precision(rest[0].strip())
    return request


def _add_spaces(text: str, *, both: bool) -> str:
    """Words to stand before a unit."""
    if not text.strip():
        return ""
    if text.strip() == "+":
        return "+ "
    text = text if text[0] in " -" else " " + text
    return text + " " if both and text[-1] not in " -" else text


def find_outputs(code: str, quantity: Quantity) -> list[Output]:
    """The units of each output, several for feet and inches. Empty where one is not known or of another kind."""
    if code.startswith("<"):
        limit, _, either = code[1:].partition(":")
        small, _, other = either.partition(";")
        try:
            code = (small if 0 < quantity.numbers[0].value < float(limit) else other).strip()
        except ValueError:  # a tag, or whatever else a page has there
            return []
    code = " ".join(code.replace("_", " ").replace("&nbsp;", " ").split())
    code = _TOGETHER.get(code, code).replace("100 km", "100km").replace("100 mi", "100mi")
    single = _find_output(code)
    if single is not None:
        outputs: list[Output | None] = [single]
    else:
        words = code.split("+") if "+" in code[1:] else code.split()
        outputs = [_find_output(word.strip()) for word in words if word.strip()]
        if len(outputs) < 2:
            return []
    convertible = [output for output in outputs if output is not None and quantity.unit.converts_to(output[-1])]
    return convertible if len(convertible) == len(outputs) <= 8 else []


def _find_output(code: str) -> Output | None:
    if code in SEVERAL:
        units = [unit(part) for part, _ in SEVERAL[code]]
    elif " " in code and all(unit(word) for word in code.split()):
        return None  # two outputs, though the codes run together may be a unit ("m in", min)
    else:
        units = [unit(code)]
    known_units = tuple(one for one in units if one is not None)
    return known_units if len(known_units) == len(units) else None
