"""Units that `{{convert}}` knows: data/units.txt, one unit a line.

    codes | symbol | name | plural | scale | kind | default outputs

`scale` is the size in the kind's base unit (SI); temperatures carry their offset behind a `+`. Multiples need no line
of their own: SI prefixes (`Gm`, `MPa`), and `e3`, `e6`, `e9` before any code, said as "thousand", "million" and so on.
"""

import functools
import re
from dataclasses import dataclass, replace
from pathlib import Path


@dataclass(frozen=True)
class Unit:
    """One unit. `value * scale + offset` is in the base unit of its `kind`."""

    symbol: str
    name: str
    plural: str
    scale: float
    offset: float
    kind: str
    default: str
    power: int = 0  # of ten, said beside the number: 6 for `e6km`

    def word(self, value: float, *, us: bool, adjective: bool = False) -> str:
        """The unit's name for that many."""
        name = self.name if adjective or (abs(value) == 1 and not self.power) else self.plural
        if us:
            name = name.replace("metre", "meter").replace("litre", "liter")
        return name


@functools.cache
def units() -> dict[str, Unit]:
    """Code -> unit."""
    table: dict[str, Unit] = {}
    for line in (Path(__file__).parent.parent / "data" / "units.txt").read_text(encoding="utf-8").splitlines():
        if not line or line.startswith("#"):
            continue
        codes, symbol, name, plural, scale, kind, default = (part.strip() for part in line.split("|"))
        factor, _, offset = scale.partition("+")
        unit = Unit(symbol or name, name, plural or f"{name}s", float(factor), float(offset or 0), kind, default)
        for code in codes.split():
            table[code] = unit
    return table


@functools.lru_cache(maxsize=4096)
def unit(code: str) -> Unit | None:
    """The unit of a code ("sqmi", "sq mi", "km²", "e6acre", "Gm"), or None."""
    table = units()
    code = code.strip().replace("²", "2").replace("³", "3")
    found = table.get(code) or table.get(code.replace(" ", ""))
    if found or not code:
        return found
    if match := _TIMES_TEN.fullmatch(code):
        return _times_ten(match[2], int(match[1]))
    if (match := _COUNTED.fullmatch(code)) and (found := _times_ten(match[2], _COUNTS[match[1]])):
        said = _COUNTED_DEFAULT.get(match[1], found.power)
        return replace(found, default=re.sub(r"\be\d+", f"e{said}", found.default))
    if (match := _PREFIXED.fullmatch(code)) and (base := table.get(match[2])) and not base.offset:
        word, power = _PREFIXES[match[1]]
        dimension = int(match[2][-1]) if match[2][-1].isdecimal() else 1
        scale = base.scale * 10.0 ** (power * dimension)
        name, plural = (
            _UNIT_WORD.sub(lambda found: word + found[0], text, count=1) for text in (base.name, base.plural)
        )
        return Unit(match[1].replace("u", "μ") + base.symbol, name, plural, scale, 0.0, base.kind, base.default)
    return None


def _times_ten(code: str, power: int) -> Unit | None:
    base = unit(code)
    if base is None or base.power or base.offset:
        return None
    default = " ".join(f"e{power}{part}" for part in base.default.split())
    return replace(base, scale=base.scale * 10.0**power, power=power, default=default)


_TIMES_TEN = re.compile(r"e(3|6|9|12|15)(.+)")
# Customary units with a letter for a number: thousand, million and billion barrels.
_COUNTED = re.compile(r"([kMGT])((?:oilbbl|bbl|USgal|impgal|U\.?S\.gal|cuft|cuyd|cumi|ST|LT|carat)(?:/[da])?)")
_COUNTS = {"k": 3, "M": 6, "G": 9, "T": 12}
_COUNTED_DEFAULT = {"M": 3, "T": 9}
_PREFIXED = re.compile(r"(da|[YZEPTGMkhdcmuμnpf])([mgLlWJNtA]|m[23]|Pa|Hz|eV|Wh|bar|pc|tTNT|Ω|V|T|Gy|Sv|Bq|cal)")
_PREFIXES = {
    "Y": ("yotta", 24),
    "Z": ("zetta", 21),
    "E": ("exa", 18),
    "P": ("peta", 15),
    "T": ("tera", 12),
    "G": ("giga", 9),
    "M": ("mega", 6),
    "k": ("kilo", 3),
    "h": ("hecto", 2),
    "da": ("deca", 1),
    "d": ("deci", -1),
    "c": ("centi", -2),
    "m": ("milli", -3),
    "u": ("micro", -6),
    "μ": ("micro", -6),
    "n": ("nano", -9),
    "p": ("pico", -12),
    "f": ("femto", -15),
}
_UNIT_WORD = re.compile(r"(?<!\w)(?!square |cubic )[^\W\d_]+")
