"""Wikidata's relations of a corpus: which properties there are, and what holds between two pages or items."""

from collections.abc import Iterator
from dataclasses import dataclass
from functools import cached_property
from pathlib import Path

import numpy as np

from wikiprep.api.items import Items, item_number
from wikiprep.errors import WikiprepError
from wikiprep.files import Store
from wikiprep.storage.parquet_files import read_parquet
from wikiprep.tables.relation_vocab import RELATION_VOCAB
from wikiprep.wikidata.lookups import Triples
from wikiprep.wikidata.triples_table import TRIPLE_ARRAYS

_ARRAYS, _VOCABULARY = f"tables/{TRIPLE_ARRAYS}", f"tables/{RELATION_VOCAB}"
_PROPERTIES = "tables/wikidata_properties.parquet"


@dataclass(frozen=True, slots=True)
class Property:
    """A property with relations in the records.

    `property` "P36"; `count` relations of records, `triples` different ones of these. `id` is its place in the relation
    vocabulary, most relations first.
    """

    id: int
    property: str
    label: str | None
    count: int
    triples: int


@dataclass(frozen=True, slots=True)
class Relation:
    """head --property--> tail, items as QIDs. `preferred`: Wikidata's rank. `label` None where Wikidata has none."""

    head: str
    property: str
    tail: str
    label: str | None
    preferred: bool


class Relations:
    """Triples between the items of a corpus that was built with `--wikidata`; look-ups are memory-mapped.

    Raises WikiprepError for a corpus without them.
    """

    def __init__(self, store: Store) -> None:
        if store.size(_ARRAYS) is None:
            raise WikiprepError(
                f"{store.url}: no relations",
                "give the build's command again with --wikidata FILE --update: it adds them",
            )
        self._store = store
        self._items = Items(store)
        self._triples = Triples.open(Path(store.fetch(_ARRAYS)).parent)

    def __reduce__(self) -> tuple[type["Relations"], tuple[Store]]:
        return Relations, (self._store,)

    def __repr__(self) -> str:
        return f"<Relations of {self._store.url}: {len(self):,} triples>"

    def __len__(self) -> int:
        """How many triples there are."""
        return len(self._triples)

    def __iter__(self) -> Iterator[Relation]:
        """Every triple, in order of head, tail and property; looked up as it goes on."""
        for start in range(0, len(self), 10_000):
            rows = [column.tolist() for column in self._triples.rows(start, min(start + 10_000, len(self)))]
            for head, tail, prop, rank in zip(*rows, strict=True):
                yield self._relation(head, prop, tail, rank)

    def between(self, head: str, tail: str) -> list[Relation]:
        """What holds from one page or item to another, each given by title (redirects followed) or QID.

        None for pages without an item. Some microseconds with QIDs.
        """
        matches = self._triples.between(np.array([self._number(head)]), np.array([self._number(tail)]))
        numbers = (self._number(head), self._number(tail))
        pairs = zip(matches.property.tolist(), matches.rank.tolist(), strict=True)
        return [self._relation(numbers[0], prop, numbers[1], rank) for prop, rank in pairs]

    def properties(self) -> list[Property]:
        """Those that records have relations of, most relations first; empty for a corpus without records."""
        if self._store.size(_VOCABULARY) is None:
            return []
        table = read_parquet(self._store, _VOCABULARY, ["id", "property", "label", "count", "triples"])
        return [Property(**{**row, "property": f"P{row['property']}"}) for row in table.to_pylist()]

    def label(self, prop: str) -> str | None:
        """Wikidata's label of a property, "capital" of "P36"; None where there is none."""
        return self._labels.get(int(prop[1:])) if prop[:1] == "P" and prop[1:].isdecimal() else None

    @cached_property
    def _labels(self) -> dict[int, str]:
        table = read_parquet(self._store, _PROPERTIES, ["pid", "label"])
        pairs = zip(table["pid"].to_pylist(), table["label"].to_pylist(), strict=True)
        return {pid: label for pid, label in pairs if label}

    def _number(self, page: str) -> int:
        """The item's number, -1 for none."""
        if page[:1] == "Q" and page[1:].isdecimal():
            return item_number(page)
        qid = self._items.qid(page)
        return -1 if qid is None else int(qid[1:])

    def _relation(self, head: int, prop: int, tail: int, rank: int) -> Relation:
        return Relation(f"Q{head}", f"P{prop}", f"Q{tail}", self._labels.get(prop), bool(rank))
