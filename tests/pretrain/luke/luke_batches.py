"""Random records and batches of LUKE, and small models for them; transformers is not needed, nor slow to import."""

from dataclasses import replace

import numpy as np
from torch import Tensor

from wikiprep.pretrain.luke.collate import collate
from wikiprep.pretrain.luke.config import LukeConfig, Objective
from wikiprep.pretrain.luke.masking import mask
from wikiprep.pretrain.luke.words import Words
from wikiprep.records.record import Record

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


def variants(config: LukeConfig = SMALL) -> list[LukeConfig]:
    """With and without entity-aware attention."""
    return [config, replace(config, entity_aware_attention=True)]
