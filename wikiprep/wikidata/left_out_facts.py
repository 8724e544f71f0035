"""Pairs of items and triples that nobody may be told: no relation of theirs is in records or exports."""

from collections.abc import Iterable

import numpy as np
import numpy.typing as npt

from wikiprep.wikidata.lookups import PairRelations
from wikiprep.wikidata.triples_table import are_in, pairs_of

Keys = npt.NDArray[np.uint64]


class LeftOutFacts:
    """`facts`: (head, property, tail); property 0: the pair of items in both directions, whatever the property."""

    def __init__(self, facts: Iterable[tuple[int, int, int]]) -> None:
        rows = np.array(sorted(set(facts)), np.int64).reshape(-1, 3)
        pairs = rows[rows[:, 1] == 0]
        pair_ends = np.concatenate([pairs[:, [0, 2]], pairs[:, [2, 0]]])
        self._pairs = np.unique(pairs_of(pair_ends[:, 0], pair_ends[:, 1]))
        triples = rows[rows[:, 1] > 0]
        self._triples = {
            (int(key), prop)
            for key, prop in zip(pairs_of(triples[:, 0], triples[:, 2]), triples[:, 1].tolist(), strict=True)
        }
        self._triple_pairs = np.unique(np.array([key for key, _ in self._triples], np.uint64))

    def __len__(self) -> int:
        return len(self._pairs) + len(self._triples)

    def hidden(self, pairs: Keys, properties: npt.NDArray[np.int32]) -> npt.NDArray[np.bool_]:
        """Whether each triple (its head and tail as in `pairs_of`) is left out."""
        mask = self.hides(pairs)
        for row in np.flatnonzero(are_in(self._triple_pairs, pairs) & ~mask).tolist():
            mask[row] = (int(pairs[row]), int(properties[row])) in self._triples
        return mask

    def hides(self, pairs: Keys) -> npt.NDArray[np.bool_]:
        """Whether each pair is left out with all that holds between the two."""
        return are_in(self._pairs, pairs)

    def without(self, pairs: Keys, relations: PairRelations) -> tuple[PairRelations, npt.NDArray[np.bool_]]:
        """`relations` (by place in `pairs`) without what is left out, and which pairs were touched by that.

        These have no relation that may be told, or fewer, and so are no pairs without a relation either.
        """
        is_left_out = self.hidden(pairs[relations.pair], relations.property)
        touched = self.hides(pairs)
        touched[relations.pair[is_left_out]] = True
        return PairRelations(
            relations.pair[~is_left_out], relations.property[~is_left_out], relations.rank[~is_left_out]
        ), touched
