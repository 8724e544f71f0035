"""Language variants: `-{zh-hans:…;zh-hant:…}-` shows one of its forms, and rules for the whole page show nothing.

As MediaWiki's ConverterRule does it for a reader who chose no variant. Two differences: rules for the whole page
(`-{A|…}-`, `-{H|…}-`) do not change other words, and a `-{` that nothing closes leaves no brackets.

MediaWiki reads links before variants, and no title has braces: `[[-{甲}-|label]]` is no link. A mark in the target says
so to `LinkReader`.
"""

import functools
import re
from collections import Counter
from dataclasses import dataclass

import orjson

from wikiprep.languages.language import DATA
from wikiprep.wikitext.marks import NOTHING

_EDGE = re.compile(r"(-\{|\}-)")
_DEPTH = 10  # MediaWiki's own limit; deeper ones are read as text
_COVERED = re.compile(r"\[\[[^\[\]]*\]\]")
_END_OF_TARGET = re.compile(r"[|\n]|\]\]")


@dataclass(frozen=True)
class Variants:
    """One language's variants. `main` is the one its readers get."""

    main: str
    names: dict[str, str]
    fallback: tuple[str, ...]  # of the main one
    codes: dict[str, str]  # as a rule may name a variant, lower case -> variant
    flags: dict[str, str]
    shows_first: bool  # where a rule has nothing for the main variant, its first form is shown
    separator: re.Pattern[str]


@functools.cache
def variants_of(code: str) -> Variants | None:
    """The variants of a language; None where it has none and `-{` is text."""
    found = orjson.loads((DATA / "variants.json").read_bytes()).get(code)
    if found is None:
        return None
    names = "|".join(sorted(map(re.escape, found["codes"]), key=len, reverse=True))
    return Variants(
        main=found["main"],
        names=found["variants"],
        fallback=tuple(found["fallbacks"].get(found["main"], ())),
        codes=found["codes"],
        flags=found["flags"],
        shows_first=found["main"] in found["disabled"],
        separator=re.compile(rf";\s*+(?=(?i:{names})\s*:|[^;]*?=>\s*(?i:{names})\s*:|\Z)"),
    )


def strip_variants(text: str, code: str, links: Counter[str], flags: Counter[str]) -> str:
    """The text with variant markup resolved; links in forms that are not shown are counted as `variant`."""
    if (variants := variants_of(code)) is None or "-{" not in text:
        return text
    stack: list[list[str]] = [[]]
    in_target = [False]  # whether the level's text so far ends in the target of a link
    before = text.count("[[")
    for i, piece in enumerate(_EDGE.split(text)):
        if i % 2 == 0:
            stack[-1].append(piece)
            opening = piece.rfind("[[")
            if opening >= 0 or in_target[-1]:
                in_target[-1] = _END_OF_TARGET.search(piece, opening + 2 if opening >= 0 else 0) is None
        elif piece == "-{":
            if len(stack) > _DEPTH:
                flags["limit:variant depth"] += 1
            else:
                if in_target[-1]:
                    stack[-1].append(NOTHING)
                stack.append([])
                in_target.append(False)
        elif len(stack) > 1:
            shown = _shown("".join(stack.pop()), variants)
            in_target.pop()
            # MediaWiki reads links before rules: no letter joins a link across the edge of one.
            if stack[-1][-1].endswith("]]"):
                stack[-1].append(NOTHING)
            stack[-1].append(shown + NOTHING if shown.endswith("]]") else shown)
            opening = shown.rfind("[[")
            if opening >= 0 and _END_OF_TARGET.search(shown, opening + 2) is None:  # the target goes on behind the rule
                stack[-1].append(NOTHING)
                in_target[-1] = True
        else:
            stack[-1].append(piece)
    if len(stack) > 1:
        flags["unclosed:variant"] += len(stack) - 1
    text = "".join("".join(parts) for parts in stack)
    if lost := before - text.count("[["):
        links["found"] += lost
        links["variant"] += lost
    return text


def _shown(inside: str, variants: Variants) -> str:
    flags: set[str] = set()
    bar = inside.find("|")
    if bar >= 0 and "[[" in inside:  # a link's own bar is none
        bar = _COVERED.sub(lambda match: match[0].replace("|", " "), inside).find("|")
    if bar >= 0:
        given = {flag.strip() for flag in inside[:bar].split(";")}
        flags = {variants.flags[flag] for flag in given if flag in variants.flags}
        inside = inside[bar + 1 :]
        if "R" in flags or (given & variants.names.keys() and not flags & set("N-TH")):
            return inside
    if "N" in flags:
        return variants.names.get(inside.strip(), "")
    if flags & set("-H") or flags == {"T"}:
        return ""
    both, one_way = _rules(inside, variants)
    if not both and not one_way:
        return "" if flags == {"T"} else inside
    if "T" in flags:
        return ""
    if "D" in flags:
        pairs = [*both.items(), *((v, form) for v, forms in one_way.items() for form in forms)]
        return "".join(f"{variants.names[v]}：{form}；" for v, form in pairs)
    for name in (variants.main, *variants.fallback):
        if name in both:
            return both[name]
    if variants.main in one_way:
        return one_way[variants.main][0]
    if variants.shows_first:
        return next(iter(both.values()), "") or next(iter(one_way.values()))[0]
    return ""


def _rules(inside: str, variants: Variants) -> tuple[dict[str, str], dict[str, list[str]]]:
    """(form by variant, forms by variant of `from=>variant:to` rules); both empty where one names no variant."""
    both: dict[str, str] = {}
    one_way: dict[str, list[str]] = {}
    for choice in variants.separator.split(inside):
        name, colon, form = choice.partition(":")
        if not colon:
            continue
        source, arrow, target = name.partition("=>")
        variant = variants.codes.get((target if arrow else name).strip().lower())
        if variant is None:
            return {}, {}
        if arrow and source.strip():
            one_way.setdefault(variant, []).append(form.strip())
        elif not arrow and form.strip():
            both[variant] = form.strip()
    return both, one_way
