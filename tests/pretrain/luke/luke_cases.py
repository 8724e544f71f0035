"""Random LUKE models, ours and transformers' with the same weights, and batches for both."""

from dataclasses import replace

import numpy as np
import torch
from torch import Tensor
from transformers import LukeConfig as TheirConfig
from transformers import LukeForMaskedLM

from wikiprep.pretrain.luke.collate import collate
from wikiprep.pretrain.luke.config import LukeConfig
from wikiprep.pretrain.luke.masking import mask
from wikiprep.pretrain.luke.model import Luke
from wikiprep.pretrain.luke.names import from_hugging_face
from wikiprep.pretrain.luke.objective import Objective
from wikiprep.pretrain.luke.words import Words
from wikiprep.pretrain.record import Record

SMALL = LukeConfig(
    vocab_size=97,
    entity_vocab_size=61,
    hidden_size=48,
    entity_size=16,
    layers=2,
    heads=4,
    intermediate_size=80,
    max_positions=66,
    dropout=0.0,
    attention_dropout=0.0,
)


def words(size: int = 97, pad: int = 1) -> Words:
    """A made-up tokenizer: ids 0 to 3 and the last are special, every third token begins a word."""
    begins = np.arange(size) % 3 == 0
    return Words(size, 0, 2, pad, size - 1, begins, np.arange(4, size - 1, dtype=np.int32))


def random_record(rng: np.random.Generator, config: LukeConfig = SMALL, most: int = 40, entities: int = 8) -> Record:
    """Any record that a corpus could hold: at least one word, perhaps no entity, mentions that may overlap."""
    length = int(rng.integers(1, most + 1))
    count = int(rng.integers(0, entities + 1))
    starts = rng.integers(0, length, count).astype(np.int16)
    ends = np.minimum(starts + rng.integers(1, 6, count), length).astype(np.int16)
    return Record(
        page_id=int(rng.integers(1, 1000)),
        revision_id=1,
        ordinal=0,
        word_ids=rng.integers(4, config.vocab_size - 1, length).astype(np.int32),
        entity_ids=rng.integers(3, config.entity_vocab_size, count).astype(np.int32),
        entity_starts=starts,
        entity_ends=ends,
        entity_sources=np.zeros(count, np.int8),
        sentence_starts=np.unique(np.append(rng.integers(0, length, 2), 0)).astype(np.int16),
    )


def batch_of(
    records: list[Record],
    rows: list[int] | None = None,
    objective: Objective | None = None,
    vocabulary: Words | None = None,
    entities: bool = True,
) -> dict[str, Tensor]:
    """The records masked, each by a generator of its own number, and collated."""
    vocabulary = vocabulary or words()
    masked = [
        mask(record, vocabulary, objective or Objective(), np.random.default_rng(number), entities=entities)
        for number, record in enumerate(records)
    ]
    return collate(records, masked, rows, vocabulary, entities)


def theirs(config: LukeConfig, seed: int, std: float = 0.2) -> LukeForMaskedLM:
    """transformers' model, its word decoder tied as in RoBERTa, every parameter random (biases and norms too)."""
    model = LukeForMaskedLM(
        TheirConfig(
            vocab_size=config.vocab_size,
            entity_vocab_size=config.entity_vocab_size,
            hidden_size=config.hidden_size,
            entity_emb_size=config.entity_size,
            num_hidden_layers=config.layers,
            num_attention_heads=config.heads,
            intermediate_size=config.intermediate_size,
            hidden_dropout_prob=config.dropout,
            attention_probs_dropout_prob=config.attention_dropout,
            max_position_embeddings=config.max_positions,
            type_vocab_size=config.type_rows,
            layer_norm_eps=config.norm_eps,
            use_entity_aware_attention=config.entity_aware_attention,
            pad_token_id=config.pad_id,
        )
    )
    model.lm_head.decoder.weight = model.luke.embeddings.word_embeddings.weight
    generator = torch.Generator().manual_seed(seed)
    with torch.no_grad():
        for name, parameter in model.named_parameters():
            parameter.normal_(1.0 if "orm.weight" in name else 0.0, std, generator=generator)
    return model


def ours(config: LukeConfig, other: LukeForMaskedLM) -> Luke:
    """Our model with the weights of theirs, in their precision."""
    model = Luke(config).to(next(other.parameters()).dtype)
    tensors = from_hugging_face(other.state_dict(), model.state_dict())
    model.load_state_dict(tensors)  # strict: every tensor must have been found
    return model


def their_inputs(batch: dict[str, Tensor]) -> dict[str, Tensor]:
    """The arguments that transformers' model wants for a batch without packing."""
    width = batch["word_ids"].shape[1]
    real, starts, ends = batch["real"].long(), batch["entity_starts"], batch["entity_ends"]
    longest = max(1, int((ends - starts).max())) if ends.numel() else 1
    offsets = torch.arange(longest)
    places = starts[..., None] + offsets
    return {
        "input_ids": batch["word_ids"],
        "attention_mask": real[:, :width],
        "entity_ids": batch["entity_ids"],
        "entity_attention_mask": real[:, width:],
        "entity_position_ids": torch.where(places < ends[..., None], places, -1),
        "labels": _labels(batch["word_ids"], batch["word_targets"], batch["word_labels"]),
        "entity_labels": _labels(batch["entity_ids"], batch["entity_targets"], batch["entity_labels"]),
    }


def _labels(like: Tensor, places: Tensor, labels: Tensor) -> Tensor:
    made = torch.full(like.shape, -100)
    made.view(-1)[places] = labels
    return made


def variants(config: LukeConfig = SMALL) -> list[LukeConfig]:
    """With and without entity-aware attention."""
    return [config, replace(config, entity_aware_attention=True)]
