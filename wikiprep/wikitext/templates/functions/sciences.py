"""Formulas of chemistry, signs of physics and astronomy, gauges of railways: `{{chem2|…}}`, `{{val|…}}`, `{{DEC}}`."""

import functools
import re
from pathlib import Path

from wikiprep.wikitext.templates.arguments import Arguments
from wikiprep.wikitext.templates.functions.units import unit
from wikiprep.wikitext.templates.numbers import format_number

_DATA = Path(__file__).parent.parent / "data" / "lists"
_DIGITS = re.compile(r"[-−+]?\d+(?:\.\d+)?")
_RANGES = {"-": "–", "–": "–", "to": " to ", "and": " and ", "or": " or ", "by": " by ", "x": " × ", "×": " × "}
_LENGTH = re.compile(r"\d{1,4}(?:\.\d{1,4})?", re.ASCII)
_CHARGE = re.compile(r"\((\d*[-+−]|[-+−]\d+)\)")
_BRACED = re.compile(r"[_^]\{([^{}]*)\}")
_GAUGE_FEET = re.compile(r"(\d{1,9}) ?ft ?(?:(\d{1,9}(?:[.+]\d{1,9}(?:/\d{1,9})?)?|\d{1,9}/\d{1,9}) ?in)?")


def chem(args: Arguments) -> str | None:
    """`{{chem|SO|4|2-}}`: SO42−, as its text has it."""
    text = "".join(args.positional())
    return text.replace("-", "−") or None


def chem2(args: Arguments) -> str | None:
    """`{{chem2|[Fe(CN)6](3-)}}`: charges lose their brackets, arrows and dots are drawn."""
    text = _BRACED.sub(r"\1", "".join(args.positional()))
    text = _CHARGE.sub(lambda match: match[1].replace("-", "−"), text)
    text = text.replace("<->", "⇌").replace("->", "→").replace("<-", "←").replace("*", "·").replace("\\s", "–")
    return text or None


def val(args: Arguments) -> str | None:
    """`{{val|879.6|0.8|u=s|e=3}}`: number, uncertainty, power of ten, unit."""
    number = args[1]
    if not number:
        return args.first("u", "ul") or None
    second = args[2]
    if second in _RANGES:
        values = [value for value in args.positional()[0::2] if value]
        number = _RANGES[second].join(_value(value, args) for value in values)
        second = third = ""
    else:
        number, third = _value(number, args), args[3]
    power = args["e"]
    if third:
        number += f"+{second.lstrip('+')}−{third.lstrip('-−')}"
    elif second:
        number += second if second.startswith("(") else f"±{_value(second.lstrip('±'), args)}"
    if power:
        number = f"({number})" if second and not second.startswith("(") else number
        number += f"×10<sup>{power.replace('-', '−')}</sup>"
    name = _unit(args)
    number = args["p"] + number
    if name:
        number += name if name[0] in "%°′″‰" else f" {name}"
    return number + args.first("s", "suffix")


def _value(number: str, args: Arguments) -> str:
    if args["fmt"] == "commas" and _DIGITS.fullmatch(number):
        number = format_number(number, "en")
    return "−" + number[1:] if number.startswith("-") else number


def _unit(args: Arguments) -> str:
    name = args["u"] or _unit_link(args["ul"])
    per = args["up"] or _unit_link(args["upl"])
    return f"{name}/{per}" if per else name


def _unit_link(code: str) -> str:
    known_unit = unit(code) if code else None
    return (
        f"[[{known_unit.link}|{known_unit.sign(us=False)}]]"
        if known_unit and known_unit.link and known_unit.sign(us=False)
        else code
    )


@functools.cache
def _elements() -> dict[str, str]:
    """Name or symbol of an element in lower case -> its symbol."""
    symbols: dict[str, str] = {}
    for line in (_DATA / "elements.txt").read_text(encoding="utf-8").split():
        symbol, _, name = line.partition("=")
        symbols[name] = symbols[symbol.lower()] = symbol
    return symbols


