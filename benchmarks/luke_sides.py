"""Both sides of luke_step.py and gpu_check.py: transformers' LukeForMaskedLM in a plain loop, and ours, on one batch.

The same weights, records, masks, precision, dropout and AdamW, and the same objective; theirs makes all scores, as a
user's loop does.
"""

from collections.abc import Callable
from dataclasses import dataclass

import numpy as np
import torch
from torch import Tensor, nn
from transformers import LukeConfig as TheirConfig
from transformers import LukeForMaskedLM

from wikiprep.pretrain.luke.collate import collate
from wikiprep.pretrain.luke.config import LukeConfig, Objective
from wikiprep.pretrain.luke.masking import mask
from wikiprep.pretrain.luke.model import Luke
from wikiprep.pretrain.luke.parameter_names import from_hugging_face
from wikiprep.pretrain.luke.words import Words
from wikiprep.records.record import Record

WORD_VOCABULARY = 50_265
Batch = dict[str, Tensor]
Step = Callable[[], None]


@dataclass(frozen=True)
class Shape:
    """A batch: records, each of `words` tokens (specials included) and `entities`; `together` of them a sequence."""

    records: int
    words: int
    entities: int
    together: int = 1


def random_batch(config: LukeConfig, shape: Shape) -> Batch:
    """Generated records, masked as published; entities by Zipf's law, mentions of one to four tokens."""
    rng = np.random.default_rng(0)
    word_starts = rng.random(config.vocab_size) < 0.75  # as in English text
    size = config.vocab_size
    vocabulary = Words(size, 0, 2, 1, size - 1, word_starts, np.arange(4, size - 1, dtype=np.int32))
    records = [_record(rng, config, shape, number) for number in range(shape.records)]
    masked = [
        mask(record, vocabulary, Objective(), np.random.default_rng(number)) for number, record in enumerate(records)
    ]
    rows = [number // shape.together for number in range(shape.records)]
    return collate(records, masked, rows if shape.together > 1 else None, vocabulary, True)


def _record(rng: np.random.Generator, config: LukeConfig, shape: Shape, number: int) -> Record:
    starts = np.sort(rng.integers(0, shape.words - 6, shape.entities)).astype(np.int16)
    return Record(
        number,
        0,
        0,
        rng.integers(4, config.vocab_size - 1, shape.words - 2).astype(np.int32),
        (3 + (rng.zipf(1.2, shape.entities) - 1) % (config.entity_vocab_size - 4)).astype(np.int32),
        starts,
        (starts + rng.integers(1, 5, shape.entities)).astype(np.int16),
        np.zeros(shape.entities, np.int8),
        np.zeros(1, np.int16),
    )


def their_model(config: LukeConfig) -> LukeForMaskedLM:
    """As a user has it, but with the word decoder tied as in RoBERTa: the same parameters on both sides."""
    torch.manual_seed(0)
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
        )
    )
    model.lm_head.decoder.weight = model.luke.embeddings.word_embeddings.weight
    return model


def our_model(config: LukeConfig, plain: LukeForMaskedLM) -> Luke:
    """Ours with the weights of theirs."""
    model = Luke(config)
    model.load_state_dict(from_hugging_face(plain.state_dict(), model.state_dict()))
    return model.to(next(plain.parameters()).device)


def their_inputs(batch: Batch) -> Batch:
    """What their model takes, labels at all positions."""
    width = batch["word_ids"].shape[1]
    places = batch["entity_starts"][..., None] + torch.arange(30, device=batch["real"].device)  # as their tokenizer
    return {
        "input_ids": batch["word_ids"],
        "attention_mask": batch["real"][:, :width].long(),
        "entity_ids": batch["entity_ids"],
        "entity_attention_mask": batch["real"][:, width:].long(),
        "entity_position_ids": torch.where(places < batch["entity_ends"][..., None], places, -1),
        "labels": _labels(batch["word_ids"], batch["word_targets"], batch["word_labels"]),
        "entity_labels": _labels(batch["entity_ids"], batch["entity_targets"], batch["entity_labels"]),
    }


def _labels(like: Tensor, places: Tensor, values: Tensor) -> Tensor:
    labels = torch.full_like(like, -100)
    labels.view(-1)[places] = values
    return labels


def their_loss(model: LukeForMaskedLM, batch: Batch) -> Callable[[], Tensor]:
    """Both losses added up, each a mean."""
    inputs = their_inputs(batch)
    return lambda: model(**inputs).loss


def our_loss(model: Luke, batch: Batch) -> Callable[[], Tensor]:
    """Both losses of ours added up, each a mean."""
    return lambda: torch.stack([total / count for total, count in model(batch).values()]).sum()


def training_step(model: nn.Module, loss: Callable[[], Tensor], bf16: bool, update: bool = True) -> Step:
    """Forward, backward and, with `update`, AdamW."""
    # On a CPU `foreach` would make copies of all the state; both sides have the same.
    optimiser = torch.optim.AdamW(model.parameters(), lr=1e-5, weight_decay=0.01, fused=True)
    kind = next(model.parameters()).device.type

    def step() -> None:
        with torch.autocast(kind, torch.bfloat16, enabled=bf16):
            value = loss()
        optimiser.zero_grad(set_to_none=True)
        value.backward()
        if update:
            optimiser.step()

    return step


def device_name(device: torch.device) -> str:
    """As its maker calls it."""
    return torch.cuda.get_device_name(device) if device.type == "cuda" else f"CPU, {torch.get_num_threads()} threads"
