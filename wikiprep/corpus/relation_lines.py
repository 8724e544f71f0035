"""Records with their relations as plain data: names and characters instead of ids and tokens, for any other tool."""

from collections.abc import Callable, Iterator, Mapping
from dataclasses import dataclass
from typing import Any

import numpy as np
import numpy.typing as npt
import pyarrow as pa

from wikiprep.corpus.spans import DENSIFIED, LINK, SUBJECT
from wikiprep.wikidata.statements import NORMAL, PREFERRED

TEXT_COLUMNS = ("text", "sentence_char_starts", "entity_char_starts", "entity_char_ends")
SOURCES = {LINK: "link", DENSIFIED: "densified", SUBJECT: "subject"}
RANKS = {NORMAL: "normal", PREFERRED: "preferred"}
_COLUMNS = (
    *("page_id", "revision_id", "title", "qid", "ordinal", "entity_ids", "entity_sources", "relations"),
    *TEXT_COLUMNS,
)


@dataclass(frozen=True, slots=True)
class Names:
    """What ids stand for in the lines.

    `titles` of entity ids, `items` of them as in `open_entity_items`, `labels` of properties (17: "country"), `url` of
    a page's title.
    """

    titles: Callable[[int], str]
    items: npt.NDArray[np.int64]
    labels: Mapping[int, str | None]
    url: Callable[[str], str | None]


def relation_lines(batch: pa.RecordBatch, names: Names, *, unrelated: bool) -> Iterator[dict[str, Any]]:
    """An object for each record of the batch that has a relation, with `unrelated` for each record.

    The batch has the columns `relations` and TEXT_COLUMNS. Positions are code points of `text`, ends exclusive; a
    relation's `head` and `tail` are places in `entities`. A mention that is [UNK] has the item that `entity_qids` gives
    it, or none.
    """
    own_items = "entity_qids" in batch.schema.names
    columns = [name for name in (*_COLUMNS, "entity_qids") if name in batch.schema.names]
    for row in batch.select(columns).to_pylist():
        if not row["relations"] and not unrelated:
            continue
        items = row["entity_qids"] if own_items else names.items[row["entity_ids"]].tolist()
        places = zip(row["entity_char_starts"], row["entity_char_ends"], strict=True)
        entities = [
            {
                "start": start,
                "end": end,
                "qid": _qid(item),
                "title": names.titles(entity),
                "entity_id": entity,
                "source": SOURCES[source],
            }
            for (start, end), item, entity, source in zip(
                places, items, row["entity_ids"], row["entity_sources"], strict=True
            )
        ]
        yield {
            "page_id": row["page_id"],
            "revision_id": row["revision_id"],
            "title": row["title"],
            "qid": row["qid"],
            "url": names.url(row["title"]),
            "ordinal": row["ordinal"],
            "text": row["text"],
            "sentence_starts": row["sentence_char_starts"],
            "entities": entities,
            "relations": [_relation_object(relation, items, names) for relation in row["relations"]],
        }


def _relation_object(relation: Mapping[str, int], items: list[int], names: Names) -> dict[str, Any]:
    return {
        "head": relation["head"],
        "tail": relation["tail"],
        "head_qid": _qid(items[relation["head"]]),
        "property": f"P{relation['property']}",
        "tail_qid": _qid(items[relation["tail"]]),
        "label": names.labels.get(relation["property"]),
        "rank": RANKS[relation["rank"]],
        "source": SOURCES[relation["source"]],
    }


def _qid(item: int) -> str | None:
    return f"Q{item}" if item >= 0 else None
