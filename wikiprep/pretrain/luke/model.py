"""LUKE as a module: embeddings, layers, two heads; `forward` gives sums of losses or of metrics over masked positions.

All of it happens inside `forward`, heads included, since wrappers (DDP, FSDP) gather parameters around that call.
Nothing branches on the data: every parameter is reached by every batch, empty lists of targets included.
"""

from functools import partial
from typing import TYPE_CHECKING, Literal, NamedTuple

import torch
from torch import Tensor, nn

from wikiprep.pretrain.attention import Sight
from wikiprep.pretrain.family import Batch, Sums
from wikiprep.pretrain.luke import batch as names
from wikiprep.pretrain.luke.attention import kernel_head_size
from wikiprep.pretrain.luke.config import LukeConfig
from wikiprep.pretrain.luke.embeddings import EntityEmbeddings, WordEmbeddings
from wikiprep.pretrain.luke.entity_rows import StartReport
from wikiprep.pretrain.luke.layers import Layer, TransformHead, entity_head, initialise, word_head
from wikiprep.pretrain.luke.loss_choice import HeadShape, LossChoice
from wikiprep.pretrain.luke.metrics import entity_metrics, number_of, word_metrics
from wikiprep.pretrain.luke.sharded_softmax import sharded_cross_entropy_sum, sharded_target_ranks
from wikiprep.pretrain.luke.softmax import target_ranks
from wikiprep.pretrain.luke.token_places import (
    entities_among,
    interleave,
    places_unpadded,
    restore_padding,
    who_sees_whom,
    words_among,
)
from wikiprep.pretrain.unpadded_attention import Unpadded

if TYPE_CHECKING:
    from torch.nn.attention.flex_attention import BlockMask


WORDS, ENTITIES = "words", "entities"  # the heads, as `loss_choice` has them


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
        return self.through(batch, self.embed(batch), places)

    def embed(self, batch: Batch) -> "EncoderInput":
        """Input vectors, and who sees whom."""
        without_padding = names.ORDER in batch and self.sight.unpadded(
            batch[names.REAL].device, kernel_head_size(self.config)
        )
        ids, positions, second = batch[names.WORD_IDS], batch[names.WORD_POSITIONS], batch.get(names.SECOND)
        if without_padding:
            places = words_among(batch)
            ids, positions = (part.flatten().index_select(0, places) for part in (ids, positions))
            second = None if second is None else second.flatten().index_select(0, places)
        hidden, word_table = self.words(ids, positions, second)
        entities, entity_table = None, None
        if self.entities is not None:
            spans = [batch[name] for name in (names.ENTITY_IDS, names.ENTITY_STARTS, names.ENTITY_ENDS)]
            if without_padding:
                places = entities_among(batch)
                spans = [part.flatten().index_select(0, places) for part in spans]
            entities, entity_table = self.entities(*spans)
        seen: Tensor | BlockMask | Unpadded
        if without_padding:
            seen = who_sees_whom(batch)
            hidden = hidden if entities is None else interleave(hidden, entities, seen)
        else:
            hidden = hidden if entities is None else torch.cat([hidden, entities], dim=1)
            seen = self.sight(batch[names.REAL], batch.get(names.SEGMENTS))
        return EncoderInput(hidden, seen, word_table, entity_table)

    def through(self, batch: Batch, embedded: "EncoderInput", places: Tensor | None) -> Tensor:
        """Input vectors through all layers: see `run`."""
        hidden, seen = embedded.hidden, embedded.seen
        without_padding = isinstance(seen, Unpadded)
        last_places = places_unpadded(batch, places) if without_padding and places is not None else places
        words = batch[names.WORD_IDS].shape[1]
        for number, layer in enumerate(self.layers, 1):
            hidden = layer(hidden, words, seen, last_places if number == len(self.layers) else None)
        return restore_padding(batch, hidden) if without_padding and places is None else hidden


