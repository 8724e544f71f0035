"""A batch and a model of SPOT without a corpus: made-up sentences, for `spot_step.py` and `spot_memory.py`."""

import numpy as np

from wikiprep.pretrain.family import Batch
from wikiprep.pretrain.luke.config import LukeConfig, config_of_size
from wikiprep.pretrain.luke.words import Words
from wikiprep.pretrain.spot.collate import collate
from wikiprep.pretrain.spot.config import Objective, SpotConfig
from wikiprep.pretrain.spot.entity_softmax import ADAPTIVE, usable_cutoffs
from wikiprep.pretrain.spot.example import example_of
from wikiprep.pretrain.spot.relation_classes import RelationClasses
from wikiprep.records.record import RELATION, Record

WORDS = 50_265  # RoBERTa's


def sizes(size: str, entities: int, relations: int) -> tuple[LukeConfig, SpotConfig]:
    """Text encoder and the rest, of a size that `config_of_size` knows."""
    text = LukeConfig(**{**vars_of(config_of_size(size, WORDS, 1)), "entities": False})
    return text, SpotConfig(
        entity_vocab_size=entities, relations=relations, pair_heads=8 if text.hidden_size % 8 == 0 else 4
    )


def vars_of(config: LukeConfig) -> dict[str, object]:
    """The fields of a configuration, by name."""
    return {name: getattr(config, name) for name in config.__dataclass_fields__}


def words() -> Words:
    """Of RoBERTa's sizes."""
    return Words(WORDS, 0, 2, 1, WORDS - 1, np.ones(WORDS, np.bool_), np.arange(4, WORDS - 1, dtype=np.int32))


def sentence(number: int, tokens: int, mentions: int, pairs: int, entities: int, relations: int) -> Record:
    """Mentions of 1 to 4 tokens, of entities as frequent as Zipf's law says; `pairs` of them with a relation."""
    rng = np.random.default_rng(number)
    step = max(1, tokens // max(1, mentions))
    starts = np.arange(mentions) * step
    widths = rng.integers(1, min(4, step) + 1, mentions)
    ids = 3 + np.minimum(entities - 4, (np.exp(rng.random(mentions) * np.log(entities))).astype(np.int64))
    all_pairs = [(i, j) for i in range(mentions) for j in range(mentions) if i != j]
    pair_numbers = sorted(rng.permutation(len(all_pairs))[:pairs].tolist())
    related = [(*all_pairs[at], int(rng.integers(relations))) for at in pair_numbers]
    return Record(
        number,
        0,
        0,
        rng.integers(4, WORDS - 1, tokens).astype(np.int32),
        ids.astype(np.int32),
        starts.astype(np.int16),
        (starts + widths).astype(np.int16),
        np.zeros(mentions, np.int8),
        np.zeros(1, np.int16),
        np.array(related, RELATION),
    )


def batch_of(records: list[Record], config: SpotConfig, rows: list[int] | None = None) -> Batch:
    """Masked and collated as a run does."""
    classes = RelationClasses(np.arange(config.relations, dtype=np.int64), (None,) * config.relations)
    examples = [
        example_of(record, words(), classes, Objective(), np.random.default_rng(number))
        for number, record in enumerate(records)
    ]
    adaptive = config.entity_softmax == ADAPTIVE
    cutoffs = usable_cutoffs(config.entity_cutoffs, config.entity_vocab_size) if adaptive else ()
    return collate(examples, rows, words(), cutoffs, config.max_span_width)
