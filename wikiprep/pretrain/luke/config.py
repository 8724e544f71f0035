"""The options of a LUKE model: its size and kind, and its objective, what is masked and predicted.

Two sizes are known by name: base and large, as published; `tiny` is for tests. The objective is as published unless
another value is given.
"""

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


WORD_MASKING = ("whole-word", "subword")


@dataclass(frozen=True, kw_only=True)
class Objective:
    """Table `[objective]`. Shares are of a record's tokens or entities; docs/luke-model.md has their sources."""

    word_masking: str = option(
        "whole-word",
        "whole-word: a word begins after a space, at ASCII punctuation, and with a sentence. subword: each by itself; "
        "for languages without spaces, where a word would be long.",
        choices=WORD_MASKING,
    )
    word_share: float = option(0.15, "Of subwords that are chosen to be predicted.", minimum=0, maximum=1)
    mask_share: float = option(0.8, "Of the chosen words: these become the mask.", minimum=0, maximum=1)
    random_share: float = option(
        0.1, "And these other tokens; the rest stay as they are, and are predicted too.", minimum=0, maximum=1
    )
    entity_share: float = option(0.15, "Of entities that are chosen to be predicted.", minimum=0, maximum=1)
    random_entity_prob: float = option(
        0.0,
        "Of the chosen entities: another stands in their place, drawn from all but special ones.",
        minimum=0,
        maximum=1,
    )
    unmasked_entity_prob: float = option(
        0.0, "And these stay as they are; the rest become [MASK].", minimum=0, maximum=1
    )
    mask_entity_words: bool = option(False, "The words of a masked entity are masked too, and predicted.")
    unk_targets: bool = option(True, "[UNK] is masked and predicted like an entity, as in the published run.")
    entity_weights: str = option(
        "uniform",
        "How likely an entity is chosen: uniform, or by links or degree (different items that its item has triples "
        "with), or a file of numpy's with one number an entity id.",
    )
    entity_exponent: float = option(
        -0.5,
        "Of (1 + links) or of (1 + degree): under 0 chooses rare entities more often.",
        minimum=-1000,
        maximum=1000,
    )
    word_weights: str = option("", "Likewise of words: a file of kg-weights, or of numpy's with one number a token id.")

    def __post_init__(self) -> None:
        """Raises UsageError for a value that cannot be."""
        check_all(self, "objective")
        if self.mask_share + self.random_share > 1:
            raise UsageError(
                f"objective.mask_share + random_share = {self.mask_share + self.random_share}",
                "together they take at most 1: the rest of the chosen words stay as they are",
            )
        if self.random_entity_prob + self.unmasked_entity_prob > 1:
            raise UsageError(
                f"objective.random_entity_prob + unmasked_entity_prob = "
                f"{self.random_entity_prob + self.unmasked_entity_prob}",
                "together they take at most 1: the rest of the chosen entities become [MASK]",
            )
        if not (self.word_share or self.entity_share):
            raise UsageError("objective.word_share and entity_share are both 0", "there would be nothing to learn")
