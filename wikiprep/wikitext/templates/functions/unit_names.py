"""How `{{convert}}` names a unit: spelled or as a symbol, in singular or plural, with links to its article."""

import re
from typing import Literal, NamedTuple

from wikiprep.wikitext.templates.functions.convert_options import Options
from wikiprep.wikitext.templates.functions.units import MeasureUnit

Side = Literal["in", "out"]
_LINK = re.compile(r"\[\[[^\[\]]*\]\]")
_CUSTOMARY = {
    "customary": ("US", "U.S.", "United States customary units"),
    "imperial": ("imperial", "imp", "Imperial units"),
}
_ECONOMY = "Fuel economy in automobiles#Units of measure"
_SYMBOL_LINKS = {
    "mpg<sub>‑US</sub>": f"[[{_ECONOMY}|mpg]]<sub>‑[[United States customary units|US]]</sub>",
    "mpg<sub>‑U.S.</sub>": f"[[{_ECONOMY}|mpg]]<sub>‑[[United States customary units|U.S.]]</sub>",
    "mpg<sub>‑imp</sub>": f"[[{_ECONOMY}|mpg]]<sub>‑[[Imperial units|imp]]</sub>",
    "L/100 km": f"[[{_ECONOMY}|L/100 km]]",
    "l/100 km": f"[[{_ECONOMY}|l/100 km]]",
}


class Name(NamedTuple):
    """A unit's name in one place; `space` stands between the value and it."""

    text: str
    spelled: bool
    space: str = " "


class Namer:
    """Names units; links each only once."""

    def __init__(self, options: Options) -> None:
        self._options = options
        self._linked_codes: set[str] = set()

    def spells(self, of: MeasureUnit, side: Side) -> bool:
        """Whether the unit's name is spelled on that side."""
        options = self._options
        if "name" in of.marks or ("hand" in of.marks and not options.abbr_given and not options.hands):
            return True
        if not options.abbr_given:
            if "symbol" in of.marks:
                return False
            if options.names:
                return True
        return options.abbr not in ("on", side)

    def name(self, of: MeasureUnit, singular: bool, side: Side, *, forget: bool = False, spelt: bool = False) -> Name:
        """The unit's name beside a value that is one, or not."""
        options = self._options
        if options.values_only:
            return Name("", False, "")
        spelled = spelt or self.spells(of, side)
        link = options.link in ("on", side)
        if spelled and "hand" in of.marks and not options.link and not options.no_link:
            link = True
        plural = not (options.adjective or (singular and not of.power))
        before = set(self._linked_codes)
        text = self._text(of, spelled, plural, link)
        if forget:
            self._linked_codes = before
        if not spelled and options.hands and "hand" in of.marks:
            text = "hh"
        space = "" if text.startswith("/") or (not spelled and of.symbol in ("%", "°")) else " "
        return Name(text, spelled, space)

    def _text(self, of: MeasureUnit, spelled: bool, plural: bool, link: bool) -> str:
        us = self._options.style.us
        if link and not spelled and (symbol_link := _SYMBOL_LINKS.get(of.sign(us=us))):
            return symbol_link
        if of.bottom is not None and (spelled or not of.symbol):
            if link and of.link:
                return self._link(of, of.link, of.word(plural=plural, us=us) if spelled else of.sign(us=us))
            top = self._text(of.top, spelled, plural, link) if of.top else ""
            bottom = self._text(of.bottom, spelled, False, link)
            return f"{top}{' ' if top else ''}per {bottom}" if spelled else f"{top}/{bottom}"
        text = of.word(plural=plural, us=us) if spelled else of.sign(us=us)
        if not link or not of.link:
            return text
        for mark, (first, other, article) in _CUSTOMARY.items():
            if mark in of.marks:
                system_name = other if (us and mark == "customary") or (not spelled and mark == "imperial") else first
                rest = text.removeprefix(first).removeprefix(other).strip()
                return f"[[{article}|{system_name}]] {self._link(of, of.link, rest)}"
        if of.times > 1:
            count, _, rest = text.partition(" ")
            return f"{count} {self._link(of, of.link, rest)}"
        return self._link(of, of.link, text)

    def _link(self, of: MeasureUnit, target: str, text: str) -> str:
        if of.code in self._linked_codes:
            return text
        self._linked_codes.add(of.code)
        lower = target[:1].lower() + target[1:]
        if text in (target, lower):
            return f"[[{text}]]"
        if text in (target + "s", lower + "s"):
            return f"[[{text[:-1]}]]s"
        return f"[[{target}|{text}]]"


def hyphenate(name: str) -> str:
    """The name as an adjective: spaces to hyphens, but in the targets of links and in brackets."""
    if name.startswith("(") and ") " in name:
        head, _, tail = name.partition(") ")
        return f"{head}) {hyphenate(tail)}"
    if name.endswith(")") and " (" in name and "[[" not in name:
        head, _, tail = name.partition(" (")
        return f"{head.replace(' ', '-')} ({tail}"
    out: list[str] = []
    last = 0
    for match in _LINK.finditer(name):
        target, bar, label = match[0][2:-2].partition("|")
        out.append(name[last : match.start()].replace(" ", "-"))
        out.append(f"[[{target}|{(label if bar else target).replace(' ', '-')}]]")
        last = match.end()
    return "".join(out) + name[last:].replace(" ", "-")
