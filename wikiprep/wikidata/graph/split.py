"""Train, valid and test without leakage.

All triples between two entities, in either direction and of whatever relation, go to one part: so no triple of valid
or test has its two entities side by side in train, and no inverse, duplicate or symmetric relation answers it (the rule
by which K. Toutanova and D. Chen, CVSC 2015, chose the test triples of FB15k-237). Every entity and relation is in
train. A triple of an entity to itself is in train. Which pairs go where is decided by a hash of the seed and the two
items, so that it depends neither on order nor, but for the last places, on what else is in the graph.
"""

from dataclasses import dataclass

import numpy as np
import numpy.typing as npt

from wikiprep.wikidata.graph.graph import WikidataGraph

PARTS = ("train", "valid", "test")
TRAIN, VALID, TEST = range(3)

Ranks = npt.NDArray[np.uint64]


@dataclass(frozen=True, slots=True)
class TripleSplit:
    """`part` of each triple: TRAIN, VALID or TEST. `requested`: how many the shares asked for."""

    part: npt.NDArray[np.int8]
    requested: tuple[int, int, int]

    def sizes(self) -> tuple[int, int, int]:
        """Triples of each part."""
        train, valid, test = np.bincount(self.part, minlength=3).tolist()
        return train, valid, test


def split(graph: WikidataGraph, valid: float, test: float, seed: int) -> TripleSplit:
    """Shares of the triples, 0 to 1.

    Parts may stay smaller than asked: what train needs to have every entity and relation is never given away.

    Memory: 60 bytes a triple.
    """
    pairs, pair_of = np.unique(graph.pairs(), return_inverse=True)
    low, high = (pairs >> np.uint64(32)).astype(np.int64), (pairs & np.uint64(0xFFFFFFFF)).astype(np.int64)
    order = np.argsort(_ranks(graph.items[low], graph.items[high], seed), kind="stable")
    place = np.empty(len(order), np.int64)
    place[order] = np.arange(len(order))
    free = low != high
    free[order[_first_places(graph, low, high, place, pair_of)]] = False
    size = np.bincount(pair_of, minlength=len(pairs))
    candidates = order[free[order]]
    cumulative_sizes = np.cumsum(size[candidates])
    target_sizes = [int(share * len(graph)) for share in (valid, test)]
    for_test = int(cumulative_sizes.searchsorted(target_sizes[1], "right"))
    test_size = int(cumulative_sizes[for_test - 1]) if for_test else 0
    for_valid = int(cumulative_sizes.searchsorted(test_size + target_sizes[0], "right"))
    part_of_pair = np.zeros(len(pairs), np.int8)
    part_of_pair[candidates[:for_test]] = TEST
    part_of_pair[candidates[for_test:for_valid]] = VALID
    return TripleSplit(part_of_pair[pair_of], (len(graph) - sum(target_sizes), target_sizes[0], target_sizes[1]))


def _first_places(
    graph: WikidataGraph,
    low: npt.NDArray[np.int64],
    high: npt.NDArray[np.int64],
    place: npt.NDArray[np.int64],
    pair_of: npt.NDArray[np.int64],
) -> npt.NDArray[np.int64]:
    """The place of the first pair with each entity and with each relation: these pairs stay in train."""
    first_of_item = np.full(len(graph.items), len(place), np.int64)
    for entities in (low, high):
        np.minimum.at(first_of_item, entities, place)
    first_of_relation = np.full(len(graph.properties), len(place), np.int64)
    np.minimum.at(first_of_relation, graph.relations, place[pair_of])
    needed_places = np.unique(np.concatenate([first_of_item, first_of_relation]))
    return needed_places[needed_places < len(place)]


def _ranks(one: npt.NDArray[np.int64], other: npt.NDArray[np.int64], seed: int) -> Ranks:
    """A number for each pair of items that looks random: SplitMix64's mixing (Steele, Lea and Flood, OOPSLA 2014)."""
    state = _mix(np.full(1, seed, np.uint64))
    return _mix(_mix(state + one.astype(np.uint64)) + other.astype(np.uint64))


def _mix(values: Ranks) -> Ranks:
    values = values + np.uint64(0x9E3779B97F4A7C15)
    values = (values ^ (values >> np.uint64(30))) * np.uint64(0xBF58476D1CE4E5B9)
    values = (values ^ (values >> np.uint64(27))) * np.uint64(0x94D049BB133111EB)
    return values ^ (values >> np.uint64(31))
