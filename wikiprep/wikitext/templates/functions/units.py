"""Units that `{{convert}}` knows: data/units.txt, one unit a line.

    codes | symbol | name | plural | scale | kind | default outputs | article | marks

A unit's size is `scale` in the SI unit of its kind, a product or quotient of numbers. `=code` for a scale makes the
unit from another one, `+` by the rules below; what such a line gives replaces the rest. An empty name is the symbol, an
empty plural the name with an "s", `=` the name itself; an empty article has the unit's name. `<3: a; b` for a default
is `a` for values between 0 and 3, else `b`.

Rules: SI prefixes before units marked `si` (`si2`, `si3` for their squares and cubes), `e3`, `e6`, `e9`… before any
code (said as thousand, million, billion…), and `a/b` of any two.

Marks: `name` is spelled even where others are abbreviated, `symbol` never is unless asked; `from:` is the zero of a
temperature; `inverse`, `direct` convert into each other by division; `also:` a second kind; `us` switches to American
spelling, `american:` has a word for it; `12:in` allows input such as 5 ft 11 in; `whole`, `fine` round as the
template does for feet, pounds and inches; `hand`, `mach` are computed; `times:` is said before the name;
`customary`, `imperial` link "US" and "imperial" on their own.
"""

import functools
import re
from dataclasses import dataclass, field, replace
from pathlib import Path

_DATA = Path(__file__).parent.parent / "data" / "units.txt"


@dataclass(frozen=True)
class MeasureUnit:
    """One unit. A value times `scale` is in the SI unit of `kind`, temperatures less their zero."""

    code: str
    symbol: str
    name: str
    plural: str
    scale: float
    kind: str
    default: str
    link: str
    marks: frozenset[str] = frozenset()
    zero: float | None = None  # of a temperature, in itself
    also: str = ""
    american: str = ""  # another word in American English
    power: int = 0  # of ten, said beside the number: 6 for `e6km`
    prefix: str = ""  # as a word, "kilo"
    times: int = 1  # said before the name: "100 kilometres"
    top: "MeasureUnit | None" = None  # of `a/b`
    bottom: "MeasureUnit | None" = None
    currency: str = ""
    parts: dict[str, int] = field(default_factory=dict, compare=False)  # smaller unit -> how many

    def word(self, *, plural: bool, us: bool) -> str:
        """The unit's name."""
        if self.bottom is not None:
            top = self.top.word(plural=plural, us=us) + " " if self.top else ""
            return f"{top}per {self.bottom.word(plural=False, us=us)}"
        name = self.plural if plural or self.times > 1 else self.name
        if us and self.american:
            name = self.american.replace("_", " ") + ("s" if plural else "")
        elif us:
            name = _american(name)
        return f"{self.times} {name}" if self.times > 1 else name

    def sign(self, *, us: bool) -> str:
        """The unit's symbol."""
        if self.bottom is not None and not self.symbol:
            return (self.top.sign(us=us) if self.top else "") + "/" + self.bottom.sign(us=us)
        symbol = _american(self.symbol) if us else self.symbol
        return f"{self.times} {symbol}" if self.times > 1 else symbol

    def converts_to(self, other: "MeasureUnit") -> bool:
        """Whether a value in this unit can be given in the other one."""
        return self.kind == other.kind or (self.kind == other.also and self.also == other.kind)


def _american(name: str) -> str:
    for british, american in (("metre", "meter"), ("litre", "liter"), ("decam", "dekam"), ("US ", "U.S. ")):
        if british in name:
            name = name.replace(british, american)
    return name


@functools.cache
def lines() -> dict[str, tuple[str, ...]]:
    """Code -> the fields of its line."""
    table: dict[str, tuple[str, ...]] = {}
    for line in _DATA.read_text(encoding="utf-8").splitlines():
        if line and not line.startswith("#"):
            codes, *fields = (part.strip() for part in line.split("|"))
            fields += [""] * (8 - len(fields))
            for code in codes.split():
                table[code] = (codes.split()[0], *fields)
    return table


@functools.lru_cache(maxsize=4096)
def unit(code: str) -> MeasureUnit | None:
    """The unit of a code ("sqmi", "km2", "e6acre", "Gm", "W/m2"), or None."""
    return _unit(" ".join(code.replace("_", " ").replace("&nbsp;", " ").split()), 0)


def _unit(code: str, depth: int) -> MeasureUnit | None:
    if not code or depth > 6 or len(code) > 60:
        return None
    table = lines()
    row = table.get(code) or table.get(code.replace(" ", "-")) or table.get(code.replace(" ", ""))
    if row is None:
        return _by_rule(code, depth)
    first, symbol, name, plural, scale, kind, default, link, marks = row
    if scale == "+" or scale.startswith("="):
        base = _by_rule(first, depth) if scale == "+" else _unit(scale[1:], depth + 1)
        if base is None:
            return None
        return _apply_marks(
            replace(
                base,
                code=base.code if scale != "+" else first,
                symbol=symbol or base.symbol,
                kind=kind or base.kind,
                default=default or base.default,
                link=link or base.link,
            ),
            marks,
        )
    name = name or symbol
    plain_unit = MeasureUnit(
        code=first,
        symbol=symbol,
        name=name,
        plural=name if plural == "=" else plural or name + "s",
        scale=_number(scale),
        kind=kind,
        default=default,
        link=link or name[:1].upper() + name[1:],
    )
    return _apply_marks(plain_unit, marks)