class EncoderInput(NamedTuple):
    """What goes into the first layer.

    [B, L, D] and who sees whom, or [T, D] of tokens alone; and the tables that ids were looked up in, for heads that
    are tied to them (`look_up_tied`).
    """

    hidden: Tensor
    seen: "Tensor | BlockMask | Unpadded"
    words: Tensor
    entities: Tensor | None


class Luke(LukeEncoder):
    """Parameters are drawn from `seed` (None: left as they are).

    The pooler is carried along for export; nothing here uses or trains it.
    """

    def __init__(self, config: LukeConfig, seed: int | None = 0) -> None:
        super().__init__(config)
        self.word_head = word_head(config)
        self.entity_head: TransformHead | None = entity_head(config) if config.entities else None
        self.register_buffer("pooler_weight", torch.zeros(config.hidden_size, config.hidden_size))
        self.register_buffer("pooler_bias", torch.zeros(config.hidden_size))
        self.loss_choice = LossChoice()
        self.started: StartReport | None = None  # what a checkpoint gave; set by the family
        if seed is not None:
            initialise(self, seed, config.init_std, config.pad_id)

    @classmethod
    def names_of(cls, config: LukeConfig) -> list[str]:
        """The names of its tensors, without making them."""
        with torch.device("meta"):
            return list(cls(config, seed=None).state_dict())

    def head_shapes(self, batch: Batch) -> dict[str, HeadShape]:
        """Of the heads whose loss is made on one rank, with the batch's masked positions."""
        table = self.words.token.weight
        shapes = {WORDS: HeadShape(len(batch[names.WORD_LABELS]), len(table), table.shape[1], table.requires_grad)}
        if self.entities is not None and self.entities.shards is None:
            table = self.entities.entity.weight
            rows = len(batch[names.ENTITY_LABELS])
            shapes[ENTITIES] = HeadShape(rows, len(table), table.shape[1], table.requires_grad)
        return shapes

    def _states_at_targets(self, batch: Batch, embedded: EncoderInput) -> tuple[Tensor, Tensor]:
        """Last hidden states at masked positions alone, [n, D] and [m, D]."""
        words, width = batch[names.WORD_IDS].shape[1], batch[names.REAL].shape[1]
        entities = width - words
        word_places, entity_places = batch[names.WORD_TARGETS], batch[names.ENTITY_TARGETS]
        # Places count within the words or within the entities of a row; the sequence has both, one behind the other.
        places = [word_places + word_places // words * entities]
        if entities:
            places.append(entity_places + (entity_places // entities + 1) * words)
        states = self.through(batch, embedded, torch.cat(places))
        return states[: len(word_places)], states[len(word_places) :]

    def forward(self, batch: Batch, want: Literal["losses", "metrics"] = "losses") -> Sums:
        """Sum and number of each loss (`mlm`, `entity`) or of each metric; see `family.Family`."""
        embedded = self.embed(batch)
        words, entities = self._states_at_targets(batch, embedded)
        labels = batch[names.WORD_LABELS]
        states: Tensor = self.word_head(words)
        table, bias = embedded.words, self.word_head.bias
        if want == "losses":
            sums = {"mlm": (self.loss_choice.loss(WORDS, states, table, bias, labels), number_of(labels))}
        else:
            sums = word_metrics(states, table, bias, labels)
        if self.entities is None or self.entity_head is None or embedded.entities is None:
            return sums
        labels = batch[names.ENTITY_LABELS]
        states = self.entity_head(entities)
        table, bias, shards = embedded.entities, self.entity_head.bias, self.entities.shards
        if want == "metrics":
            ranks = target_ranks if shards is None else partial(sharded_target_ranks, shards=shards)
            return sums | entity_metrics(ranks(states, table, bias, labels), labels)
        unsharded_loss = partial(self.loss_choice.loss, ENTITIES)
        loss = unsharded_loss if shards is None else partial(sharded_cross_entropy_sum, shards=shards)
        return sums | {"entity": (loss(states, table, bias, labels), number_of(labels))}
