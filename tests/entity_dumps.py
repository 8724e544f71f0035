"""Small Wikidata dumps made in memory, for the tests of this folder and of the stage."""

import bz2
import gzip
import json
import lzma
from collections.abc import Sequence
from pathlib import Path
from typing import Any

import zstandard

from wikiprep.wikidata.json_dump_files import find_files, plan_entity_ranges
from wikiprep.wikidata.lines import Line, LineReader, UnusableLine

Json = dict[str, Any]


def snak(prop: str, value: Any, kind: str = "value") -> Json:
    """A snak; `value` is "Q5" for an item, or any other text for a string."""
    made: Json = {"snaktype": kind, "property": prop, "datatype": "wikibase-item"}
    if kind == "value":
        is_item = isinstance(value, str) and value[:1] == "Q" and value[1:].isdigit()
        inner = {"entity-type": "item", "numeric-id": int(value[1:]), "id": value} if is_item else value
        made["datavalue"] = {"value": inner, "type": "wikibase-entityid" if is_item else "string"}
    return made


def statement(prop: str, value: Any, rank: str = "normal", kind: str = "value", **qualifiers: Any) -> Json:
    """A statement of an item."""
    made: Json = {"mainsnak": snak(prop, value, kind), "type": "statement", "id": "x", "rank": rank}
    if qualifiers:
        made["qualifiers"] = {p: [snak(p, v) for v in values] for p, values in qualifiers.items()}
    return made


def item(number: int, *statements: Json, wiki: str = "enwiki", title: str | None = None, **fields: Any) -> Json:
    """An item as the dump has it; `title` None: without a sitelink."""
    claims: dict[str, list[Json]] = {}
    for made in statements:
        claims.setdefault(made["mainsnak"]["property"], []).append(made)
    sitelinks = {wiki: {"site": wiki, "title": title, "badges": []}} if title is not None else {}
    return {
        "type": "item",
        "id": f"Q{number}",
        "labels": {"en": {"language": "en", "value": f"label {number}"}},
        "descriptions": {},
        "aliases": {},
        "claims": claims or [],
        "sitelinks": sitelinks or [],
        "lastrevid": 12345 + number,
    } | fields


def prop(number: int, *statements: Json, label: str = "", **fields: Any) -> Json:
    """A property as the dump has it."""
    made = item(number, *statements) | {"type": "property", "id": f"P{number}", "datatype": "wikibase-item"}
    del made["sitelinks"]
    return made | {"labels": {"en": {"language": "en", "value": label or f"property {number}"}}} | fields


def compact(entity: Any) -> bytes:
    """As the dump writes it: no spaces, ASCII only."""
    return json.dumps(entity, separators=(",", ":")).encode()


def array(entities: Sequence[Any]) -> bytes:
    """The dump's own layout: an array with one entity a line."""
    return b"[\n" + b",\n".join(map(compact, entities)) + b"\n]\n"


def packed(data: bytes, kind: str, parts: int = 3) -> bytes:
    """`data` as a file of that kind; "multi" is bz2 of several streams."""
    if kind == "multi":
        step = len(data) // parts + 1
        return b"".join(bz2.compress(data[i : i + step], 1) for i in range(0, len(data), step))
    makers = {
        "plain": lambda d: d,
        "bz2": lambda d: bz2.compress(d, 1),
        "gz": gzip.compress,
        "xz": lzma.compress,
        "zst": zstandard.compress,
    }
    return makers[kind](data)


def read(path: Path, range_bytes: int = 1 << 30, **options: Any) -> list[Any]:
    """All that the ranges of a file give, in order, blank lines and brackets left out; numbers made the file's."""
    found: list[Any] = []
    lines = size = 0
    for range_ in plan_entity_ranges(find_files(str(path)), range_bytes):
        reader = LineReader(range_, **options)
        for line in reader:
            if isinstance(line, Line):
                if line.data.strip(b" \t\r\n[],"):
                    found.append(Line(lines + line.number, size + line.offset, line.data))
            elif isinstance(line, UnusableLine):
                found.append(UnusableLine(lines + line.number, size + line.offset, line.reason, line.detail))
            else:
                found.append(line)
        lines += reader.lines
        size += reader.size
    return found
