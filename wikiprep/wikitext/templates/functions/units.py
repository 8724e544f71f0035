"""Units that `{{convert}}` knows: data/units.txt, one unit a line.

    codes | symbol | name | plural | scale | kind | default outputs

`scale` is the size in the kind's base unit (SI); temperatures carry their offset behind a `+`.
"""

import functools
from dataclasses import dataclass
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

    def word(self, value: float, *, us: bool, adjective: bool = False) -> str:
        """The unit's name for that many."""
        name = self.name if adjective or abs(value) == 1 else self.plural
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


def unit(code: str) -> Unit | None:
    """The unit of a code ("sqmi", "sq mi", "km²"), or None."""
    table = units()
    code = code.strip().replace("²", "2").replace("³", "3")
    return table.get(code) or table.get(code.replace(" ", ""))
