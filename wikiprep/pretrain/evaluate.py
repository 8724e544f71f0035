"""Losses and metrics on held-out records: the same records and masks each time, on any number of ranks."""

from collections.abc import Sequence
from dataclasses import dataclass

import numpy as np
import torch

from wikiprep.pretrain.config import TrainingConfig
from wikiprep.pretrain.data.share import Failure, Share, ShareMaker
from wikiprep.pretrain.data.stream import Places
from wikiprep.pretrain.family import Family, Sums, to_device
from wikiprep.pretrain.parallel import Spread, autocast
from wikiprep.pretrain.ranks import Ranks
from wikiprep.records.held_out import Split
from wikiprep.records.permutation import permute

EPOCH = 1 << 40  # of the masks: one that training never reaches


@dataclass(frozen=True)
class HeldOut:
    """The records of an evaluation."""

    places: Places

    def __len__(self) -> int:
        return len(self.places.record)

    def pieces(self, size: int) -> list[Places]:
        """In runs of `size` records."""
        p = self.places
        return [
            Places(p.corpus[start : start + size], p.record[start : start + size], p.epoch[start : start + size])
            for start in range(0, len(self), size)
        ]


def held_out_records(splits: Sequence[Split], most: int) -> HeldOut:
    """At most `most` of the records that are set apart, the same ones for every seed."""
    corpus = np.concatenate([np.full(len(split.held_out), number, np.int64) for number, split in enumerate(splits)])
    record = np.concatenate([split.held_out for split in splits])
    selection = np.sort(permute(np.arange(min(most, len(record))), len(record), (0, EPOCH)))
    return HeldOut(Places(corpus[selection], record[selection], np.full(len(selection), EPOCH, np.int64)))


def evaluate(
    family: Family,
    model: Spread,
    maker: ShareMaker,
    held_out: HeldOut,
    batch: int,
    config: TrainingConfig,
    ranks: Ranks,
) -> dict[str, float]:
    """Each loss and metric over all held-out records; a ratio without a denominator is left out."""
    sums: dict[str, float] = {}
    was_training = model.bare.training
    model.bare.eval()
    try:
        with torch.no_grad():
            for places in held_out.pieces(batch):
                share = maker.share(places)
                ranks.agree(share.error() if isinstance(share, Failure) else None)
                assert isinstance(share, Share)
                local_sums = _share_sums(family, model, share, config, ranks)
                for name, value in ranks.add(local_sums).items():
                    sums[name] = sums.get(name, 0.0) + value
    finally:
        model.bare.train(was_training)
        model.reshard()
    return {
        name: value / sums[f"{name}/count"]
        for name, value in sums.items()
        if not name.endswith("/count") and sums[f"{name}/count"]
    }


def _share_sums(family: Family, model: Spread, share: Share, config: TrainingConfig, ranks: Ranks) -> dict[str, float]:
    totals: dict[str, float] = {}
    for number, weight in enumerate(share.weights):
        tensors = to_device(share.tensors(number), ranks.device)
        with autocast(config, ranks.device):
            batch_sums: Sums = {f"loss.{name}": sums for name, sums in family.loss_sums(model.bare, tensors).items()}
            batch_sums |= family.metrics(model.bare, tensors)
        for name, (value, count) in batch_sums.items():
            totals[name] = totals.get(name, 0.0) + float(value) * weight
            totals[f"{name}/count"] = totals.get(f"{name}/count", 0.0) + float(count) * weight
    return totals