def nuclide(args: Arguments) -> str | None:
    """`{{SimpleNuclide|Uranium|235}}`, `{{nuclide|uranium|235}}`: 235U, linked to its article."""
    name, mass = args[1].replace("Link", "").strip(), args[2]
    if not name:
        return None
    symbol = _elements().get(name.lower())
    label = f"<sup>{mass}</sup>{symbol or name}"
    if args["link"] in ("no", "none"):
        return label
    full = next((word for word, sign in _elements().items() if sign == symbol and len(word) > 2), name)
    return f"[[{full.capitalize()}-{mass}|{label}]]" if mass and symbol else f"{mass}{symbol or name}"


def gauge(args: Arguments) -> str | None:
    """`{{track gauge|1435mm}}`: 1,435 mm (4 ft 8+1⁄2 in); gauges in feet the other way round."""
    text = args[1].lower()
    if not text:
        return None
    millimetres = re.fullmatch(r"(\d{1,9}(?:\.\d{1,9})?) ?(mm|cm|m)?", text)
    if text in ("sg", "ussg", "uksg", "std", "standard"):
        return "[[Standard gauge|4 ft 8+1⁄2 in]] (1,435 mm)" if text != "sg" else "1,435 mm (4 ft 8+1⁄2 in)"
    if millimetres:
        size = float(millimetres[1]) * {"cm": 10, "m": 1000}.get(millimetres[2] or "mm", 1)
        return f"{format_number(f'{size:g}', 'en')} mm ({_feet(size)})"
    match = _GAUGE_FEET.fullmatch(text)
    if match is None:
        return args[1]
    inches = match[2] or "0"
    whole, _, part = inches.replace(".5", "+1/2").replace(".25", "+1/4").replace(".75", "+3/4").partition("+")
    above, _, below = part.partition("/")
    value = float(whole) if "/" not in whole else 0.0
    if above and below and below.isdecimal() and int(below):
        value += float(above) / float(below)
    size = round((int(match[1]) * 12 + value) * 25.4)
    inches_text = f" {whole}{'+' + above + '⁄' + below if part else ''} in" if match[2] else ""
    return f"{match[1]} ft{inches_text} ({format_number(str(size), 'en')} mm)"


def _feet(millimetres: float) -> str:
    """To the nearest eighth of an inch."""
    eighths = round(millimetres / 25.4 * 8)
    feet, rest = divmod(eighths, 96)
    whole, part = divmod(rest, 8)
    below = 8
    while part and part % 2 == 0:
        part, below = part // 2, below // 2
    inches = f"{whole or ''}{'+' if whole and part else ''}{f'{part}⁄{below}' if part else ''}"
    return " ".join(text for text in (f"{feet} ft" if feet else "", f"{inches} in" if inches else "") if text)


def height(args: Arguments) -> str | None:
    """`{{height|ft=6|in=1}}`: 6 ft 1 in (1.85 m); `{{height|m=1.8}}`: 1.8 m (5 ft 11 in); `cm` likewise."""
    values = {key: float(args[key]) for key in ("m", "cm", "ft", "in") if _LENGTH.fullmatch(args[key])}
    if "m" in values or "cm" in values:
        key = "m" if "m" in values else "cm"
        feet, inches = divmod(round(values[key] * (1 if key == "m" else 0.01) / 0.0254), 12)
        return f"{args[key]} {key} ({feet} ft {inches} in)"
    if not values:
        return None
    size = " ".join(f"{args[key]} {key}" for key in ("ft", "in") if key in values)
    return f"{size} ({(values.get('ft', 0) * 12 + values.get('in', 0)) * 0.0254:.2f} m)"


_PARTICLE_CHARGE = re.compile(r"(.*?)[ ]?([-−+]{1,2}|0)")
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
    if match := _PARTICLE_CHARGE.fullmatch(name):
        symbol, article = known.get(match[1], ("", ""))
        charge = match[2].replace("-", "−")
        return (f"{symbol}<sup>{charge}</sup>" if symbol else ""), article
    return "", ""
