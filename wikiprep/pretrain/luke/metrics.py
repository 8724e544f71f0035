"""What is right at masked positions, as sums and counts: words by top-1, entities by top-1, top-10 and frequency."""

import torch
from torch import Tensor

from wikiprep.pretrain.family import Sums
from wikiprep.pretrain.luke.softmax import target_ranks

UNK = 1  # `[UNK]` as a target says nothing about entities: it is left out of their figures
FIRST_ENTITY = 3
# Ids of a corpus are ranks by number of links: bands of them are bands of frequency. End exclusive, None: the rest.
BANDS = ((1, 1_001), (1_001, 10_001), (10_001, 100_001), (100_001, None))


def number_of(labels: Tensor) -> Tensor:
    """How many there are, written by the device itself: a copy of a number to it would wait for all before it."""
    return torch.full((), len(labels), dtype=torch.int64, device=labels.device)


def word_metrics(states: Tensor, table: Tensor, bias: Tensor, labels: Tensor) -> Sums:
    """`mlm_top1`."""
    ranks = target_ranks(states, table, bias, labels)
    return {"mlm_top1": ((ranks < 1).sum(), number_of(labels))}


def entity_metrics(ranks: Tensor, labels: Tensor) -> Sums:
    """`entity_top1`, `entity_top10`, and `entity_top1.FIRST-LAST` by rank of the entity in the vocabulary, from 1.

    `ranks` [m]: the places of `labels`, as `target_ranks` has them.
    """
    known = labels != UNK
    sums = {
        "entity_top1": (((ranks < 1) & known).sum(), known.sum()),
        "entity_top10": (((ranks < 10) & known).sum(), known.sum()),
    }
    frequency_rank = labels - FIRST_ENTITY + 1
    for first, last in BANDS:
        in_band = known & (frequency_rank >= first)
        if last is not None:
            in_band &= frequency_rank < last
        name = f"entity_top1.{first}-{last - 1 if last else ''}"
        sums[name] = (((ranks < 1) & in_band).sum(), in_band.sum())
    return sums
