"""Locale data of a language: which plural form a number takes, what "and" and "or" are, what parts of dates are called.

Plurals: CLDR's rules, as MediaWiki 1.39 ships them (`plurals.json`, generate_formats.py). The rules' language is that
of Unicode Technical Standard 35, part 3, "Language Plural Rules".

What stands between the last two things of a list: data/conjunctions.json has CLDR's words and MediaWiki's
(generate_conjunctions.py).

Short months and days, months of other calendars, as MediaWiki 1.39 has them: `dates.jsonl` (generate_formats.py) has
for each language what the first of those that it falls back on has not. It is read when the first page asks for it: few
do. Months and days in full: `words.Words.calendar`.
"""

import functools
import re
from fractions import Fraction
from pathlib import Path
from typing import Any

import orjson

from wikiprep.languages.language import DATA, language

_RELATION = re.compile(r"([nivwft])(?: % (\d+))? (!?=) ([\d.,]+)")
# One relation: operand, modulus (0: none), whether it holds or must not, ranges as (first, last).
_Relation = tuple[str, int, bool, tuple[tuple[int, int], ...]]
_Rule = tuple[tuple[_Relation, ...], ...]  # any of these, all of each
_FILE = Path(__file__).parent / "data" / "conjunctions.json"


@functools.cache
def _tables() -> dict[str, list[str]]:
    tables: dict[str, list[str]] = orjson.loads((DATA / "plurals.json").read_bytes())
    return tables


@functools.cache
def plural_rules(code: str) -> tuple[_Rule, ...]:
    """The rules of a language, tried in order; what none of them takes has the last form."""
    tables = _tables()
    own = language(code).code
    return tuple(_parse_rule(text) for text in tables.get(code, tables.get(own, tables["en"])))


def _parse_rule(text: str) -> _Rule:
    return tuple(tuple(_parse_relation(part) for part in every.split(" and ")) for every in text.split(" or "))


def _parse_relation(text: str) -> _Relation:
    match = _RELATION.fullmatch(text.strip())
    if match is None:
        raise ValueError(f"not a plural rule: {text}")
    operand, modulus, sign, values = match.groups()
    ranges = []
    for value in values.split(","):
        first, _, last = value.partition("..")
        ranges.append((int(first), int(last or first)))
    return operand, int(modulus or 0), sign == "=", tuple(ranges)


def plural_form(number: str, code: str) -> int:
    """The index of the form of `number` (digits 0-9, a point): the first rule that takes it, or one past the last."""
    operands = _operands(number.lstrip("-+"))
    rules = plural_rules(code)
    for index, rule in enumerate(rules):
        if any(all(_holds(relation, operands) for relation in every) for every in rule):
            return index
    return len(rules)


def _operands(number: str) -> dict[str, Fraction]:
    try:
        n = Fraction(number)
    except (ValueError, ZeroDivisionError):  # no number (`0/0` either), or one of thousands of digits
        n, number = Fraction(0), "0"
    whole, _, fraction = number.partition(".")
    significant = fraction.rstrip("0")
    return {
        "n": n,
        "i": Fraction(whole or 0),
        "v": Fraction(len(fraction)),
        "w": Fraction(len(significant)),
        "f": Fraction(fraction or 0),
        "t": Fraction(significant or 0),
    }


def _holds(relation: _Relation, operands: dict[str, Fraction]) -> bool:
    operand, modulus, expected, ranges = relation
    value = operands[operand]
    if modulus:
        value %= modulus
    return (value == int(value) and any(first <= value <= last for first, last in ranges)) == expected


@functools.cache
def conjunctions(code: str) -> tuple[str, ...]:
    """The words of the language, longest first, English ones among them; of the next language where it has none."""
    words_by_language: dict[str, list[str]] = orjson.loads(_FILE.read_bytes())
    chain = (code, *language(code).fallback, code.partition("-")[0])
    own = next((words_by_language[c] for c in chain if c in words_by_language), [])
    return tuple(sorted({*own, *words_by_language["en"]}, key=lambda word: (-len(word), word)))


@functools.cache
def _rows() -> dict[str, dict[str, Any]]:
    return {row["code"]: row for row in map(orjson.loads, (DATA / "dates.jsonl").read_bytes().splitlines())}


@functools.cache
def date_names(code: str, kind: str) -> tuple[str, ...]:
    """The names of one kind in a language.

    `short` (January first), `short_days` (Sunday first), `iranian`, `hijri`, `hebrew` and `hebrew_genitives` (14: Adar
    of common years is the sixth, those of leap years the last two).
    """
    own = language(code)
    rows = _rows()
    chain = (rows[c] for c in (code.lower(), own.code, *own.fallback, "en") if c in rows)
    return tuple(next(row[kind] for row in chain if kind in row))
