"""The relations of a record as a person reads them: head, property, tail, a line each."""

from collections.abc import Callable, Iterator, Mapping
from typing import Any

from wikiprep.corpus.added import DENSIFIED, SUBJECT
from wikiprep.files import Store
from wikiprep.tables.parquet_files import read_parquet
from wikiprep.tables.relation_vocab import RELATION_VOCAB

_SOURCES = {DENSIFIED: "densified", SUBJECT: "the page's subject"}


def relation_labels(store: Store) -> dict[int, str]:
    """Label of each property of the relation vocabulary; those without one, and corpora without relations, left out."""
    path = f"tables/{RELATION_VOCAB}"
    if store.size(path) is None:
        return {}
    table = read_parquet(store, path, ["property", "label"])
    pairs = zip(table["property"].to_pylist(), table["label"].to_pylist(), strict=True)
    return {prop: label for prop, label in pairs if label}


def relation_lines(
    record: Mapping[str, Any], title: Callable[[int], str], labels: Mapping[int, str]
) -> Iterator[tuple[str, str, str, str]]:
    """Head, property, tail and a remark of each relation; none for a record without the column."""
    items = record.get("entity_qids")

    def name(mention: int) -> str:
        entity = title(record["entity_ids"][mention])
        return f"{entity} Q{items[mention]}" if items and entity == "[UNK]" else entity

    for relation in record.get("relations") or ():
        prop = f"P{relation['property']}"
        label = labels.get(relation["property"])
        remarks = ["preferred"] if relation["rank"] else []
        remarks += [_SOURCES[relation["source"]]] if relation["source"] in _SOURCES else []
        shown = f"{label} ({prop})" if label else prop
        yield name(relation["head"]), shown, name(relation["tail"]), ", ".join(remarks)
