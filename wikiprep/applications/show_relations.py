"""The relations of a record as a person reads them: head, property, tail, a line each."""

from collections.abc import Callable, Iterator, Mapping
from typing import Any

from wikiprep.corpus.added import DENSIFIED, SUBJECT

_SOURCES = {DENSIFIED: "densified", SUBJECT: "the page's subject"}


def relation_lines(
    record: Mapping[str, Any], title: Callable[[int], str], label: Callable[[str], str | None] | None
) -> Iterator[tuple[str, str, str, str]]:
    """Head, property, tail and a remark of each relation; none for a record without the column."""
    items = record.get("entity_qids")

    def name(mention: int) -> str:
        entity = title(record["entity_ids"][mention])
        return f"{entity} Q{items[mention]}" if items and entity == "[UNK]" else entity

    for relation in record.get("relations") or ():
        prop = f"P{relation['property']}"
        label_text = label(prop) if label is not None else None
        remarks = ["preferred"] if relation["rank"] else []
        remarks += [_SOURCES[relation["source"]]] if relation["source"] in _SOURCES else []
        property_text = f"{label_text} ({prop})" if label_text else prop
        yield name(relation["head"]), property_text, name(relation["tail"]), ", ".join(remarks)
