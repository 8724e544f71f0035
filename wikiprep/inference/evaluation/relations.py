"""Relations of held-out pairs: a model's answers beside two guesses that need none.

The pair prior is the most frequent relation of (head entity, tail entity) in training; where training has none, that of
the head as a head, else that of the tail as a tail, else that of all. A pair may have several relations: an answer or a
guess is right if it is one of them. Guesses are counted on the training records alone, in one pass; only pairs, heads
and tails that are asked for are kept.
"""

from collections import Counter
from collections.abc import Sequence
from dataclasses import dataclass

import numpy as np
import numpy.typing as npt
import pyarrow as pa

from wikiprep.errors import WikiprepError
from wikiprep.pretrain.baselines.prior import training_batches
from wikiprep.records.held_out import relation_columns
from wikiprep.records.record import Record
from wikiprep.records.training_corpus import TrainingCorpus

Ints = npt.NDArray[np.int64]
ALL = "all"
# What training has of a pair, from most to least.
KNOWN = PAIR, BOTH, HEAD, TAIL, NEITHER = ("the pair", "head and tail", "head alone", "tail alone", "neither")


@dataclass(frozen=True)
class RelationRow:
    """Shares in [0, 1] of `targets` (pairs with a relation); None where there are none.

    `known`: what training has of these pairs, with a relation: ALL, or one of KNOWN.
    """

    known: str
    targets: int
    top1: float | None
    top10: float | None
    pair_prior: float | None
    most_frequent: float | None


@dataclass(frozen=True)
class PairTarget:
    """Entity ids of an ordered pair, and its properties (36 for P36)."""

    head: int
    tail: int
    properties: frozenset[int]


def targets_of(record: Record) -> list[PairTarget]:
    """The pairs of a record that have a relation, by head and tail (as `RanksRelations` has them)."""
    properties: dict[tuple[int, int], set[int]] = {}
    for head, tail, prop in record.relations.tolist():
        properties.setdefault((head, tail), set()).add(prop)
    ids = record.entity_ids.tolist()
    return [PairTarget(ids[head], ids[tail], frozenset(properties[head, tail])) for head, tail in sorted(properties)]


class PropertyFrequencies:
    """How often training has each property: of pairs, heads and tails that are asked for, and of all."""

    def __init__(self, targets: Sequence[PairTarget]) -> None:
        self.whole: Counter[int] = Counter()
        self.pairs: dict[int, Counter[int]] = {}
        self.heads: dict[int, Counter[int]] = {}
        self.tails: dict[int, Counter[int]] = {}
        self._target_keys = [
            np.unique(np.array(keys, np.int64))
            for keys in (
                [_key(one.head, one.tail) for one in targets],
                [one.head for one in targets],
                [one.tail for one in targets],
            )
        ]

    def add(self, heads: Ints, tails: Ints, properties: Ints) -> None:
        """Some relations of training records, by entity ids."""
        for prop, times in zip(*(side.tolist() for side in np.unique(properties, return_counts=True)), strict=True):
            self.whole[prop] += times
        for keys, target_keys, counters in zip(
            (heads << 32 | tails, heads, tails), self._target_keys, (self.pairs, self.heads, self.tails), strict=True
        ):
            if not len(target_keys):
                continue
            place = np.searchsorted(target_keys, keys).clip(max=len(target_keys) - 1)
            is_target = target_keys[place] == keys
            key_properties, totals = np.unique(place[is_target] << 32 | properties[is_target], return_counts=True)
            for key, times in zip(key_properties.tolist(), totals.tolist(), strict=True):
                counters.setdefault(int(target_keys[key >> 32]), Counter())[key & 0xFFFFFFFF] += times

    def known(self, target: PairTarget) -> str:
        """One of KNOWN."""
        if _key(target.head, target.tail) in self.pairs:
            return PAIR
        head, tail = target.head in self.heads, target.tail in self.tails
        return {(True, True): BOTH, (True, False): HEAD, (False, True): TAIL, (False, False): NEITHER}[head, tail]

    def prior(self, target: PairTarget) -> int:
        """The pair prior; 0, no property, where training has no relation at all."""
        counts = self.pairs.get(_key(target.head, target.tail)) or self.heads.get(target.head)
        return self._best(counts or self.tails.get(target.tail) or self.whole)

    @property
    def most_frequent(self) -> int:
        """Of all relations; 0 where there is none."""
        return self._best(self.whole)

    def _best(self, counts: Counter[int]) -> int:
        """Of equals the more frequent of all, then the smaller number."""
        return max(counts, key=lambda prop: (counts[prop], self.whole[prop], -prop), default=0)


def count_relations(corpora: Sequence[TrainingCorpus], targets: Sequence[PairTarget]) -> PropertyFrequencies:
    """Pass once over the training records. Raises WikiprepError for a shard whose numbers make no sense."""
    counts = PropertyFrequencies(targets)
    for corpus in corpora:
        for place, columns, training in training_batches(corpus, ("entity_ids", "relations")):
            try:
                relations = relation_columns(columns["entity_ids"], columns["relations"])
            except (pa.ArrowException, IndexError, ValueError) as error:
                raise WikiprepError(f"{place}: cannot be counted ({error})", "run `wikiprep verify` on it") from error
            in_training = training[relations.rows]
            counts.add(relations.heads[in_training], relations.tails[in_training], relations.properties[in_training])
    return counts


def relation_rows(targets: Sequence[PairTarget], ranks: Ints, counts: PropertyFrequencies) -> list[RelationRow]:
    """All targets first, then by what training has of them; `ranks[i]`: see `RanksRelations`. The parts add up."""
    known_kinds = np.array([counts.known(one) for one in targets], object)
    prior = np.array([counts.prior(one) in one.properties for one in targets], np.bool_)
    frequent = np.array([counts.most_frequent in one.properties for one in targets], np.bool_)

    def row(name: str, inside: npt.NDArray[np.bool_]) -> RelationRow:
        shares = [
            float(right[inside].mean()) if inside.any() else None for right in (ranks < 1, ranks < 10, prior, frequent)
        ]
        return RelationRow(name, int(inside.sum()), *shares)

    rows = [row(ALL, np.ones(len(targets), np.bool_))]
    parts = [(name, known_kinds == name) for name in KNOWN]
    return rows + [row(name, inside) for name, inside in parts if inside.any()]


def _key(head: int, tail: int) -> int:
    return head << 32 | tail
