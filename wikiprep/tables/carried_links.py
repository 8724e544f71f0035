"""How the links of a text from elsewhere were carried to the vocabulary: a row a target, and a look-up of it.

carried_links.parquet is for people; carried_links.marisa says to the records what a target means.
"""

from collections import Counter
from collections.abc import Mapping
from pathlib import Path
from typing import Any

import marisa_trie
import pyarrow as pa

from wikiprep.counts import Count, Equation
from wikiprep.storage.parquet_files import RowGroupWriter
from wikiprep.tables.titles_to_vocabulary import BY_QID, BY_REDIRECT, BY_TITLE, LOST, Carrier

CARRIED, CARRIED_MAP = "carried_links.parquet", "carried_links.marisa"
LINKS = Count("carried.links", "Links of the text.")
BY_WAY = {
    BY_QID: Count("carried.qid", "Links whose item an entity of the vocabulary has."),
    BY_TITLE: Count("carried.title", "Links whose target is an entity's title."),
    BY_REDIRECT: Count("carried.redirect", "Links that a redirect leads to an entity."),
    LOST: Count("carried.lost", "Links to what is no entity of the vocabulary."),
}
CARRIED_LINKS = Equation("links carried to the vocabulary", LINKS, tuple(BY_WAY.values()))


def carried_schema() -> pa.Schema:
    """CARRIED: a row a target of links, by title. `entity`: the vocabulary's title for it, null if it is lost; `way`:
    qid, title, redirect or lost; `links`: to it."""
    return pa.schema(
        [("target", pa.string()), ("qid", pa.string()), ("way", pa.string()), ("entity", pa.string()),
         ("links", pa.int64())],
        metadata={b"wikiprep.schema": b"carried-links/1"},
    )  # fmt: skip


def write_carried(links: Mapping[str, int], items: Mapping[str, str], carrier: Carrier, folder: Path) -> Counter[Count]:
    """Carry the targets of `links` (target -> number), with the items that the text gives them; write both files.

    Returns the links by CARRIED_LINKS.
    """
    rows = []
    counts = Counter(dict.fromkeys(BY_WAY.values(), 0))
    for target, number in sorted(links.items()):
        entity = carrier.find(target, items.get(target))
        way = LOST if entity is None else entity.way
        counts[BY_WAY[way]] += number
        rows.append((target, items.get(target), way, None if entity is None else entity.title, number))
    counts[LINKS] = sum(links.values())
    schema = carried_schema()
    writer = RowGroupWriter(folder / CARRIED, schema, dictionary=("way",))
    columns = list(zip(*rows, strict=True)) or [()] * len(schema)
    arrays = [pa.array(values, field.type) for values, field in zip(columns, schema, strict=True)]
    writer.add(pa.Table.from_arrays(arrays, schema=schema))
    writer.close()
    marisa_trie.BytesTrie((row[0], (row[3] or "").encode()) for row in rows).save(str(folder / CARRIED_MAP))
    return counts


class CarriedLinks:
    """Look-ups in CARRIED_MAP."""

    def __init__(self, trie: Any) -> None:
        self._trie = trie

    @classmethod
    def open(cls, folder: Path) -> "CarriedLinks":
        """Map the file in `folder`."""
        trie = marisa_trie.BytesTrie()
        trie.mmap(str(folder / CARRIED_MAP))
        return cls(trie)

    def entity(self, target: str) -> str | None:
        """The vocabulary's title for a target; None for a lost one, and for what no link has as target."""
        values = self._trie.get(target)
        return values[0].decode() or None if values else None
