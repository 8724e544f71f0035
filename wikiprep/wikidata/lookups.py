"""Look-ups in Wikidata's tables, memory-mapped: one copy a machine, however many workers."""

from dataclasses import dataclass
from pathlib import Path
from typing import Any

import numpy as np
import numpy.typing as npt

from wikiprep.storage.memory_maps import open_arrays, open_trie
from wikiprep.wikidata.items_table import DISAMBIGUATION, LIST, TITLE_ARRAYS, TITLE_TRIE, title_key
from wikiprep.wikidata.triples_table import COLUMNS, TRIPLE_ARRAYS, pairs_of


class ItemTitles:
    """From a page's title in a wiki ("enwiki", "Belgium"; spaces, not underscores) to its item."""

    def __init__(self, trie: Any, qid: npt.NDArray[np.int64], flags: npt.NDArray[np.int8]) -> None:
        self._trie, self._qid, self._flags = trie, qid, flags

    @classmethod
    def open(cls, folder: str | Path) -> "ItemTitles":
        """Map the table of `folder`. Raises WikiprepError if it is missing or not whole."""
        folder = Path(folder)
        return cls(open_trie(folder / TITLE_TRIE), *open_arrays(folder / TITLE_ARRAYS, ("qid", "flags")))

    def __len__(self) -> int:
        return len(self._qid)

    def qid(self, wiki: str, title: str) -> str | None:
        """The item of a page, such as "Q31"."""
        number = self._number(wiki, title)
        return None if number < 0 else f"Q{self._qid[number]}"

    def qids(self, wiki: str, titles: list[str]) -> npt.NDArray[np.int64]:
        """Items of many pages as numbers, -1 where there is none."""
        numbers = np.fromiter((self._number(wiki, title) for title in titles), np.int64, len(titles))
        items = np.full(len(titles), -1, np.int64)
        items[numbers >= 0] = self._qid[numbers[numbers >= 0]]
        return items

    def is_disambiguation(self, wiki: str, title: str) -> bool:
        """Whether Wikidata calls the page a disambiguation page."""
        number = self._number(wiki, title)
        return number >= 0 and bool(self._flags[number] & DISAMBIGUATION)

    def is_list(self, wiki: str, title: str) -> bool:
        """Whether Wikidata calls the page a list."""
        number = self._number(wiki, title)
        return number >= 0 and bool(self._flags[number] & LIST)

    def _number(self, wiki: str, title: str) -> int:
        number: int = self._trie.get(title_key(wiki, title), -1)
        return number


@dataclass(frozen=True, slots=True)
class PairRelations:
    """What holds between pairs: entry i says that `property[i]` holds, with `rank[i]`, between pair number `pair[i]`.

    Ordered by pair, then property.
    """

    pair: npt.NDArray[np.int64]
    property: npt.NDArray[np.int32]
    rank: npt.NDArray[np.int8]


class Triples:
    """All properties that hold between two items. Read-only views of one mapped file, 13 bytes a triple."""

    def __init__(
        self, pair: npt.NDArray[np.uint64], property_: npt.NDArray[np.int32], rank: npt.NDArray[np.int8]
    ) -> None:
        self._pair, self._property, self._rank = pair, property_, rank

    @classmethod
    def open(cls, folder: str | Path) -> "Triples":
        """Map the table of `folder`. Raises WikiprepError if it is missing or not whole."""
        return cls(*open_arrays(Path(folder) / TRIPLE_ARRAYS, COLUMNS))

    def __len__(self) -> int:
        return len(self._pair)

    def rows(self, start: int, end: int) -> tuple[npt.NDArray[Any], ...]:
        """Heads, tails, properties and ranks of the triples [start, end), in order of head, tail and property."""
        pair = self._pair[start:end]
        heads, tails = (pair >> np.uint64(32)).astype(np.int64), (pair & np.uint64(0xFFFFFFFF)).astype(np.int64)
        return heads, tails, self._property[start:end], self._rank[start:end]

    def between(self, heads: npt.NDArray[np.int64], tails: npt.NDArray[np.int64]) -> PairRelations:
        """The relations from heads[i] to tails[i], for every i: item numbers, two arrays of one length.

        Two binary searches a pair, some microseconds; numbers that are no items (such as -1) have no relations.
        """
        valid = (heads >= 0) & (heads >> 32 == 0) & (tails >= 0) & (tails >> 32 == 0)
        pairs = pairs_of(np.where(valid, heads, 0), np.where(valid, tails, 0))
        start = self._pair.searchsorted(pairs, "left")
        count = np.where(valid, self._pair.searchsorted(pairs, "right") - start, 0)
        pair = np.repeat(np.arange(len(heads)), count)
        at = np.arange(len(pair)) - np.repeat(np.cumsum(count) - count, count) + np.repeat(start, count)
        return PairRelations(pair, self._property[at], self._rank[at])