def _apply_marks(base: MeasureUnit, marks: str) -> MeasureUnit:
    for mark in marks.split():
        name, colon, value = mark.partition(":")
        if not colon:
            base = replace(base, marks=base.marks | {name})
        elif name == "from":
            base = replace(base, zero=float(value))
        elif name == "times":
            base = replace(base, times=int(value), scale=base.scale * int(value))
        elif name == "also":
            base = replace(base, also=value)
        elif name == "american":
            base = replace(base, american=value)
        else:
            base = replace(base, parts={**base.parts, value: int(name)})
    return base


def _number(text: str) -> float:
    first, *others = text.split("/")
    value = float(first)
    for other in others:
        value /= float(other)
    return value


def _by_rule(code: str, depth: int) -> MeasureUnit | None:
    if match := _TIMES_TEN.fullmatch(code):
        base = _unit(match[2], depth + 1)
        if base is None or base.power or base.zero is not None:
            return None
        power = int(match[1])
        return replace(base, code=code, scale=base.scale * 10.0**power, power=power)
    if match := _PREFIXED.fullmatch(code):
        for prefix in {match[1], match[1][:1]}:
            base = _unit(code[len(prefix) :], depth + 1) if prefix in _PREFIXES else None
            if base is not None and not base.prefix and base.code in (code[len(prefix) :], "N.m", "N·m"):
                dimension = next((size for mark, size in _DIMENSIONS.items() if mark in base.marks), 0)
                if dimension:
                    return _with_prefix(base, prefix, dimension)
    top, slash, bottom = code.rpartition("/")
    return _quotient(code, top, bottom, depth) if slash else None


def _with_prefix(base: MeasureUnit, prefix: str, dimension: int) -> MeasureUnit:
    word, power = _PREFIXES[prefix]
    names = [_BEFORE_NAME.sub(rf"\g<0>{word}", text, count=1) for text in (base.name, base.plural)]
    scale = base.scale * 10.0 ** (power * dimension)
    if "inverse" in base.marks:
        scale = base.scale * 10.0**power
    return replace(
        base,
        code=prefix + base.code,
        symbol=("μ" if prefix in "uµ" else prefix) + base.symbol,
        name=names[0],
        plural=names[1],
        scale=scale,
        prefix=word,
        link=(_OWN_ARTICLES.get(base.code, "") and names[0][:1].upper() + names[0][1:]) or base.link,
    )


def _quotient(code: str, top: str, bottom: str, depth: int) -> MeasureUnit | None:
    below = _unit(bottom, depth + 1)
    above = None if top in _CURRENCIES or not top else _unit(top, depth + 1)
    if below is None or (top and top not in _CURRENCIES and above is None):
        return None
    for part in (above, below):
        if part is not None and (
            part.zero is not None or part.marks & {"hand", "mach"} or (part.power and part is below)
        ):
            return None
    kind = f"{above.kind if above else top}/{below.kind}"
    kind, times = _KINDS.get(kind, (kind, 1.0))
    defaults = [_first(above.default) if above else top, _first(below.default)]
    return MeasureUnit(
        code=code,
        symbol="",
        name="",
        plural="",
        scale=(above.scale if above else 1.0) * times / below.scale,
        kind=kind,
        default="/".join(defaults) if all(defaults) or not top else "",
        link="",
        top=above,
        bottom=below,
        currency=top if top in _CURRENCIES else "",
        marks=(above.marks | below.marks) & {"us"} if above else below.marks & {"us"},
    )


def _first(default: str) -> str:
    """One unit of a default that has several or that depends on the value."""
    words = default.rpartition(";")[2].replace("+", " ").split()
    return words[0] if words else ""


_TIMES_TEN = re.compile(r"e(3|6|9|12|15)(.+)")
_PREFIXED = re.compile(r"(da|[QRYZEPTGMkhdcmuμµnpfazyrq]).+", re.S)
_DIMENSIONS = {"si": 1, "si2": 2, "si3": 3}
_BEFORE_NAME = re.compile(r"^(?:square |cubic )?")
# Units whose prefixed forms have articles of their own.
_OWN_ARTICLES = dict.fromkeys(("m", "m2", "m3", "L", "l", "g", "s", "W"), "yes")
_CURRENCIES = frozenset("$£€₱₽¥₹")
_WEIGHT = 9.80665
_KINDS: dict[str, tuple[str, float]] = {
    "area/area": ("area per unit area", 1),
    "energy/length": ("energy per unit length", 1),
    "energy/time": ("power", 1),
    "force/area": ("pressure", 1),
    "length/length": ("gradient", 1),
    "length/time": ("speed", 1),
    "length/time/time": ("acceleration", 1),
    "speed/time": ("acceleration", 1),
    "mass/area": ("pressure", _WEIGHT),
    "volume/area": ("volume per unit area", 1),
    "volume/time": ("flow", 1),
    "length/volume": ("fuel efficiency", 1),
    "volume/length": ("volume per unit length", 1),
    "energy/chemical amount": ("energy/chemical amount", 1),
    "force/length": ("torque", 1),
    "/area": ("per unit area", 1),
    "/volume": ("per unit volume", 1),
}
_PREFIXES = {
    "Q": ("quetta", 30),
    "R": ("ronna", 27),
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
    "µ": ("micro", -6),
    "n": ("nano", -9),
    "p": ("pico", -12),
    "f": ("femto", -15),
    "a": ("atto", -18),
    "z": ("zepto", -21),
    "y": ("yocto", -24),
    "r": ("ronto", -27),
    "q": ("quecto", -30),
}
