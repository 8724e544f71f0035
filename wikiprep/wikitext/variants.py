"""Language variants: `-{zh-hans:…;zh-hant:…}-` shows one of its forms, and rules for the whole page show nothing.

As ConverterRule of MediaWiki does it for a reader who chose no variant, or one (one_variant.py): rules for the page
(`-{A|…}-`, `-{H|…}-`) change other words for the latter alone. A `-{` that nothing closes leaves no brackets.

MediaWiki reads links before variants, and no title has braces: `[[-{甲}-|label]]` is no link. A mark in the target says
so to `LinkReader`.
"""

import functools
import re
from collections import Counter
from dataclasses import dataclass

import orjson

from wikiprep.errors import UsageError
from wikiprep.languages.converter import converter_of
from wikiprep.languages.language import DATA, content_language
from wikiprep.wikitext.control_marks import NOTHING
from wikiprep.wikitext.one_variant import PageVariant

_EDGE = re.compile(r"(-\{|\}-)")
_DEPTH = 10  # MediaWiki's own limit; deeper ones are read as text
_COVERED = re.compile(r"\[\[[^\[\]]*\]\]")
_END_OF_TARGET = re.compile(r"[|\n]|\]\]")


@dataclass(frozen=True)
class Variants:
    """One language's variants. `main` is the one its readers get, or the one that a reader chose."""

    code: str
    main: str
    names: dict[str, str]
    fallbacks: dict[str, tuple[str, ...]]
    codes: dict[str, str]  # as a rule may name a variant, lower case -> variant
    flags: dict[str, str]
    shows_first: bool  # where a rule has nothing for the main variant, its first form is shown
    separator: re.Pattern[str]


@functools.cache
def variants_of(code: str, chosen_variant: str | None = None) -> Variants | None:
    """The variants of a language, for a reader who chose one; None where it has none and `-{` is text."""
    facts = orjson.loads((DATA / "variants.json").read_bytes()).get(code)
    if facts is None:
        return None
    names = "|".join(sorted(map(re.escape, facts["codes"]), key=len, reverse=True))
    own = (facts["main"],)
    return Variants(
        code=code,
        main=chosen_variant or facts["main"],
        names=facts["variants"],
        fallbacks={variant: tuple(facts["fallbacks"].get(variant, own)) for variant in facts["variants"]},
        codes=facts["codes"],
        flags=facts["flags"],
        shows_first=(chosen_variant or facts["main"]) in facts["disabled"],
        separator=re.compile(rf";\s*+(?=(?i:{names})\s*:|[^;]*?=>\s*(?i:{names})\s*:|\Z)"),
    )


def require_variant(language: str, variant: str) -> str:
    """The variant's code as MediaWiki has it (zh-hans for zh-Hans too).

    Raises UsageError where the language's text cannot be written in it, with those that it can be.
    """
    language = content_language(language)
    variants, converter = variants_of(language), converter_of(language)
    if variants is None or converter is None:
        what = "its variants need ICU's transliterator" if variants else "MediaWiki writes it in one script"
        raise UsageError(f"--variant {variant}: the wiki's language is {language}, and {what}", "leave the option out")
    code = variants.codes.get(variant.strip().lower().replace("_", "-"))
    if code is None:
        known_variants = ", ".join(converter.variants)
        raise UsageError(
            f"--variant {variant}: the language {language} has no such variant", f"it has {known_variants}"
        )
    return code


