"""Triples as numbers: entities and relations counted from 0, a triple three small integers."""

from dataclasses import dataclass

import numpy as np
import numpy.typing as npt

Places = npt.NDArray[np.int32]
Mask = npt.NDArray[np.bool_]


@dataclass(frozen=True, slots=True)
class WikidataGraph:
    """Triple i is (heads[i], relations[i], tails[i]), places in the sorted `items` and `properties` (42 for Q42).

    12 bytes a triple. Triples are distinct; items and properties that no triple has may be listed.
    """

    items: npt.NDArray[np.int64]
    properties: npt.NDArray[np.int32]
    heads: Places
    relations: Places
    tails: Places

    @classmethod
    def of(
        cls, heads: npt.NDArray[np.int64], properties: npt.NDArray[np.int32], tails: npt.NDArray[np.int64]
    ) -> "WikidataGraph":
        """The graph of triples given by numbers of items and properties."""
        items = np.union1d(heads, tails)
        distinct, relations = np.unique(properties, return_inverse=True)
        places = [items.searchsorted(ids).astype(np.int32) for ids in (heads, tails)]
        return cls(items, distinct, places[0], relations.astype(np.int32), places[1])

    def __len__(self) -> int:
        return len(self.heads)

    def keep(self, mask: Mask) -> "WikidataGraph":
        """The same with the triples of `mask` only."""
        return WikidataGraph(self.items, self.properties, self.heads[mask], self.relations[mask], self.tails[mask])

    def degrees(self) -> npt.NDArray[np.int64]:
        """Of each item the triples that it is in; one to itself counts once."""
        counts = np.bincount(self.heads, minlength=len(self.items))
        return counts + np.bincount(self.tails[self.tails != self.heads], minlength=len(self.items))

    def sizes(self) -> npt.NDArray[np.int64]:
        """Of each property its triples."""
        return np.bincount(self.relations, minlength=len(self.properties))

    def pairs(self) -> npt.NDArray[np.uint64]:
        """The two entities of each triple as one number, whichever of them is the head."""
        low, high = np.minimum(self.heads, self.tails), np.maximum(self.heads, self.tails)
        return low.astype(np.uint64) << np.uint64(32) | high.astype(np.uint64)
