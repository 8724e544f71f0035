"""Which records are for evaluation only, whatever the seed or the shards: by page, or by pair of entities.

A page that a hash sets apart is in or out with all its records, so that no held-out text is trained on. Of the two
halves only the smaller one is kept as numbers; the n-th record of the other is found by counting how many of them come
before it.

A pair of entities that a hash sets apart takes with it the records with a relation between the two. Such a record is
not trained on, and of it those relations alone are asked for: others of its pairs may stand in training. So a pair that
is asked for was never seen with a relation, in either direction. The hash is of entity ids: another vocabulary sets
other pairs apart. `[UNK]` counts as one entity.
"""

from dataclasses import dataclass
from typing import Any

import numpy as np
import numpy.typing as npt
import pyarrow as pa

from wikiprep.records.permutation import hash_values
from wikiprep.records.record import Relations

Numbers = npt.NDArray[np.int64]
HELD_OUT = 0.002  # the share of pages, where nobody says another
PAGE, PAIR = HELD_OUT_BY = ("page", "pair")

Ints = npt.NDArray[np.int64]


def is_held_out(pages: npt.NDArray[np.int64], share: float) -> npt.NDArray[np.bool_]:
    """True for the pages (by page id) that are set apart; about `share` of them."""
    result: npt.NDArray[np.bool_] = (hash_values(pages) >> np.uint64(11)).astype(np.float64) / 2.0**53 < share
    return result


@dataclass(frozen=True)
class Split:
    """A corpus of `size` records, of which `held_out` (rising numbers) are for evaluation.

    `shards`: how many of them each shard has, in order; empty for what lies in one piece.
    """

    size: int
    held_out: Numbers
    shards: tuple[int, ...] = ()

    @property
    def training(self) -> int:
        """How many records there are to train on."""
        return self.size - len(self.held_out)

    def of_shards(self) -> Numbers:
        """How many records there are to train on in each shard."""
        bounds = np.cumsum((0, *(self.shards or (self.size,))))
        training_counts: Numbers = np.diff(bounds - np.searchsorted(self.held_out, bounds))
        return training_counts

    def record_of(self, number: Numbers) -> Numbers:
        """The record that is the n-th (from 0) of those to train on."""
        training_before = self.held_out - np.arange(len(self.held_out))
        return number + np.searchsorted(training_before, number, side="right")


@dataclass(frozen=True)
class HeldOutFacts:
    """About `share` of the pairs is set apart.

    `pairs` different ones, in `records` with `relations` of theirs, and `left_out` relations of other pairs that are
    neither trained on nor asked for.
    """

    share: float
    records: int
    pairs: int
    relations: int
    left_out: int

    def in_words(self) -> str:
        """For people."""
        return (
            f"held out are {self.pairs:,} pairs of entities: {self.records:,} records with {self.relations:,} "
            f"relations of theirs; {self.left_out:,} relations of other pairs in these are left out"
        )

    def of_record(self, relations: Relations, entity_ids: npt.NDArray[np.integer]) -> Relations:
        """Of a record that is set apart the relations of pairs that are; of any other all."""
        entities = entity_ids.astype(np.int64)
        pair_mask = pair_is_held_out(entities[relations["head"]], entities[relations["tail"]], self.share)
        return relations[pair_mask] if pair_mask.any() else relations


def pair_keys(heads: Ints, tails: Ints) -> Ints:
    """A number of each pair of entity ids, whatever its direction."""
    return np.minimum(heads, tails) << 32 | np.maximum(heads, tails)


def pair_is_held_out(heads: Ints, tails: Ints, share: float) -> npt.NDArray[np.bool_]:
    """True for the pairs (by entity ids) that are set apart; about `share` of them."""
    return is_held_out(pair_keys(heads, tails), share)


@dataclass(frozen=True, eq=False)
class RelationColumns:
    """The relations of a batch of records: the row, the entity ids and the property of each."""

    rows: Ints
    heads: Ints
    tails: Ints
    properties: Ints


def relation_columns(entities: pa.ListArray, relations: pa.ListArray) -> RelationColumns:
    """Of the columns `entity_ids` and `relations`. Raises IndexError or ValueError for damaged numbers."""
    bounds, starts = relations.offsets.to_numpy().astype(np.int64), entities.offsets.to_numpy().astype(np.int64)
    value_range = slice(bounds[0], bounds[-1])
    rows = np.repeat(np.arange(len(relations)), np.diff(bounds))
    ids = entities.values.to_numpy().astype(np.int64)
    columns: dict[str, Any] = {
        name: relations.values.field(name).to_numpy()[value_range].astype(np.int64)
        for name in ("head", "tail", "property")
    }
    counts = np.diff(starts)[rows]
    for name in ("head", "tail"):
        if len(rows) and not ((columns[name] >= 0) & (columns[name] < counts)).all():
            raise IndexError(f"a relation's {name} is no mention of its record")
    heads, tails = (ids[starts[rows] + columns[name]] for name in ("head", "tail"))
    return RelationColumns(rows, heads, tails, columns["property"])


@dataclass(frozen=True, eq=False)
class HeldOutPart:
    """Of a batch: which records are set apart, the keys of the pairs that do it, and how many relations they have."""

    is_held_out: npt.NDArray[np.bool_]
    keys: Ints
    relations: int
    left_out: int


def part_of(batch: pa.RecordBatch, share: float) -> HeldOutPart:
    """Raises as `relation_columns`."""
    columns = relation_columns(batch.column("entity_ids"), batch.column("relations"))
    pair_mask = pair_is_held_out(columns.heads, columns.tails, share)
    record_mask = np.zeros(batch.num_rows, np.bool_)
    record_mask[columns.rows[pair_mask]] = True
    keys = np.unique(pair_keys(columns.heads, columns.tails)[pair_mask])
    return HeldOutPart(record_mask, keys, int(pair_mask.sum()), int((record_mask[columns.rows] & ~pair_mask).sum()))


def facts_of(parts: list[HeldOutPart], share: float) -> tuple[Ints, HeldOutFacts]:
    """The numbers of the records that are set apart, and what there is of them."""
    record_numbers = np.flatnonzero(np.concatenate([part.is_held_out for part in parts]))
    pairs = len(np.unique(np.concatenate([part.keys for part in parts])))
    relations, left_out = sum(part.relations for part in parts), sum(part.left_out for part in parts)
    return record_numbers, HeldOutFacts(share, len(record_numbers), pairs, relations, left_out)
