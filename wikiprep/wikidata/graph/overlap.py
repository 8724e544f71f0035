"""Relations that say the same: of one direction (duplicates), of two (inverses), or of themselves (symmetric).

Two relations overlap by the pairs of entities that both hold between. With T(r) the pairs of r, the overlap is the
smaller of |T(r) ∩ T(s)| / |T(r)| and |T(r) ∩ T(s)| / |T(s)|, with the pairs of s turned around for inverses: as in
F. Akrami et al., Realistic Re-evaluation of Knowledge Graph Completion Methods, SIGMOD 2020. K. Toutanova and D. Chen
(Observed versus latent features for knowledge base and text inference, CVSC 2015) made FB15k-237 by leaving out
relations that overlap by 97 %.
"""

from dataclasses import dataclass
from typing import Literal

import numpy as np
import numpy.typing as npt

from wikiprep.wikidata.graph.graph import WikidataGraph

Kind = Literal["duplicate", "inverse"]


@dataclass(frozen=True, slots=True)
class Overlap:
    """Relations `one` < `other` (places in the graph) share `pairs` pairs; `share` as above, 0 to 1."""

    one: int
    other: int
    kind: Kind
    pairs: int
    share: float


@dataclass(frozen=True, slots=True)
class Overlaps:
    """`symmetric`: of each relation the share of its pairs that it holds in both directions, self-loops left out."""

    overlapping: tuple[Overlap, ...]
    symmetric: npt.NDArray[np.float64]


def overlaps(graph: WikidataGraph) -> Overlaps:
    """All relations that share a pair; most overlapping first."""
    pairs = graph.pairs()
    order = np.lexsort((graph.relations, pairs))
    pairs, relations = pairs[order], graph.relations[order].astype(np.int64)
    is_reversed, is_loop = (graph.heads > graph.tails)[order], (graph.heads == graph.tails)[order]
    count, sizes = len(graph.properties), graph.sizes()
    shared: dict[int, int] = {}
    step = 1
    while True:
        # Triples of one pair of entities lie together: each is compared with the one `step` behind it.
        (at,) = np.nonzero(pairs[step:] == pairs[:-step]) if step < len(pairs) else (np.empty(0, np.int64),)
        if not len(at):
            break
        keys = (relations[at] * count + relations[at + step]) * 2 + (is_reversed[at] != is_reversed[at + step])
        keys = np.concatenate([keys, keys[is_loop[at]] + 1])  # a loop is its own inverse
        for key, times in zip(*(a.tolist() for a in np.unique(keys, return_counts=True)), strict=True):
            shared[key] = shared.get(key, 0) + times
        step += 1
    symmetric, overlapping = np.zeros(count), []
    proper = sizes - np.bincount(relations[is_loop], minlength=count)
    for key, times in sorted(shared.items()):
        (one, other), kind = divmod(key // 2, count), ("duplicate", "inverse")[key % 2]
        if one == other:
            symmetric[one] = 2 * times / proper[one]
        else:
            share = times / max(sizes[one], sizes[other])
            overlapping.append(
                Overlap(one, other, "inverse" if kind == "inverse" else "duplicate", times, float(share))
            )
    overlapping.sort(key=lambda o: (-o.share, o.one, o.other, o.kind))
    return Overlaps(tuple(overlapping), symmetric)


def redundant(graph: WikidataGraph, overlaps: Overlaps, threshold: float) -> dict[int, Overlap]:
    """The relations to leave out, each with what it repeats: of two that overlap by `threshold` the smaller one goes.

    Relations are gone through from the largest on, ties by property, so that what is left out repeats one that stays.
    """
    partners: dict[int, list[Overlap]] = {}
    for overlap in overlaps.overlapping:
        if overlap.share >= threshold:
            partners.setdefault(overlap.one, []).append(overlap)
            partners.setdefault(overlap.other, []).append(overlap)
    sizes = graph.sizes()
    repeats: dict[int, Overlap] = {}
    done: set[int] = set()
    for relation in sorted(partners, key=lambda r: (-sizes[r], r)):
        for overlap in partners[relation]:
            other = overlap.other if overlap.one == relation else overlap.one
            if other in done and other not in repeats:
                repeats[relation] = overlap
                break
        done.add(relation)
    return repeats
