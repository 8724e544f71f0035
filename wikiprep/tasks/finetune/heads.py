"""Heads of tasks: one linear layer on vectors of the last layer, with a loss of one of five kinds.

choice   one class a decision: cross-entropy (relations, spans).
tags     any number of classes: binary cross-entropy, averaged over decisions and classes (types, candidate answers).
number   a number a decision: squared error.
alternatives  one of the sequences of a multiple choice: cross-entropy over a logit of each.
bounds   first and last token of an answer: the mean of two cross-entropies over the words of a sequence.
"""

from collections.abc import Sequence
from dataclasses import dataclass
from typing import Any, cast

import numpy as np
import torch
from torch import Tensor, nn
from torch.nn import functional as F  # noqa: N812 (its usual name)

from wikiprep.pretrain.family import Batch, Sums
from wikiprep.pretrain.luke import batch as names
from wikiprep.pretrain.luke.model import LukeEncoder
from wikiprep.tasks.features import Features
from wikiprep.tasks.finetune.collate import BOUNDS, KNOWLEDGE, LABELS, PLACES, decisions
from wikiprep.tasks.finetune.knowledge.layers import KnowledgeLayers, KnowledgeSizes
from wikiprep.tasks.finetune.task_head import LOSS, GiveStart

CHOICE, TAGS, BOUNDARIES, NUMBER, ALTERNATIVES = "choice", "tags", "bounds", "number", "alternatives"
_NEVER = -1e9  # the logit of padding as first or last token


class TaskModel(nn.Module):
    """An encoder and the linear layer on it. `forward` gives logits, or the sum of the loss and its number."""

    def __init__(
        self,
        encoder: LukeEncoder,
        kind: str,
        vectors: int,
        classes: int,
        *,
        bias: bool,
        dropout: float | None = None,
        knowledge: KnowledgeLayers | None = None,
    ) -> None:
        """`dropout`: before the classifier; None: the encoder's. `knowledge`: the layers behind the encoder."""
        super().__init__()
        self.encoder = encoder
        self.kind = kind
        self.dropout = nn.Dropout(encoder.config.dropout if dropout is None else dropout)
        self.knowledge = knowledge
        width = knowledge.width if knowledge else encoder.config.hidden_size
        self.classifier = nn.Linear(vectors * width, classes, bias=bias)

    def forward(self, batch: Batch, want: str = "loss") -> tuple[Tensor, Tensor]:
        """want = "loss": (sum of the loss, its number). "scores": (logits, nothing).

        Logits, in float32 at least, are [N, C] of decisions (of a multiple choice one an alternative), or [B, W, 2] of
        first and last tokens, where padding has one of -1e9.
        """
        logits = self._bounds(batch) if self.kind == BOUNDARIES else self._decisions(batch)
        if want == "scores":
            return _full(logits), logits.new_zeros(())
        with torch.autocast(logits.device.type, enabled=False):
            return self._loss(_full(logits), batch)

    def _decisions(self, batch: Batch) -> Tensor:
        places = batch[PLACES]
        vectors = self._vectors(batch, places.flatten())
        logits: Tensor = self.classifier(self.dropout(vectors.view(len(places), -1)))
        return logits.view(len(batch[LABELS]), -1) if self.kind == ALTERNATIVES else logits

    def _bounds(self, batch: Batch) -> Tensor:
        words = self._vectors(batch, None)[:, : batch[names.WORD_IDS].shape[1]]
        logits: Tensor = self.classifier(words)  # no dropout here, as in the published code
        real = batch[names.REAL][:, : words.shape[1], None]
        return logits.masked_fill(~real, _NEVER)

    def _vectors(self, batch: Batch, places: Tensor | None) -> Tensor:
        """[n, D] at `places` of the flattened [B · (W + E)], or [B, W + E, D], of the last layer there is."""
        if self.knowledge is None:
            return self.encoder.run(batch, places)
        states = self.encoder.run(batch, None)
        vectors: Tensor = self.knowledge(states, batch[KNOWLEDGE], batch[names.REAL], places, batch)
        return vectors

    def _loss(self, logits: Tensor, batch: Batch) -> tuple[Tensor, Tensor]:
        if self.kind == BOUNDARIES:
            bounds = batch[BOUNDS]
            sides = [F.cross_entropy(logits[..., side], bounds[:, side], reduction="sum") for side in (0, 1)]
            return (sides[0] + sides[1]) / 2, _number(bounds, len(bounds))
        labels = batch[LABELS]
        if self.kind == NUMBER:
            return F.mse_loss(logits[:, 0], labels.to(logits.dtype), reduction="sum"), _number(labels, len(labels))
        if self.kind == TAGS:
            loss = F.binary_cross_entropy_with_logits(logits, labels.to(logits.dtype), reduction="sum")
            return loss, _number(labels, labels.numel())
        return F.cross_entropy(logits, labels, reduction="sum"), _number(labels, len(labels))


