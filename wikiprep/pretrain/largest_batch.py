"""The largest micro-batch that a run can meet, tried before the first step: memory that lacks shows at once.

What the family can make in more than one way, it chooses by the same batch.

It is filled with copies of the record with the most tokens. Gradients are dropped; nothing of it reaches the model.
"""

import numpy as np
import torch

from wikiprep.pretrain.config import TrainingConfig
from wikiprep.pretrain.data.micro_batches import Cut, Sizes, padded_positions
from wikiprep.pretrain.data.share import ShareMaker
from wikiprep.pretrain.family import Batch, ChoosesLoss, Family, to_device
from wikiprep.pretrain.parallel import Spread, autocast
from wikiprep.pretrain.ranks import Ranks


def try_out(
    maker: ShareMaker, model: Spread, longest: list[tuple[int, int]], config: TrainingConfig, ranks: Ranks
) -> dict[str, object]:
    """All that is tried before a stage's first step. Returns what to log of choices. `longest`: (corpus, number)."""
    family = maker.family
    choices: dict[str, object] = {}
    chooses = isinstance(family, ChoosesLoss)
    if not (chooses or config.probe):
        return {}
    batch = largest_batch(maker, longest)
    if isinstance(family, ChoosesLoss):
        compute = torch.bfloat16 if config.precision == "bf16" else torch.float32
        choices = family.choose_loss(model.bare, batch, config.cross_entropy, compute, ranks)
    if config.probe:
        probe(family, model, batch, config, ranks)
    return choices


def probe(family: Family, model: Spread, batch: Batch, config: TrainingConfig, ranks: Ranks) -> None:
    """Forward and backward of `batch` on every rank."""
    model.module.train()
    with autocast(config, ranks.device):
        losses = family.loss_sums(model.module, to_device(batch, ranks.device))
    torch.autograd.backward(torch.stack([loss.float() for loss, _ in losses.values()]).sum())
    model.module.zero_grad(set_to_none=True)


def largest_batch(maker: ShareMaker, longest: list[tuple[int, int]]) -> Batch:
    """Copies of the longest of the records `longest` (corpus, number), as many as a micro-batch takes."""
    candidates = [maker.readers[corpus].read(number) for corpus, number in longest]
    record = max(candidates, key=lambda record: sum(maker.family.sizes(record)))
    in_row, rows = _batch_shape(maker.family.sizes(record), maker.cut)
    rngs = [np.random.default_rng((maker.seed, number)) for number in range(in_row * rows)]
    record_rows = [row for row in range(rows) for _ in range(in_row)]
    return maker.family.collate([record] * len(rngs), rngs, record_rows if in_row > 1 else None)


def _batch_shape(sizes: Sizes, cut: Cut) -> tuple[int, int]:
    """How many records of `sizes` go into a sequence, and how many sequences into a micro-batch."""
    in_row = max(1, cut.pack // sum(sizes))
    rows = max(1, cut.tokens // padded_positions([tuple(in_row * size for size in sizes)]))
    return in_row, min(rows, cut.sequences) if cut.sequences else rows