def strip_variants(
    text: str, code: str, links: Counter[str], flags: Counter[str], page: PageVariant | None = None
) -> str:
    """The text with variant markup resolved; links in forms that are not shown are counted as `variant`.

    `page`: of a reader who chose a variant, who hears of rules for the page and of what is to stay as it is.
    """
    if (variants := variants_of(code, page.variant if page else None)) is None or "-{" not in text:
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
            form = _resolve_markup("".join(stack.pop()), variants, page)
            if page is not None:
                form = page.form(form)
            in_target.pop()
            if not form and (not stack[-1][-1] or stack[-1][-1].endswith("\n")):
                form = NOTHING  # MediaWiki reads lines before rules: this one is not blank and begins with no mark
            # MediaWiki reads links before rules: no letter joins a link across the edge of one.
            if stack[-1][-1].endswith("]]"):
                stack[-1].append(NOTHING)
            stack[-1].append(form + NOTHING if form.endswith("]]") else form)
            opening = form.rfind("[[")
            if opening >= 0 and _END_OF_TARGET.search(form, opening + 2) is None:  # the target goes on behind the rule
                stack[-1].append(NOTHING)
                in_target[-1] = True
        else:
            stack[-1].append(piece)
    if len(stack) > 1:
        flags["unclosed:variant"] += len(stack) - 1
    text = "".join("".join(parts) for parts in stack)
    if lost_links := before - text.count("[["):
        links["found"] += lost_links
        links["variant"] += lost_links
    return text


def _resolve_markup(inside: str, variants: Variants, page: PageVariant | None) -> str:
    flags: set[str] = set()
    bar = inside.find("|")
    if bar >= 0 and "[[" in inside:  # a link's own bar is none
        bar = _COVERED.sub(lambda match: match[0].replace("|", " "), inside).find("|")
    if bar >= 0:
        head_words = {flag.strip() for flag in inside[:bar].split(";")}
        flags = {variants.flags[flag] for flag in head_words if flag in variants.flags}
        inside = inside[bar + 1 :]
        if "R" in flags:
            return inside
        if (named_variants := head_words & variants.names.keys()) and not flags & set("N-TH"):
            return _convert_for_reader(inside, named_variants, variants)
    if "N" in flags:
        return variants.names.get(inside.strip(), "")
    if page is not None and flags & set("-HA"):
        page.add(*_read_rules(inside, variants), inside, remove="-" in flags)
    if flags & set("-H") or flags == {"T"}:
        return ""
    both, one_way = _read_rules(inside, variants)
    if not both and not one_way:
        return "" if flags == {"T"} else inside
    if "T" in flags:
        return ""
    if "D" in flags:
        pairs = [*both.items(), *((v, form) for v, forms in one_way.items() for form in forms.values())]
        return "".join(f"{variants.names[v]}：{form}；" for v, form in pairs)
    for name in (variants.main, *variants.fallbacks[variants.main]):
        if name in both:
            return both[name]
    if variants.main in one_way:
        return next(iter(one_way[variants.main].values()))
    if variants.shows_first:
        return next(iter(both.values()), "") or next(form for forms in one_way.values() for form in forms.values())
    return ""


def _convert_for_reader(text: str, variant_names: set[str], variants: Variants) -> str:
    """`-{zh-hans;zh-hant|text}-`: in the reader's variant if it is named, else in its first fallback that is."""
    variant = next(
        (name for name in (variants.main, *variants.fallbacks[variants.main]) if name in variant_names), None
    )
    converter = converter_of(variants.code)
    return text if variant is None or converter is None else converter.convert(text, variant)


def _read_rules(inside: str, variants: Variants) -> tuple[dict[str, str], dict[str, dict[str, str]]]:
    """(form by variant, {from: to} by variant of `from=>variant:to` rules); both empty where one names no variant."""
    both: dict[str, str] = {}
    one_way: dict[str, dict[str, str]] = {}
    for choice in variants.separator.split(inside):
        name, colon, form = choice.partition(":")
        if not colon:
            continue
        source, arrow, target = name.partition("=>")
        variant = variants.codes.get((target if arrow else name).strip().lower())
        if variant is None:
            return {}, {}
        if arrow and source.strip():
            one_way.setdefault(variant, {})[source.strip()] = form.strip()
        elif not arrow and form.strip():
            both[variant] = form.strip()
    return both, one_way
