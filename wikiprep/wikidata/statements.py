"""Wikidata's statements as triples between items, by its own "truthy" rules.

For each property the best rank counts: the preferred statements, or the normal ones where none is preferred; a
deprecated one never does (https://www.mediawiki.org/wiki/Wikibase/Indexing/RDF_Dump_Format#Truthy_statements).
"No value" and "some value" of preferred rank push normal ones aside like any other. A malformed statement is left out
before ranks are compared: it is no evidence. Every statement is counted once, under why it is kept or not.
"""

import re
from collections import Counter
from dataclasses import dataclass
from typing import Any

from wikiprep.counts import Count, Equation, Reasons

READ = Count("statements.read", "Statements of items with a page in this wiki.")
KEPT = Count("statements.kept", "Statements that are triples between items, by Wikidata's own rules of rank.")
DROPPED = Reasons(
    "statements.dropped.",
    "Statements that are none.",
    **{
        "deprecated": "Of the rank deprecated.",
        "not best rank": "Of the rank normal, beside one that is preferred.",
        "not an item": "The value is no item: a date, a string, a file.",
        "some value": "The value is unknown.",
        "no value": "There is said to be no value.",
        "same triple again": "Another statement says the same.",
    },
)
REJECTED = Reasons("statements.rejected.", "Statements that are not as Wikibase writes them.")
STATEMENTS = Equation("statements of items with a page", READ, (KEPT, DROPPED, REJECTED))
NORMAL, PREFERRED = 0, 1
LARGEST_ITEM = (1 << 32) - 1  # pairs of items are looked up as one 64-bit number; Wikidata is at 140 million
_RANKS = {"deprecated": -1, "normal": NORMAL, "preferred": PREFERRED}
_PROPERTY = re.compile(r"P([1-9]\d{0,8})")
_ITEM = re.compile(r"Q([1-9]\d{0,17})")


@dataclass(frozen=True, slots=True, order=True)
class ItemTriple:
    """A statement about the item it belongs to: `property` P31 as 31, `tail` Q5 as 5, `rank` NORMAL or PREFERRED."""

    property: int
    tail: int
    rank: int


class _Malformed(Exception):
    """With the reason."""


# Stands for a value that is no item; the text is the count's name.
_Other = str


def triples_of(claims: Any, counts: Counter[Count]) -> list[ItemTriple]:
    """The truthy triples in an entity's `claims`, in order of property and tail, each once.

    Adds to `counts`, which close by STATEMENTS. `claims` may be a map, or an empty list, null or missing.
    """
    triples: list[ItemTriple] = []
    for key, group in _groups(claims, counts):
        number = _PROPERTY.fullmatch(key)
        best = NORMAL
        ranked_values: list[tuple[int, int | _Other]] = []
        for statement in group:
            counts[READ] += 1
            try:
                if number is None:
                    raise _Malformed("bad property")
                rank, value = _read(statement)
            except _Malformed as problem:
                counts[REJECTED.of(str(problem))] += 1
                continue
            best = max(best, rank)
            ranked_values.append((rank, value))
        seen: set[int] = set()
        for rank, value in ranked_values:
            if rank < NORMAL:
                counts[DROPPED.of("deprecated")] += 1
            elif rank < best:
                counts[DROPPED.of("not best rank")] += 1
            elif isinstance(value, str):
                counts[DROPPED.of(value)] += 1
            elif value in seen:
                counts[DROPPED.of("same triple again")] += 1
            else:
                assert number is not None
                seen.add(value)
                counts[KEPT] += 1
                triples.append(ItemTriple(int(number[1]), value, rank))
    return sorted(triples)


def _groups(claims: Any, counts: Counter[Count]) -> list[tuple[str, list[Any]]]:
    """(property, its statements); what is neither a map nor empty is a malformed statement of its own."""
    if not claims:
        return []
    if not isinstance(claims, dict):
        counts[READ] += 1
        counts[REJECTED.of("claims are no map")] += 1
        return []
    groups = []
    for key, group in claims.items():
        if isinstance(group, list):
            groups.append((key, group))
        elif group:
            groups.append((key, [group]))
    return groups


def _read(statement: Any) -> tuple[int, int | _Other]:
    """(rank, item or why it is none) of a statement."""
    if not isinstance(statement, dict):
        raise _Malformed("not an object")
    rank = statement.get("rank", "normal")
    if not isinstance(rank, str) or rank not in _RANKS:
        raise _Malformed("unknown rank")
    return _RANKS[rank], snak_value(statement.get("mainsnak"))


def snak_value(snak: Any) -> int | _Other:
    """The item that a snak names, or "some value", "no value", "not an item". Raises for a malformed one."""
    if not isinstance(snak, dict):
        raise _Malformed("no snak")
    kind = snak.get("snaktype")
    if kind == "value":
        data = snak.get("datavalue")
        if not isinstance(data, dict):
            raise _Malformed("no datavalue")
        if data.get("type") != "wikibase-entityid":
            if not isinstance(data.get("type"), str):
                raise _Malformed("value of no type")
            return "not an item"
        return _item(data.get("value"))
    if kind == "somevalue":
        return "some value"
    if kind == "novalue":
        return "no value"
    raise _Malformed("unknown snak type")


def _item(value: Any) -> int | _Other:
    """`id` is in every dump since 2017, `numeric-id` in those before."""
    if not isinstance(value, dict):
        raise _Malformed("entity is no object")
    name, number = value.get("id"), value.get("numeric-id")
    if isinstance(name, str):
        match = _ITEM.fullmatch(name)
        if match is None:
            if re.fullmatch(r"[PLEM][1-9]\d*(-[FS]\d+)?", name):
                return "not an item"
            raise _Malformed("bad entity id")
        number = int(match[1])
    elif value.get("entity-type") == "property":
        return "not an item"
    elif type(number) is not int or value.get("entity-type") != "item":
        raise _Malformed("bad entity id")
    if not 0 < number <= LARGEST_ITEM:
        raise _Malformed("item id too large")
    return number


def qualified_items(statements: Any, value: int, qualifier: str) -> list[int]:
    """Items that `qualifier` names in the statements whose value is the item `value`, deprecated ones left out."""
    items: set[int] = set()
    for statement in statements if isinstance(statements, list) else []:
        try:
            rank, main = _read(statement)
            qualifiers = statement.get("qualifiers")
            if rank < NORMAL or main != value or not isinstance(qualifiers, dict):
                continue
            values = [snak_value(snak) for snak in qualifiers.get(qualifier) or []]
        except (_Malformed, TypeError):
            continue  # a note about a property, not data: what cannot be read is not noted
        items.update(item for item in values if isinstance(item, int))
    return sorted(items)


def named_properties(statements: Any) -> list[int]:
    """Properties that the truthy statements of one property name as their value."""
    by_rank: dict[int, set[int]] = {NORMAL: set(), PREFERRED: set()}
    for statement in statements if isinstance(statements, list) else []:
        try:
            rank = _read(statement)[0]
            name = statement["mainsnak"]["datavalue"]["value"]
            name = name.get("id") or f"P{name.get('numeric-id')}"
        except (_Malformed, KeyError, TypeError, AttributeError):
            continue
        match = _PROPERTY.fullmatch(name) if isinstance(name, str) else None
        if match and rank >= NORMAL:
            by_rank[rank].add(int(match[1]))
    return sorted(by_rank[PREFERRED] or by_rank[NORMAL])
