"""LUKE as a module: embeddings, layers, two heads; `forward` gives sums of losses or of metrics over masked positions.

All of it happens inside `forward`, heads included, since wrappers (DDP, FSDP) gather parameters around that call.
Nothing branches on the data: every parameter is reached by every batch, empty lists of targets included.
"""

from typing import Literal

import torch
from torch import Tensor, nn

from wikiprep.pretrain.family import Batch, Sums
from wikiprep.pretrain.luke import batch as names
from wikiprep.pretrain.luke.attention import attention_mask
from wikiprep.pretrain.luke.batch import at_places
from wikiprep.pretrain.luke.config import LukeConfig
from wikiprep.pretrain.luke.embeddings import EntityEmbeddings, WordEmbeddings
from wikiprep.pretrain.luke.encoder import Layer
from wikiprep.pretrain.luke.heads import Head, entity_head, word_head
from wikiprep.pretrain.luke.init import initialise
from wikiprep.pretrain.luke.metrics import entity_metrics, word_metrics
from wikiprep.pretrain.luke.softmax import cross_entropy_sum
from wikiprep.pretrain.luke.started import Started


class Luke(nn.Module):
    """Parameters are drawn from `seed`. The pooler is carried along for export; nothing here uses or trains it."""

    def __init__(self, config: LukeConfig, seed: int = 0) -> None:
        super().__init__()
        self.config = config
        self.words = WordEmbeddings(config)
        self.entities = EntityEmbeddings(config) if config.entities else None
        self.layers = nn.ModuleList(Layer(config) for _ in range(config.layers))
        self.word_head = word_head(config)
        self.entity_head: Head | None = entity_head(config) if config.entities else None
        self.register_buffer("pooler_weight", torch.zeros(config.hidden_size, config.hidden_size))
        self.register_buffer("pooler_bias", torch.zeros(config.hidden_size))
        self.started: Started | None = None  # what a checkpoint gave; set by the family
        initialise(self, seed, config.init_std, config.pad_id)

    def encode(self, batch: Batch) -> tuple[Tensor, Tensor]:
        """Last hidden states of words [B, W, D] and of entities [B, E, D] (E is 0 without entity inputs)."""
        ids, real, segments = batch[names.WORD_IDS], batch[names.REAL], batch.get(names.SEGMENTS)
        words = ids.shape[1]
        hidden: Tensor = self.words(ids, batch[names.WORD_POSITIONS])
        if self.entities is not None:
            spans = batch[names.ENTITY_STARTS], batch[names.ENTITY_ENDS]
            hidden = torch.cat([hidden, self.entities(batch[names.ENTITY_IDS], *spans)], dim=1)
        mask = attention_mask(real, segments)
        for layer in self.layers:
            hidden = layer(hidden, words, mask)
        return hidden[:, :words], hidden[:, words:]

    def forward(self, batch: Batch, want: Literal["losses", "metrics"] = "losses") -> Sums:
        """Sum and number of each loss (`mlm`, `entity`) or of each metric; see `family.Family`."""
        words, entities = self.encode(batch)
        labels = batch[names.WORD_LABELS]
        states: Tensor = self.word_head(at_places(words, batch[names.WORD_TARGETS]))
        table, bias = self.words.token.weight, self.word_head.bias
        made = (
            {"mlm": _loss(states, table, bias, labels)}
            if want == "losses"
            else word_metrics(states, table, bias, labels)
        )
        if self.entities is None or self.entity_head is None:
            return made
        labels = batch[names.ENTITY_LABELS]
        states = self.entity_head(at_places(entities, batch[names.ENTITY_TARGETS]))
        table, bias = self.entities.entity.weight, self.entity_head.bias
        if want == "losses":
            return made | {"entity": _loss(states, table, bias, labels)}
        return made | entity_metrics(states, table, bias, labels)


def _loss(states: Tensor, table: Tensor, bias: Tensor, labels: Tensor) -> tuple[Tensor, Tensor]:
    return cross_entropy_sum(states, table, bias, labels), torch.tensor(len(labels), device=labels.device)
