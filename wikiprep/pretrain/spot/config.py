"""The options of SPOT: sizes of what it has beside its text encoder, and its objective, what is masked and predicted.

Defaults and their sources, and which of the objective are published: docs/spot-model.md.
"""

from dataclasses import dataclass

from wikiprep.errors import UsageError
from wikiprep.options.option_fields import check_all, option, required
from wikiprep.pretrain.luke.config import LukeConfig
from wikiprep.pretrain.spot.entity_softmax import SOFTMAXES
from wikiprep.pretrain.spot.pair_encoder import PairOptions
from wikiprep.pretrain.spot.span_encoder import SpanOptions

SOFTMAX, SIGMOID = RELATION_HEADS = ("softmax", "sigmoid")


@dataclass(frozen=True, kw_only=True)
class SpotConfig:
    """Of table `[model]`. A size of 0 is the text encoder's hidden_size."""

    entity_vocab_size: int = required("Entities; the corpus decides it.", minimum=1)
    relations: int = required("Classes of relations; the corpus decides it.", minimum=1)
    span_encoder: str = option("endpoint+attention", "Of endpoint, attention, max: one, or several with + between.")
    max_span_width: int = option(8, "Tokens of a span that count.", minimum=1)
    span_size: int = option(0, "Of a span's vector.", minimum=0)
    width_size: int = option(64, "Of a span's width as a vector.", minimum=1)
    attention_hidden: int = option(150, "Of the span's attention.", minimum=1)
    pair_size: int = option(0, "Of a pair's vector.", minimum=0)
    pair_layers: int = option(2, "Of self-attention among a sentence's spans.", minimum=1)
    pair_heads: int = option(8, "Heads of each.", minimum=1)
    pair_inner_size: int = option(0, "Of queries, keys and values, all heads together.", minimum=0)
    span_attention: bool = option(True, "false: no self-attention among the spans of a sentence.")
    entity_softmax: str = option("adaptive", "adaptive: in clusters by frequency. exact: one table.", choices=SOFTMAXES)
    entity_cutoffs: tuple[int, ...] = option(
        (10_000, 60_000, 250_000), "Of the adaptive one's clusters; those behind all ids fall out."
    )
    entity_ratio: int = option(8, "A tail cluster is narrower by it than the one before.", minimum=1)
    entity_size: int = option(256, "Of a row of the exact one's table.", minimum=1)
    relation_head: str = option(
        SOFTMAX,
        "softmax: one property of a pair. sigmoid: each by itself, all of a pair's are right.",
        choices=RELATION_HEADS,
    )

    def __post_init__(self) -> None:
        """Raises UsageError for sizes that make no module."""
        check_all(self, "model")
        rising = sorted({*self.entity_cutoffs}) == list(self.entity_cutoffs)
        if not rising or min(self.entity_cutoffs, default=1) < 1:
            raise UsageError(
                f"model.entity_cutoffs = {list(self.entity_cutoffs)}", "it takes numbers of classes from 1 on, rising"
            )

    def spans(self, text: LukeConfig) -> SpanOptions:
        """Of the span encoder. Raises UsageError where its options make none."""
        return SpanOptions(
            text.hidden_size,
            self.span_size or text.hidden_size,
            tuple(self.span_encoder.split("+")),
            self.max_span_width,
            self.width_size,
            self.attention_hidden,
            text.norm_eps,
        )

    def pairs(self, text: LukeConfig) -> PairOptions:
        """Of the pair encoder, with the text encoder's dropout. Raises UsageError where its options make none."""
        return PairOptions(
            self.span_size or text.hidden_size,
            self.pair_size or text.hidden_size,
            self.pair_layers,
            self.pair_heads,
            self.pair_inner_size,
            self.span_attention,
            text.dropout,
            text.norm_eps,
        )


@dataclass(frozen=True, kw_only=True)
class SpotStart:
    """What `[model]` has beside the sizes."""

    size: str = option("luke-base", "Of the text encoder, a known one. `start` decides its own.")
    start: str = option("", "A BERT or RoBERTa checkpoint to go on from, which then decides the sizes.")


DRAWN, MEAN = SEVERAL = ("drawn", "mean")
PER_ENTITY, PER_TOKEN = REPLACEMENT_UNITS = ("entity", "token")


@dataclass(frozen=True, kw_only=True)
class Objective:
    """Table `[objective]`. Shares are of a record's tokens or mentions."""

    token_share: float = option(
        0.10, "Single tokens that are predicted, beside those of the chosen mentions.", minimum=0, maximum=1
    )
    entity_share: float = option(0.20, "Mentions that are, all tokens of each.", minimum=0, maximum=1)
    mask_share: float = option(0.8, "Of what is chosen: these become the mask.", minimum=0, maximum=1)
    random_share: float = option(0.1, "And these other tokens; the rest stay as they are.", minimum=0, maximum=1)
    replacement_unit: str = option(
        PER_ENTITY,
        "entity: one draw of the three for a mention. token: one for each of its tokens.",
        choices=REPLACEMENT_UNITS,
    )
    single_tokens_in_mentions: bool = option(True, "false: single tokens are drawn outside of all mentions.")
    negatives: int = option(1, "Spans that are no mention, for each mention.", minimum=0)
    negative_width: int = option(8, "Tokens of such a span at most.", minimum=1)
    negatives_overlap: bool = option(True, "It may share tokens with a mention, if it is not one.")
    unk_targets: bool = option(False, "Mentions outside the vocabulary are predicted as [UNK].")
    several_properties: str = option(
        DRAWN, "Of a pair: drawn: one of them, for each epoch. mean: of their losses.", choices=SEVERAL
    )
    pairs_of_record: int = option(
        256, "Pairs with a relation that are learned from at most, drawn for each epoch.", minimum=1
    )

    def __post_init__(self) -> None:
        """Raises UsageError for a value that cannot be."""
        check_all(self, "objective")
        if self.mask_share + self.random_share > 1:
            raise UsageError(
                f"objective.mask_share + random_share = {self.mask_share + self.random_share}",
                "together they take at most 1: the rest of what is chosen stays as it is",
            )
