"""The size and kind of a LUKE model. Two names that are known: base and large, as published; `tiny` is for tests."""

import math
from dataclasses import dataclass, fields, replace
from typing import Any

from wikiprep.errors import UsageError
from wikiprep.nearest import names_are

ENTITY_HEADS = ("released", "paper")


@dataclass(frozen=True)
class LukeConfig:
    """Sizes of the module. `vocab_size` and `entity_vocab_size` are those of the corpus, specials included."""

    vocab_size: int
    entity_vocab_size: int = 500_000
    hidden_size: int = 768
    entity_size: int = 256  # of a row of the entity table; a bias-free matrix takes it to hidden_size
    layers: int = 12
    heads: int = 12
    intermediate_size: int = 3072
    max_positions: int = 514  # rows of both position tables; words use those from pad_id + 1 on, entities from 0
    type_rows: int = 1
    pad_id: int = 1
    dropout: float = 0.1
    attention_dropout: float = 0.1
    norm_eps: float = 1e-5
    init_std: float = 0.02
    entities: bool = True  # False: RoBERTa, words alone (the paper's control)
    entity_aware_attention: bool = False  # four query matrices, by the kinds of the two tokens
    entity_bias: bool = True  # False: an entity's score is the product with its row alone
    entity_head: str = "released"  # dense D->H, norm; "paper": dense D->D, norm, projection D->H

    def __post_init__(self) -> None:
        """Raises UsageError for sizes that make no model."""
        for field in fields(self):
            value = getattr(self, field.name)
            if isinstance(value, int) and not isinstance(value, bool) and value < (0 if field.name == "pad_id" else 1):
                raise UsageError(f"model.{field.name} = {value}", "it takes a whole number above 0")
            if isinstance(value, float) and not (math.isfinite(value) and value >= 0):
                raise UsageError(f"model.{field.name} = {value}", "it takes a number from 0 on")
        for name in ("dropout", "attention_dropout"):
            if getattr(self, name) >= 1:
                raise UsageError(f"model.{name} = {getattr(self, name)}", "it takes a share under 1")
        if self.hidden_size % self.heads:
            raise UsageError(
                f"model.hidden_size = {self.hidden_size} does not divide by model.heads = {self.heads}",
                "each head takes an equal share: choose one that divides the other",
            )
        if self.entity_head not in ENTITY_HEADS:
            raise UsageError(f"model.entity_head = {self.entity_head!r}", f"it takes {' or '.join(ENTITY_HEADS)}")
        if self.entity_aware_attention and not self.entities:
            raise UsageError("model.entity_aware_attention of a model without entities", "leave one of the two out")
        if self.max_words < 3:
            raise UsageError(f"model.max_positions = {self.max_positions}", f"it must be over {self.pad_id + 3}")

    @property
    def first_position(self) -> int:
        """Row of the position table that the first token has: behind the padding's."""
        return self.pad_id + 1

    @property
    def max_words(self) -> int:
        """Tokens of a record at most, `<s>` and `</s>` included: positions of words start behind `pad_id`."""
        return self.max_positions - self.pad_id - 1


SIZES: dict[str, dict[str, Any]] = {
    "luke-base": {},
    "luke-large": {"hidden_size": 1024, "layers": 24, "heads": 16, "intermediate_size": 4096},
    "tiny": {"hidden_size": 64, "entity_size": 32, "layers": 2, "heads": 4, "intermediate_size": 128},
}


def sized(name: str, vocab_size: int, entity_vocab_size: int) -> LukeConfig:
    """The configuration of a known size for a corpus. Raises UsageError for another name."""
    if name not in SIZES:
        raise UsageError(f"no model size {name!r}", names_are("sizes", name, SIZES))
    return replace(LukeConfig(vocab_size, entity_vocab_size), **SIZES[name])
