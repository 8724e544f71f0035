"""The classes of the relation head.

The properties of a corpus, the most frequent first; a record's targets; and the properties that the head prefers for
pairs of mentions.
"""

import hashlib
from collections.abc import Iterator
from dataclasses import dataclass
from pathlib import Path
from typing import NamedTuple

import numpy as np
import numpy.typing as npt
import pyarrow as pa
import pyarrow.parquet as pq
import torch
from torch import Tensor

from wikiprep.errors import WikiprepError
from wikiprep.pretrain.frozen import RelationGuess
from wikiprep.pretrain.spot.config import MEAN, SIGMOID, Objective
from wikiprep.records.record import Record
from wikiprep.tables.relation_vocab import RELATION_VOCAB

Ints = npt.NDArray[np.int64]


@dataclass(frozen=True, eq=False)
class RelationClasses:
    """`properties[c]`: 36 for P36; `labels[c]`: None where Wikidata's dump has none."""

    properties: npt.NDArray[np.int64]
    labels: tuple[str | None, ...]

    def __len__(self) -> int:
        return len(self.properties)

    def digest(self) -> str:
        """Of what the classes mean."""
        return hashlib.sha256(self.properties.astype("<i8").tobytes()).hexdigest()

    def of(self, properties: npt.NDArray[np.integer]) -> Ints:
        """Classes of properties, -1 for those that have none."""
        order = np.argsort(self.properties)
        place = np.searchsorted(self.properties[order], properties).clip(max=len(order) - 1)
        classes = order[place]
        return np.where(self.properties[classes] == properties, classes, -1)


def read_relation_classes(path: Path) -> RelationClasses:
    """Of a relation_vocab.parquet. Raises WikiprepError where it is missing, damaged or empty."""
    try:
        table = pq.read_table(path, columns=["id", "property", "label"]).sort_by("id")
    except (OSError, pa.ArrowInvalid) as error:
        raise WikiprepError(
            f"{path}: no vocabulary of relations can be read ({error})",
            "build the corpus with --wikidata and --preset spot (wikiprep docs relations)",
        ) from error
    if not table.num_rows:
        raise WikiprepError(f"{path}: holds no relation", "no two mentions of the corpus stand in one that is known")
    properties = table["property"].to_numpy().astype(np.int64)
    return RelationClasses(properties, tuple(table["label"].to_pylist()))


def relation_classes_path(corpus: Path) -> Path:
    """Where a corpus has it."""
    return corpus / "tables" / RELATION_VOCAB


class RelationTargets(NamedTuple):
    """Pairs that have a relation, and what they are to be: `labels[k]` of pair `pairs[k]` with a weight.

    Weights of a pair add up to 1. `left_out`: pairs behind the bound.
    """

    heads: Ints
    tails: Ints
    pairs: Ints
    labels: Ints
    weights: npt.NDArray[np.float32]
    left_out: int


def relation_targets(
    record: Record, classes: RelationClasses, objective: Objective, rng: np.random.Generator
) -> RelationTargets:
    """Of a record, with heads and tails as places of its mentions; in the order of the record.

    Raises WikiprepError for a property that the vocabulary lacks, and for a place that is no mention's.
    """
    rows, mentions = record.relations, len(record.entity_ids)
    head, tail = rows["head"].astype(np.int64), rows["tail"].astype(np.int64)
    labels = classes.of(rows["property"])
    if len(rows) and (labels.min() < 0 or max(head.max(), tail.max()) >= mentions or min(head.min(), tail.min()) < 0):
        raise WikiprepError(
            f"record {record.ordinal} of page {record.page_id}: a relation P{rows['property'][labels.argmin()]} that "
            f"tables/{RELATION_VOCAB} lacks, or of a mention that is not there",
            "records and tables are of different builds, or of several corpora: `wikiprep verify` each, and give first "
            "the one with all properties",
        )
    keys, pair_of_row = np.unique(head * max(1, mentions) + tail, return_inverse=True)
    left_out = max(0, len(keys) - objective.pairs_of_record)
    kept_pairs = np.arange(len(keys))
    if left_out:
        kept_pairs = np.sort(rng.choice(len(keys), objective.pairs_of_record, replace=False))
    property_counts = np.bincount(pair_of_row, minlength=len(keys))  # of properties
    first = np.cumsum(property_counts) - property_counts
    ordered_labels = labels[np.argsort(pair_of_row, kind="stable")]
    if objective.several_properties == MEAN:
        pairs = np.repeat(np.arange(len(kept_pairs)), property_counts[kept_pairs])
        nth = np.arange(len(pairs)) - np.repeat(
            np.cumsum(property_counts[kept_pairs]) - property_counts[kept_pairs], property_counts[kept_pairs]
        )
        targets, weights = ordered_labels[first[kept_pairs][pairs] + nth], 1.0 / property_counts[kept_pairs][pairs]
    else:
        pairs, weights = np.arange(len(kept_pairs)), np.ones(len(kept_pairs))
        targets = (
            ordered_labels[first[kept_pairs] + rng.integers(property_counts[kept_pairs])]
            if len(kept_pairs)
            else np.zeros(0, np.int64)
        )
    heads, tails = np.divmod(keys[kept_pairs], max(1, mentions))
    return RelationTargets(heads, tails, pairs, targets, weights.astype(np.float32), left_out)


def every_target(record: Record, classes: RelationClasses) -> RelationTargets:
    """All pairs of a record that have a relation, with all their properties: nothing is drawn or left out."""
    objective = Objective(several_properties=MEAN, pairs_of_record=max(1, len(record.relations)))
    return relation_targets(record, classes, objective, np.random.default_rng(0))


def best_relations(scores: Tensor, head: str, classes: RelationClasses, most: int) -> Iterator[list[RelationGuess]]:
    """Of logits [n, classes] of `n` pairs: the `most` best of each, the best first.

    Probabilities of a softmax over all classes, or, where `head` is "sigmoid", of each class by itself.
    """
    wide = scores.float()
    probabilities = wide.sigmoid() if head == SIGMOID else wide.softmax(dim=1)
    best = torch.topk(probabilities, min(most, len(classes)), dim=1)
    for values, numbers in zip(best.values.tolist(), best.indices.tolist(), strict=True):
        yield [
            RelationGuess(f"P{classes.properties[number]}", classes.labels[number], value)
            for value, number in zip(values, numbers, strict=True)
        ]
