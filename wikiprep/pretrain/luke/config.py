"""The size and kind of a LUKE model. Two names that are known: base and large, as published; `tiny` is for tests."""

from dataclasses import dataclass, replace
from typing import Any

from wikiprep.errors import UsageError
from wikiprep.options.option_fields import check_all, option, required
from wikiprep.suggestions import names_hint

ENTITY_HEADS = ("released", "paper")


@dataclass(frozen=True, kw_only=True)
class LukeConfig:
    """Sizes of the module, of table `[model]`.

    `vocab_size` and `entity_vocab_size` are those of the corpus, specials included.
    """

    vocab_size: int = required("Rows of the table of words; the corpus decides it.", minimum=1)
    entity_vocab_size: int = option(500_000, "Rows of the table of entities; the corpus decides it.", minimum=1)
    hidden_size: int = option(768, "Of a token's vector.", minimum=1)
    entity_size: int = option(
        256, "Of a row of the entity table; a matrix without bias takes it to hidden_size.", minimum=1
    )
    layers: int = option(12, "Of the encoder.", minimum=1)
    heads: int = option(12, "Attention heads of a layer; they must divide hidden_size.", minimum=1)
    intermediate_size: int = option(3072, "Of a layer's feed-forward part.", minimum=1)
    max_positions: int = option(
        514, "Rows of both position tables; words use those from pad_id + 1 on, entities from 0.", minimum=1
    )
    type_rows: int = option(1, "Token types; 2 where the encoder is BERT's.", minimum=1)
    pad_id: int = option(1, "Of the padding; the tokenizer decides it.", minimum=0)
    dropout: float = option(0.1, "In embeddings and layers.", minimum=0, maximum=0.999999)
    attention_dropout: float = option(0.1, "Of attention's weights.", minimum=0, maximum=0.999999)
    norm_eps: float = option(1e-5, "Of layer norms.", minimum=0)
    init_std: float = option(0.02, "Standard deviation of new parameters.", minimum=0)
    entities: bool = option(True, "false: RoBERTa, words alone (the paper's control).")
    entity_aware_attention: bool = option(False, "Four query matrices, by the kinds of the two tokens.")
    entity_bias: bool = option(True, "false: an entity's score is the product with its row alone.")
    entity_head: str = option(
        "released",
        "released: dense to entity_size, norm. paper: dense to hidden_size, norm, projection to entity_size.",
        choices=ENTITY_HEADS,
    )

    def __post_init__(self) -> None:
        """Raises UsageError for sizes that make no model."""
        check_all(self, "model")
        if self.hidden_size % self.heads:
            raise UsageError(
                f"model.hidden_size = {self.hidden_size} does not divide by model.heads = {self.heads}",
                "each head takes an equal share: choose one that divides the other",
            )
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


def config_of_size(name: str, vocab_size: int, entity_vocab_size: int) -> LukeConfig:
    """The configuration of a known size for a corpus. Raises UsageError for another name."""
    if name not in SIZES:
        raise UsageError(f"no model size {name!r}", names_hint("sizes", name, SIZES))
    return replace(LukeConfig(vocab_size=vocab_size, entity_vocab_size=entity_vocab_size), **SIZES[name])


@dataclass(frozen=True, kw_only=True)
class LukeStart:
    """What `[model]` has beside the sizes."""

    size: str = option("luke-base", "A known one: luke-base, luke-large, or tiny for tests. `start` decides its own.")
    start: str = option("", "A BERT, RoBERTa or LUKE checkpoint to go on from, which then decides the sizes.")
    start_language: str = option("", "Of a start with entities in several languages: whose titles the corpus has.")
    decay_head_norm: bool = option(True, "Weight decay on the norm of the word head, as in the released code.")
    freeze_entity_table: bool = option(False, "The entity table stays as the start has it.")
