"""Signs of physics and astronomy: masses of suns and planets, declinations, particles."""

import functools
import re
from pathlib import Path

from wikiprep.wikitext.templates.arguments import Arguments

_DATA = Path(__file__).parent.parent / "data" / "lists"
_CHARGE = re.compile(r"(.*?)[ ]?([-−+]{1,2}|0)")
_BODIES = {"solar": ("☉", "☉"), "earth": ("E", "🜨"), "jupiter": ("J", "♃")}  # usual sign, astronomical one
_QUANTITIES = {"mass": "M", "radius": "R", "luminosity": "L"}


def unit_of_body(args: Arguments) -> str | None:
    """`{{Solar mass|1.5}}`: 1.5 M☉; `{{Earth radius|2|sym=y}}`: 2 R🜨; linked by `link=y`."""
    body, _, quantity = args.name.lower().partition(" ")
    if body not in _BODIES or quantity not in _QUANTITIES:
        return args[1] or None
    sign, astronomical = _BODIES[body]
    symbol = f"''{_QUANTITIES[quantity]}''<sub>{astronomical if args.on('sym') else sign}</sub>"
    if args.on("link") or args.on("lk"):
        symbol = f"[[{args.name}|{symbol}]]"
    number = args[1].replace("-", "−") if args[1].startswith("-") else args[1]
    return f"{number} {symbol}".strip()


def declination(args: Arguments) -> str | None:
    """`{{DEC|-12|34|56}}`: −12° 34′ 56″."""
    degrees = args[1].replace("-", "−")
    parts = [f"{value}{mark}" for value, mark in zip((degrees, args[2], args[3]), "°′″", strict=True) if value]
    return " ".join(parts) or None


@functools.cache
def _particles() -> dict[str, tuple[str, str]]:
    """Name in lower case -> (symbol, article)."""
    particles: dict[str, tuple[str, str]] = {}
    for line in (_DATA / "particles.txt").read_text(encoding="utf-8").splitlines():
        names, equals, rest = line.partition(" = ")
        if equals and not line.startswith("#"):
            symbol, _, article = rest.partition(" | ")
            particles |= dict.fromkeys(names.split(", "), (symbol, article))
    return particles


def particle(args: Arguments) -> str | None:
    """`{{SubatomicParticle|pion+}}`: π+; `link=yes` links it. What is not known stands as it is typed."""
    name = args[1]
    symbol, article = _particle(name.lower())
    if not symbol:
        return name or None
    return f"[[{article}|{symbol}]]" if article and args.on("link") else symbol


def _particle(name: str) -> tuple[str, str]:
    known = _particles()
    if name in known:
        return known[name]
    if match := _CHARGE.fullmatch(name):
        symbol, article = known.get(match[1], ("", ""))
        charge = match[2].replace("-", "−")
        return (f"{symbol}<sup>{charge}</sup>" if symbol else ""), article
    return "", ""
