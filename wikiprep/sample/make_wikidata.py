"""The sample's part of Wikidata's JSON dump, from `wikidata.txt` and the sample's pages (`make_dump.py` writes it).

Every page of the main namespace that is no redirect has an item, and so has one redirect. Numbers of items are the
sample's own (900,000,000 and the page id), which no item of Wikidata has; those of properties are Wikidata's.
"""

import json
import re
from collections.abc import Iterator
from typing import Any

from wikiprep.sample import HERE
from wikiprep.sample.make_dump import SamplePage, read_pages

SOURCE = HERE / "wikidata.txt"
FIRST_ITEM = 900_000_000
OWN_ITEM = "Great Red Spot"  # a redirect to a section, with an item of its own
CLASS = ("Q4167410", "Wikimedia disambiguation page")  # of no page: a reader skips it by its bytes
RANKS = ("normal", "preferred", "deprecated")

Json = dict[str, Any]


def make_wikidata() -> str:
    """The dump: an array with an entity a line. Raises ValueError for a line that says nothing of the sample."""
    pages = read_pages(sorted((HERE / "pages").glob("*.txt")))
    pages = [p for p in pages if not p.namespace and (not p.redirect or p.title == OWN_ITEM)]
    items = {page.title: _item(page) for page in pages}
    properties: list[Json] = []
    for number, line in enumerate(SOURCE.read_text(encoding="utf-8").splitlines(), 1):
        cells = [cell.strip() for cell in line.split("|")]
        if not line or line.startswith("#"):
            continue
        try:
            if re.fullmatch(r"P\d+", cells[0]):
                properties.append(_property(*cells))
            else:
                _add_statements(items, *cells)
        except (KeyError, TypeError, ValueError) as error:
            raise ValueError(f"{SOURCE.name}, line {number}: {line!r} ({error!r})") from error
    entities = [*items.values(), _entity("item", *CLASS) | {"sitelinks": {}}, *properties]
    return "[\n" + ",\n".join(map(_compact, entities)) + "\n]\n"


def _item(page: SamplePage) -> Json:
    label = re.sub(r" \(.*\)$", "", page.title)
    return {
        **_entity("item", f"Q{FIRST_ITEM + page.page_id}", label),
        "sitelinks": {"samplewiki": {"site": "samplewiki", "title": page.title, "badges": []}},
    }


def _property(name: str, label: str, description: str, inverse: str = "") -> Json:
    entity = _entity("property", name, label) | {"datatype": "wikibase-item"}
    entity["descriptions"] = {"en": {"language": "en", "value": description}}
    if inverse:
        value = {"entity-type": "property", "numeric-id": int(inverse[1:]), "id": inverse}
        entity["claims"] = {"P1696": [_statement(name, "P1696", value, "wikibase-property", "normal", 1)]}
    return entity


def _entity(kind: str, name: str, label: str) -> Json:
    labels = {"en": {"language": "en", "value": label}}
    return {"type": kind, "id": name, "labels": labels, "descriptions": {}, "aliases": {}, "claims": {}}


def _add_statements(items: dict[str, Json], title: str, prop: str, values: str, rank: str = "normal") -> None:
    if rank not in RANKS:
        raise ValueError(f"rank {rank}")
    item = items[title]
    claims = item["claims"].setdefault(prop, [])
    for target in _targets(values, items):
        number = len(claims) + 1
        value = {"entity-type": "item", "numeric-id": int(target[1:]), "id": target}
        claims.append(_statement(item["id"], prop, value, "wikibase-item", rank, number))


def _targets(values: str, items: dict[str, Json]) -> Iterator[str]:
    """The items that a list names; a title may have a comma of its own."""
    parts = values.split(", ")
    while parts:
        for size in range(len(parts), 0, -1):
            name = ", ".join(parts[:size])
            if name in items or re.fullmatch(r"Q\d+", name):
                yield items[name]["id"] if name in items else name
                del parts[:size]
                break
        else:
            raise ValueError(f"no page {parts[0]!r}")


def _statement(subject: str, prop: str, value: Json, datatype: str, rank: str, number: int) -> Json:
    data = {"value": value, "type": "wikibase-entityid"}
    snak = {"snaktype": "value", "property": prop, "datavalue": data, "datatype": datatype}
    return {"mainsnak": snak, "type": "statement", "id": f"{subject}${prop}-{number}", "rank": rank}


def _compact(entity: Json) -> str:
    return json.dumps(entity, separators=(",", ":"))
