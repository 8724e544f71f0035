"""Scores of a model for the sequences of a split: without gradients, in batches of like length, shared by all ranks."""

from collections.abc import Sequence
from typing import Any

import torch

from wikiprep.pretrain.config import TrainingConfig
from wikiprep.pretrain.data.micro_batches import Cut, micro_batches
from wikiprep.pretrain.family import to_device
from wikiprep.pretrain.parallel import Spread, autocast
from wikiprep.pretrain.ranks import Ranks
from wikiprep.tasks.features import Features
from wikiprep.tasks.finetune.family import TaskFamily

PIECE = 4096  # sequences that are sorted by length and cut together


def scores_of(
    family: TaskFamily,
    model: Spread,
    features: Sequence[Features],
    tokens: int,
    config: TrainingConfig,
    ranks: Ranks,
) -> list[Any]:
    """What the task's head gives of each sequence, on every rank.

    `tokens`: padded positions of a batch at most. They do not depend on the number of ranks but in rounding.
    """
    own_scores: list[tuple[int, Any]] = []
    was_training = model.bare.training
    model.bare.eval()
    try:
        with torch.inference_mode():
            for start in range(0, len(features), PIECE):
                piece = features[start : start + PIECE]
                for step in micro_batches([family.sizes(one) for one in piece], ranks.world, Cut(tokens)):
                    numbers = step[ranks.rank].records
                    # A rank that nothing was left for computes one all the same: under FSDP all take part.
                    batch_scores = _scores(family, model, [piece[n] for n in numbers or (0,)], config, ranks)
                    own_scores += [
                        (start + n, scores) for n, scores in zip(numbers, batch_scores, strict=bool(numbers))
                    ]
    finally:
        model.bare.train(was_training)
        model.reshard()
    all_scores = [pair for part in ranks.gather(own_scores) for pair in part] if ranks.world > 1 else own_scores
    return [scores for _, scores in sorted(all_scores, key=lambda pair: pair[0])]


def _scores(
    family: TaskFamily, model: Spread, items: Sequence[Features], config: TrainingConfig, ranks: Ranks
) -> list[Any]:
    batch = to_device(family.collate(items, []), ranks.device)
    with autocast(config, ranks.device):
        return family.scores(model.bare, batch, items)
