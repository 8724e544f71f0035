"""Which plural form a number takes: CLDR's rules, as MediaWiki 1.39 ships them (`plurals.json`, generate_formats.py).

The rules' language is that of Unicode Technical Standard 35, part 3, "Language Plural Rules".
"""

import functools
import re
from fractions import Fraction

import orjson

from wikiprep.languages.language import DATA, language

_RELATION = re.compile(r"([nivwft])(?: % (\d+))? (!?=) ([\d.,]+)")
# One relation: operand, modulus (0: none), whether it holds or must not, ranges as (first, last).
_Relation = tuple[str, int, bool, tuple[tuple[int, int], ...]]
_Rule = tuple[tuple[_Relation, ...], ...]  # any of these, all of each


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
