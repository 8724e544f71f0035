"""The properties that a relation head prefers for pairs of mentions."""

from collections.abc import Iterator

import torch
from torch import Tensor

from wikiprep.pretrain.frozen import RelationGuess
from wikiprep.pretrain.spot.config import SIGMOID
from wikiprep.pretrain.spot.relation_classes import RelationClasses


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
