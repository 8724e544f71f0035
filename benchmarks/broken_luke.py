"""LUKE with a part that is broken on purpose, as a model family by its module's name: what a benchmark must notice.

`[task] part`: "no-entity-loss" trains masked words alone; "shuffled-targets" asks each masked mention for the entity of
another one of its batch, so that entities come as often as they should and never where they should.
"""

from collections.abc import Mapping, Sequence
from dataclasses import dataclass, fields
from pathlib import Path

import numpy as np
import torch
from torch import nn

from wikiprep.pretrain.family import Batch, Sums
from wikiprep.pretrain.luke import batch as names
from wikiprep.pretrain.luke.family import LukeFamily
from wikiprep.pretrain.luke.make_family import corpus_files
from wikiprep.pretrain.luke.make_family import make as make_luke
from wikiprep.records.record import Record

__all__ = ["corpus_files", "make"]
PARTS = NO_LOSS, SHUFFLED = ("no-entity-loss", "shuffled-targets")


@dataclass(frozen=True, eq=False)
class BrokenLuke(LukeFamily):
    """`part`: one of PARTS."""

    part: str = NO_LOSS

    def collate(
        self, records: Sequence[Record], rngs: Sequence[np.random.Generator], rows: Sequence[int] | None = None
    ) -> Batch:
        """See `Family`."""
        batch = super().collate(records, rngs, rows)
        if self.part == SHUFFLED:
            labels = batch[names.ENTITY_LABELS]
            generator = torch.Generator().manual_seed(int(batch[names.WORD_IDS].sum()))
            batch[names.ENTITY_LABELS] = labels[torch.randperm(len(labels), generator=generator)]
        return batch

    def loss_sums(self, model: nn.Module, batch: Batch) -> Sums:
        """See `Family`."""
        sums = super().loss_sums(model, batch)
        return {name: loss for name, loss in sums.items() if self.part != NO_LOSS or name != "entity"}


def make(options: Mapping[str, Mapping[str, object]], corpus: Path, about: Path | None = None) -> BrokenLuke:
    """See `MakeFamily`."""
    family = make_luke({name: table for name, table in options.items() if name != "task"}, corpus, about)
    values = {field.name: getattr(family, field.name) for field in fields(family)}
    return BrokenLuke(**values, part=str(options["task"]["part"]))
