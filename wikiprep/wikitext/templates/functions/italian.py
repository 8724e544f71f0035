"""Measures, quotations, flags and clubs on the Italian Wikipedia."""

import re

from wikiprep.wikitext.templates.arguments import Arguments
from wikiprep.wikitext.templates.functions.flags import country, flag_country
from wikiprep.wikitext.templates.functions.quotations import block
from wikiprep.wikitext.templates.numbers import write_number

_NUMBER = re.compile(r"[-−+]?\d+(?:[.,]\d+)?")
# Of the template's former way, {{M|5|k|m}}: the prefix of the unit behind it.
_PREFIXES = frozenset((*"YZEPTGMkhdcmµμunpfazy", "da"))


def measure(args: Arguments) -> str | None:
    """`{{M|12345|ul=km}}`: 12 345 km; `{{M|9.8|0.1|u=m/s²}}`: 9,8 ± 0,1 m/s²; `{{M|5|k|m}}`: 5 km."""
    values = (args.positional() + [""] * 3)[:3]
    unit = args.first("u", "ul")
    if per := args.first("up", "upl"):
        unit += f"/{per}"
    text = write_number(values[0], "it")
    if values[1] in _PREFIXES and values[2]:
        unit = values[1] + values[2]
    elif _NUMBER.fullmatch(values[1]):
        text += f" ± {write_number(values[1], 'it')}"
        unit = unit or values[2]
    elif not unit:
        unit = "/".join(value for value in values[1:] if value)
    if power := args["e"]:
        text = f"({text})" if "±" in text else text
        text += f"{' × ' if text else ''}10<sup>{power.replace('-', '−')}</sup>"
    space = "" if unit in ("°", "′", "″", "%") else " "
    return f"{args['p']}{text}{space}{unit}".strip() or None


def quotation(args: Arguments) -> str | None:
    """`{{Citazione|translation|source|original|lang=la}}`: the original first, as there."""
    text, source, original = args[1], args[2], args[3]
    return block(f"{original}\n\n{text}" if original and text else text or original, source)


def flag(args: Arguments) -> str | None:
    """`{{bandiera|ITA|nome}}`: Italia, linked; a flag alone without the second word."""
    return flag_country(args) if args[2].lower() in ("nome", "n") else None


def team(args: Arguments) -> str | None:
    """`{{Naz|CA|ITA}}`: Italia; `{{NazU|CA|ITA|M|21}}`: Italia U-21. A link would need the preposition of the name."""
    age = f" U-{args[4]}" if args.name.endswith("U") and args[4] else ""
    return country(args[2], "it")[1] + age if args[2] else None


def club(args: Arguments) -> str | None:
    """`{{Calcio Inter|N}}`: Inter, which the template's name ends with; boxes whose name starts so have no argument."""
    return args.name.partition(" ")[2] if args[1] and len(args[1]) < 3 else None
