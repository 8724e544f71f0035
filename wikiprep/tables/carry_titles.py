"""Titles of one dump as entities of another's vocabulary: by QID, then title, then redirect, else lost.

Where both sides know an item, the item decides, also against an equal title (two towns of one name). This is the one
rule by which links, mentions and rows of another model's entity table find their entities.

How the links of a text from elsewhere were carried stays in two files: carried_links.parquet, a row a target, is for
people; carried_links.marisa says to the records what a target means.
"""

from collections import Counter
from collections.abc import Callable, Mapping
from dataclasses import dataclass
from functools import cached_property
from pathlib import Path
from typing import Any, Protocol

import marisa_trie
import pyarrow as pa

from wikiprep.counts import Count, Equation
from wikiprep.storage.parquet_files import RowGroupWriter

BY_QID, BY_TITLE, BY_REDIRECT, LOST = WAYS = ("qid", "title", "redirect", "lost")
_SPECIALS = ("[PAD]", "[UNK]", "[MASK]", "[MASK2]")


@dataclass(frozen=True)
class EntityMatch:
    """An entity of the vocabulary: its title there, and by what it was found: BY_QID, BY_TITLE or BY_REDIRECT."""

    title: str
    way: str


def ways_in_words(counts: Mapping[str, int]) -> str:
    """The sum and its parts, for people."""
    total = sum(counts.get(way, 0) for way in WAYS)
    parts = (f"{counts[way]:,} {'lost' if way == LOST else f'by {way}'}" for way in WAYS if counts.get(way))
    return f"{total:,} links to entities ({', '.join(parts)})"


class TitleSource(Protocol):
    """What the dump that titles are from says of them; see `title_source.py`."""

    def end(self, title: str) -> str:
        """Where its redirects lead from a title; the title itself where it is none."""
        ...

    def qid(self, title: str) -> str | None:
        """The Wikidata item of a title's page, redirects followed."""
        ...


class Carrier:
    """Finds entities of one vocabulary.

    `ids` and `qids` by title, `redirects` (title -> title at the chain's end) of its own dump, asked for at the first
    title that is no entity.

    `source`: of which dump the titles are that are looked up; None: nothing more is known of them.
    """

    def __init__(
        self,
        ids: Mapping[str, int],
        qids: Mapping[str, str],
        redirects: Callable[[], Mapping[str, str]],
        source: TitleSource | None = None,
    ) -> None:
        self._ids, self._qids, self._read_redirects, self._source = ids, qids, redirects, source

    def find(self, title: str | None, qid: str | None = None) -> EntityMatch | None:
        """The entity that a link's title or item means; None: lost. Underscores of a title are spaces too."""
        names = [] if title is None else list(dict.fromkeys((title, title.replace("_", " "))))
        if qid is None and self._source is not None:
            qid = next((item for name in names if (item := self._source.qid(name))), None)
        if qid is not None and (title_of_item := self._title_of_qid.get(qid)) is not None:
            return EntityMatch(title_of_item, BY_QID)
        for name in names:
            if name in self._ids:
                return EntityMatch(name, BY_TITLE) if self._is_compatible(name, qid) else None
        for name in names:
            for end in self._redirect_ends(name):
                if end in self._ids:
                    return EntityMatch(end, BY_REDIRECT) if self._is_compatible(end, qid) else None
        moved_title = self._by_shared_target(names, qid) if self._source is not None else None
        return (
            EntityMatch(moved_title, BY_REDIRECT)
            if moved_title is not None and self._is_compatible(moved_title, qid)
            else None
        )

    def _is_compatible(self, name: str, qid: str | None) -> bool:
        return qid is None or self._qids.get(name, qid) == qid

    def _redirect_ends(self, name: str) -> list[str]:
        """Where the redirects of either dump lead, those of one behind those of the other too."""
        source_end = name if self._source is None else self._source.end(name)
        own_ends = (self._redirects.get(name), self._redirects.get(source_end))
        return [end for end in (source_end, *own_ends) if end is not None and end != name]

    def _by_shared_target(self, names: list[str], qid: str | None) -> str | None:
        """The entity whose title is a redirect to the same page in the dump of the titles, as after a move."""
        assert self._source is not None
        by_end, by_item = self._titles_in_source
        found_titles = (by_end.get(self._source.end(name)) for name in names)
        entity_title = next((title for title in found_titles if title is not None), None)
        return entity_title if entity_title is not None or qid is None else by_item.get(qid)

    @cached_property
    def _titles_in_source(self) -> tuple[dict[str, str], dict[str, str]]:
        """Entities by the title and by the item that the source has for their title; of several the lowest id."""
        assert self._source is not None
        by_end: dict[str, str] = {}
        by_item: dict[str, str] = {}
        for title, _ in sorted(self._ids.items(), key=lambda item: item[1]):
            if title in _SPECIALS:
                continue
            by_end.setdefault(self._source.end(title), title)
            item = self._source.qid(title)
            if item is not None and title not in self._qids:
                by_item.setdefault(item, title)
        return by_end, by_item

    @cached_property
    def _title_of_qid(self) -> dict[str, str]:
        return {qid: title for title, qid in self._qids.items()}

    @cached_property
    def _redirects(self) -> Mapping[str, str]:
        return self._read_redirects()


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
