"""LUKE as a module: embeddings, layers, two heads; `forward` gives sums of losses or of metrics over masked positions.

All of it happens inside `forward`, heads included, since wrappers (DDP, FSDP) gather parameters around that call.
Nothing branches on the data: every parameter is reached by every batch, empty lists of targets included.
"""

from functools import partial
from typing import TYPE_CHECKING, Literal

import torch
from torch import Tensor, nn

from wikiprep.pretrain.attention import Sight
from wikiprep.pretrain.family import Batch, Sums
from wikiprep.pretrain.luke import batch as names
from wikiprep.pretrain.luke.attention import kernel_head_size
from wikiprep.pretrain.luke.config import LukeConfig
from wikiprep.pretrain.luke.embeddings import EntityEmbeddings, WordEmbeddings
from wikiprep.pretrain.luke.encoder import Layer
from wikiprep.pretrain.luke.heads import Head, entity_head, word_head
from wikiprep.pretrain.luke.init import initialise
from wikiprep.pretrain.luke.metrics import entity_metrics, number_of, word_metrics
from wikiprep.pretrain.luke.sharded_softmax import sharded_cross_entropy_sum, sharded_target_ranks
from wikiprep.pretrain.luke.softmax import cross_entropy_sum, target_ranks
from wikiprep.pretrain.luke.started import Started
from wikiprep.pretrain.luke.unpadded import padded_again, places_unpadded, unpadded
from wikiprep.pretrain.varlen import Unpadded

if TYPE_CHECKING:
    from torch.nn.attention.flex_attention import BlockMask


class LukeEncoder(nn.Module):
    """Embeddings and layers, without heads. Parameters are as torch draws them: whoever makes one fills it."""

    def __init__(self, config: LukeConfig) -> None:
        super().__init__()
        self.config = config
        self.words = WordEmbeddings(config)
        self.entities = EntityEmbeddings(config) if config.entities else None
        self.sight = Sight(config.attention_dropout)
        self.layers = nn.ModuleList(Layer(config) for _ in range(config.layers))

    def encode(self, batch: Batch) -> tuple[Tensor, Tensor]:
        """Last hidden states of words [B, W, D] and of entities [B, E, D] (E is 0 without entity inputs)."""
        words = batch[names.WORD_IDS].shape[1]
        hidden = self.run(batch, None)
        return hidden[:, :words], hidden[:, words:]

    def run(self, batch: Batch, places: Tensor | None) -> Tensor:
        """[B, W + E, D] through all layers; where `places` of the flattened [B · (W + E)] are given, [n, D] there.

        The last layer then computes those alone.
        """
        ids = batch[names.WORD_IDS]
        words = ids.shape[1]
        hidden: Tensor = self.words(ids, batch[names.WORD_POSITIONS], batch.get(names.SECOND))
        if self.entities is not None:
            spans = batch[names.ENTITY_STARTS], batch[names.ENTITY_ENDS]
            hidden = torch.cat([hidden, self.entities(batch[names.ENTITY_IDS], *spans)], dim=1)
        without = names.ORDER in batch and self.sight.unpadded(hidden.device, kernel_head_size(self.config))
        seen: Tensor | BlockMask | Unpadded
        if without:
            hidden, seen = unpadded(batch, hidden)
            places = None if places is None else places_unpadded(batch, places)
        else:
            seen = self.sight(batch[names.REAL], batch.get(names.SEGMENTS))
        for number, layer in enumerate(self.layers, 1):
            hidden = layer(hidden, words, seen, places if number == len(self.layers) else None)
        return padded_again(batch, hidden) if without and places is None else hidden


class Luke(LukeEncoder):
    """Parameters are drawn from `seed` (None: left as they are).

    The pooler is carried along for export; nothing here uses or trains it.
    """

    def __init__(self, config: LukeConfig, seed: int | None = 0) -> None:
        super().__init__(config)
        self.word_head = word_head(config)
        self.entity_head: Head | None = entity_head(config) if config.entities else None
        self.register_buffer("pooler_weight", torch.zeros(config.hidden_size, config.hidden_size))
        self.register_buffer("pooler_bias", torch.zeros(config.hidden_size))
        self.started: Started | None = None  # what a checkpoint gave; set by the family
        if seed is not None:
            initialise(self, seed, config.init_std, config.pad_id)

    @classmethod
    def names_of(cls, config: LukeConfig) -> list[str]:
        """The names of its tensors, without making them."""
        with torch.device("meta"):
            return list(cls(config, seed=None).state_dict())

    def _at_targets(self, batch: Batch) -> tuple[Tensor, Tensor]:
        """The same at masked positions alone, [n, D] and [m, D]."""
        words, width = batch[names.WORD_IDS].shape[1], batch[names.REAL].shape[1]
        entities = width - words
        word_places, entity_places = batch[names.WORD_TARGETS], batch[names.ENTITY_TARGETS]
        # Places count within the words or within the entities of a row; the sequence has both, one behind the other.
        places = [word_places + word_places // words * entities]
        if entities:
            places.append(entity_places + (entity_places // entities + 1) * words)
        found = self.run(batch, torch.cat(places))
        return found[: len(word_places)], found[len(word_places) :]

    def forward(self, batch: Batch, want: Literal["losses", "metrics"] = "losses") -> Sums:
        """Sum and number of each loss (`mlm`, `entity`) or of each metric; see `family.Family`."""
        words, entities = self._at_targets(batch)
        labels = batch[names.WORD_LABELS]
        states: Tensor = self.word_head(words)
        table, bias = self.words.token.weight, self.word_head.bias
        if want == "losses":
            made = {"mlm": (cross_entropy_sum(states, table, bias, labels), number_of(labels))}
        else:
            made = word_metrics(states, table, bias, labels)
        if self.entities is None or self.entity_head is None:
            return made
        labels = batch[names.ENTITY_LABELS]
        states = self.entity_head(entities)
        table, bias, shards = self.entities.entity.weight, self.entity_head.bias, self.entities.shards
        if want == "metrics":
            ranks = target_ranks if shards is None else partial(sharded_target_ranks, shards=shards)
            return made | entity_metrics(ranks(states, table, bias, labels), labels)
        loss = cross_entropy_sum if shards is None else partial(sharded_cross_entropy_sum, shards=shards)
        return made | {"entity": (loss(states, table, bias, labels), number_of(labels))}
