"""The named options of `{{convert}}`: what is abbreviated, linked, rounded, spelled, what stands between the values.

Unknown options and values are ignored, as the template does.
"""

import re
from dataclasses import dataclass

from wikiprep.wikitext.templates.arguments import Arguments
from wikiprep.wikitext.templates.functions.quantities import Comma, Style

_SWAP = {"in": "out", "out": "in"}
_ABBREVIATIONS = {
    "on": "on",
    "h": "on",
    "hh": "on",
    "in": "in",
    "out": "out",
    "off": "off",
    "none": "off",
    "unit": "on",
}
# what stands before, after and between several outputs
_JOINS = {
    "or": (" or ", "", " or "),
    "sqbr": (" &#91;", "&#93;", "; "),
    "comma": (", ", "", ", "),
    "semicolon": ("; ", "", "; "),
    "(or)": (" (", ")", " or "),
    "br": ("<br />", "", "; "),
    "br()": ("<br />(", ")", "; "),
    "/": ("/", "", "; "),
}
_ROUND = frozenset(("0.5", "5", "10", "25", "50"))


@dataclass(frozen=True)
class Options:
    """The options, in the order that they are written (`flip` not yet applied to the values)."""

    abbr: str  # on, off, in, out: what is abbreviated, after a flip
    abbr_given: str  # as written, "" where it is not
    link: str  # on, in, out or ""
    no_link: bool  # lk=off, where a link is usual
    style: Style
    adjective: bool
    middle: bool
    before_unit: bool  # adj=pre: words before the first unit
    before_units: bool  # disp=preunit: words before both
    also_symbol: bool
    values_only: bool
    number_word: bool
    hands: bool
    flip: bool
    outputs_only: bool  # order=out: the first output stands where the input would
    show: str  # "", "output", "number", "input unit", "output unit"
    names: bool  # disp=or and the like spell the units
    joins: tuple[str, str, str]
    own_joins: bool  # disp=x: from the arguments
    capital: bool
    figures: int | None
    step: float | None
    each: bool
    fraction: int | None
    bar: bool
    altitude: float | None
    currency: str


def _integer(text: str, least: int) -> int | None:
    return int(text) if re.fullmatch(r"\d{1,6}", text, re.ASCII) and int(text) >= least else None


def options_of(args: Arguments, abbr: str) -> Options:
    """The options of one call; `abbr` is the abbreviation that holds where none is given.

    Remembered by what the call names, since that is nearly always nothing, or `abbr=on`, `adj=on`, `sp=us`.
    """
    key = (abbr, args.named())
    options = _options_cache.get(key)
    if options is None:
        if len(_options_cache) >= 1_000:
            _options_cache.clear()
        options = _options_cache[key] = _read_options(args, abbr)
    return options


_options_cache: dict[tuple[str, tuple[tuple[str, str], ...]], Options] = {}


def _read_options(args: Arguments, abbr: str) -> Options:
    abbr_word = args["abbr"].lower()
    abbr_word = abbr_word if abbr_word in _ABBREVIATIONS or abbr_word in ("values", "~") else abbr
    display, order = args["disp"].lower(), args["order"].lower()
    adj = (args["adj"] or args["sing"]).lower()
    spell = args["spell"]
    out_first = order == "out"
    flip = (order == "flip" or display == "flip" or adj == "flip") and not out_first
    spell_in, spell_out = (
        (spell.lower() in ("in", "on") and not out_first),
        (spell.lower() == "on" and not out_first),
    )
    abbr_choice = _ABBREVIATIONS.get(abbr_word, "")
    abbreviated = abbr_choice or ("off" if spell_out else "out")
    link = args.first("lk", "link").lower()
    link = link if link in ("on", "in", "out") else ""
    if flip:
        abbreviated, link = _SWAP.get(abbreviated, abbreviated), _SWAP.get(link, link)
        if spell_in and not spell_out:
            spell_in, spell_out = False, True
    table = display in ("table", "tablecen", "tabletop")
    comma: Comma = "5" if args["comma"] == "5" else "off" if args["comma"] in ("off", "gaps", "gaps3") else ""
    step = "5" if display == "5" else args["round"]
    sigfig = args["sigfig"]
    part = args["frac"]
    feet, metres = _integer(args["altitude_ft"], 0), _integer(args["altitude_m"], 0)
    return Options(
        abbr=abbreviated,
        abbr_given=abbr_choice,
        link=link,
        no_link=args.first("lk", "link").lower() == "off",
        style=Style(
            comma=comma,
            spell_in=spell_in,
            spell_out=spell_out,
            us=args["sp"].lower() == "us" or spell.lower() == "us",
            round_input=int(adj[2]) if adj in ("ri0", "ri1", "ri2", "ri3") else None,
        ),
        adjective=adj in ("on", "mid", "1"),
        middle=adj == "mid",
        before_unit=adj == "pre",
        before_units=display == "preunit",
        also_symbol=abbr_word == "~" or adj == "~",
        values_only=abbr_word == "values" or (table and not abbr_choice and not link),
        number_word=abbr_word == "unit",
        hands=abbr_word == "hh",
        flip=flip,
        outputs_only=out_first,
        show={
            "output only": "output",
            "out": "output",
            "number": "number",
            "output number only": "number",
            "number only": "number",
            "unit": "input unit",
            "unit or text": "input unit",
            "unit2": "output unit",
            "input only": "input",
        }.get(display, ""),
        names=display in ("or", "br", "br()"),
        joins=_JOINS.get({"[]": "sqbr", "s": "/", "slash": "b"}.get(display, display), (" (", ")", "; ")),
        own_joins=display == "x",
        capital=spell[:1].isupper(),
        figures=_integer(sigfig, 1),
        step=float(step) if step in _ROUND else None,
        each=args["round"] == "each",
        fraction=_integer(part.lstrip("-"), 2),
        bar=part.startswith("-"),
        altitude=float(feet) if feet is not None else metres / 0.3048 if metres is not None else None,
        currency={"euro": "€"}.get(args["$"], args["$"]),
    )
