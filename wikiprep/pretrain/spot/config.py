"""The sizes of what SPOT has beside its text encoder. Defaults and their sources: docs/spot-model.md."""

from dataclasses import dataclass, fields

from wikiprep.errors import UsageError
from wikiprep.pretrain.luke.config import LukeConfig
from wikiprep.pretrain.spot.entity_softmax import SOFTMAXES
from wikiprep.pretrain.spot.pairs import PairOptions
from wikiprep.pretrain.spot.spans import SpanOptions

SOFTMAX, SIGMOID = RELATION_HEADS = ("softmax", "sigmoid")


@dataclass(frozen=True)
class SpotConfig:
    """`entity_vocab_size` and `relations` are those of the corpus. A size of 0 is the text encoder's hidden_size."""

    entity_vocab_size: int
    relations: int  # classes
    span_encoder: str = "endpoint+attention"  # of endpoint, attention, max: one, or several with + between
    max_span_width: int = 8  # l: tokens that count
    span_size: int = 0  # of a span's vector
    width_size: int = 64  # d_w
    attention_hidden: int = 150
    pair_size: int = 0  # of a pair's vector
    pair_layers: int = 2
    pair_heads: int = 8
    pair_inner_size: int = 0  # of queries, keys and values, all heads together
    span_attention: bool = True  # false: no self-attention among the spans of a sentence
    entity_softmax: str = "adaptive"  # or "exact"
    entity_cutoffs: tuple[int, ...] = (
        10_000,
        60_000,
        250_000,
    )  # of the adaptive one; those behind all ids fall out
    entity_ratio: int = 8  # a tail cluster is narrower by it than the one before
    entity_size: int = 256  # of a row of the exact one's table
    relation_head: str = SOFTMAX  # one property of a pair, or "sigmoid": each by itself, all of a pair's are right

    def __post_init__(self) -> None:
        """Raises UsageError for sizes that make no module."""
        for field in fields(self):
            value = getattr(self, field.name)
            least = 0 if field.name in ("span_size", "pair_size", "pair_inner_size") else 1
            if isinstance(value, int) and not isinstance(value, bool) and value < least:
                raise UsageError(f"model.{field.name} = {value}", f"the least is {least}")
        for name, known in (("entity_softmax", SOFTMAXES), ("relation_head", RELATION_HEADS)):
            if getattr(self, name) not in known:
                raise UsageError(f"model.{name} = {getattr(self, name)!r}", f"it takes {' or '.join(known)}")
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