def loss_count(batch: Batch, kind: str) -> int:
    """What the sum of the loss is divided by, of a batch."""
    if kind == BOUNDARIES:
        return len(batch[BOUNDS])
    return batch[LABELS].numel() if kind == TAGS else len(batch[LABELS])


def _full(logits: Tensor) -> Tensor:
    """In float32 at least, also where autocast gave less."""
    return logits.to(torch.promote_types(logits.dtype, torch.float32))


def _number(like: Tensor, count: int) -> Tensor:
    return torch.tensor(count, dtype=torch.int64, device=like.device)


@dataclass(frozen=True)
class LinearHead:
    """See `TaskHead`. `vectors` are concatenated for a decision. `dropout`: before the layer; None: the encoder's.
    `knowledge`: of the layers of a graph between encoder and head, whose parameters the family fills."""

    kind: str
    vectors: int
    classes: int
    bias: bool
    dropout: float | None = None
    knowledge: KnowledgeSizes | None = None

    def build(self, encoder: LukeEncoder, seed: int, start: GiveStart | None) -> nn.Module:
        """See `TaskHead`. The classifier is drawn with the encoder's standard deviation, its bias is 0."""
        layers = KnowledgeLayers(self.knowledge, encoder.config) if self.knowledge else None
        model = TaskModel(
            encoder, self.kind, self.vectors, self.classes, bias=self.bias, dropout=self.dropout, knowledge=layers
        )
        with torch.no_grad():
            generator = torch.Generator().manual_seed(seed + 1)
            model.classifier.weight.normal_(0.0, encoder.config.init_std, generator=generator)
            if self.bias:
                model.classifier.bias.zero_()
        return model

    def decisions(self, items: Sequence[Features], rngs: Sequence[np.random.Generator], batch: Batch) -> Batch:
        """See `TaskHead`: nothing is drawn."""
        return decisions(items, batch, bounds=self.kind == BOUNDARIES)

    def counts(self, batch: Batch) -> dict[str, int]:
        """See `TaskHead`."""
        return {LOSS: loss_count(batch, self.kind)}

    def loss_sums(self, model: nn.Module, batch: Batch) -> Sums:
        """See `TaskHead`."""
        return {LOSS: cast(tuple[Tensor, Tensor], model(batch))}

    def scores(self, model: nn.Module, batch: Batch, items: Sequence[Features]) -> list[Any]:
        """See `TaskHead`: logits [n, C] of decisions (one an alternative), or [W, 2] of first and last tokens."""
        all_logits = model(batch, "scores")[0].cpu().numpy()
        if self.kind == BOUNDARIES:
            return [all_logits[row, : len(item.word_ids)] for row, item in enumerate(items)]
        return list(np.split(all_logits, np.cumsum([len(item.places) for item in items])[:-1]))

    def states(self, batch: Batch) -> int:
        """See `TaskHead`."""
        places = None if self.knowledge else batch.get(PLACES)  # the layers of a graph look at all positions
        return int(batch[names.REAL].sum()) if places is None else places.numel()
