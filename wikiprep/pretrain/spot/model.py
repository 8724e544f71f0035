"""SPOT as a module: a text encoder, spans, pairs, and three heads; `forward` gives sums of losses or of metrics.

All of it happens inside `forward`, since wrappers (DDP, FSDP) gather parameters around that call. Nothing branches on
the data: every parameter is reached by every batch, without a mention or a pair too.

Metrics are sums and counts of what is right: entities of gold spans, masked and visible; no-entity spans; relations.
"""

from typing import Literal

import torch
from torch import Tensor, nn
from torch.nn import functional as F  # noqa: N812 (its usual name)

from wikiprep.pretrain.family import Batch, Sums
from wikiprep.pretrain.luke import batch as word_names
from wikiprep.pretrain.luke.config import LukeConfig
from wikiprep.pretrain.luke.layers import initialise
from wikiprep.pretrain.luke.metrics import number_of, word_metrics
from wikiprep.pretrain.luke.model import Luke
from wikiprep.pretrain.luke.softmax import cross_entropy_sum
from wikiprep.pretrain.spot import batch as names
from wikiprep.pretrain.spot.config import SIGMOID, SpotConfig
from wikiprep.pretrain.spot.entity_softmax import ADAPTIVE, NO_ENTITY, AdaptiveSoftmax, ExactSoftmax
from wikiprep.pretrain.spot.pair_encoder import PairEncoder
from wikiprep.pretrain.spot.span_encoder import SpanEncoder

MLM, ENTITY, RELATION = "mlm", "entity", "relation"


class Spot(nn.Module):
    """Parameters are drawn from `seed` (None: left as they are). `text` is a RoBERTa with its head for masked words."""

    def __init__(self, text: LukeConfig, config: SpotConfig, seed: int | None = 0) -> None:
        super().__init__()
        self.config = config
        self.text = Luke(text, None)
        self.spans = SpanEncoder(config.spans(text))
        self.pairs = PairEncoder(config.pairs(text))
        size, classes = self.spans.options.size, config.entity_vocab_size
        self.entities: AdaptiveSoftmax | ExactSoftmax = (
            AdaptiveSoftmax(size, classes, config.entity_cutoffs, config.entity_ratio)
            if config.entity_softmax == ADAPTIVE
            else ExactSoftmax(size, classes, config.entity_size, text.norm_eps)
        )
        self.relations = nn.Linear(self.pairs.options.size, config.relations)
        if seed is not None:
            initialise(self.text, seed, text.init_std, text.pad_id)
            for number, part in enumerate((self.spans, self.pairs, self.entities, self.relations), 1):
                initialise(part, seed + number, text.init_std, text.pad_id)

    def states(self, batch: Batch) -> tuple[Tensor, Tensor]:
        """Last hidden states of masked words [n, D] and of the tokens of all spans [T, D]; no others are computed."""
        targets = batch[word_names.WORD_TARGETS]
        states = self.text.run(batch, torch.cat([targets, batch[names.SPAN_PLACES]]))
        return states[: len(targets)], states[len(targets) :]

    def span_vectors(self, tokens: Tensor, spans: names.SpanBatch) -> Tensor:
        """States of the spans' tokens [T, D] to e [S, size]."""
        # Behind them a row that no span has, so that there is one for a batch without spans.
        padded = F.pad(tokens, (0, 0, 0, 1))
        encoded: Tensor = self.spans(padded[None], torch.zeros_like(spans.starts), spans.starts, spans.ends)
        return encoded

    def pair_vectors(self, vectors: Tensor, spans: names.SpanBatch, heads: Tensor, tails: Tensor) -> Tensor:
        """e of all spans and P pairs of mentions to r [P, size]; negative spans take no part."""
        mentions = vectors[: len(spans.layout.slots)]
        encoded: Tensor = self.pairs(mentions, spans.layout, heads, tails)
        return encoded

    def forward(self, batch: Batch, want: Literal["losses", "metrics"] = "losses") -> Sums:
        """Sum and number of each loss (`mlm`, `entity`, `relation`) or of each metric; see `family.Family`."""
        words, tokens = self.states(batch)
        spans = names.spans_of(batch)
        vectors = self.span_vectors(tokens, spans)
        pairs = self.pair_vectors(vectors, spans, batch[names.PAIR_HEADS], batch[names.PAIR_TAILS])
        head = self.text.word_head
        word_inputs = head(words), self.text.words.token.weight, head.bias, batch[word_names.WORD_LABELS]
        targets = vectors.index_select(0, batch[names.ENTITY_ROWS])
        if want == "metrics":
            ranks = self.entities.ranks(targets, batch[names.ENTITY_LABELS])
            metrics = word_metrics(*word_inputs) | entity_metrics(ranks, batch)
            return metrics | relation_metrics(self.relations(pairs), batch)
        entity = names.entity_targets_of(batch)
        return {
            MLM: (cross_entropy_sum(*word_inputs), number_of(word_inputs[3])),
            ENTITY: (self.entities.loss_sum(targets, entity), number_of(entity.labels)),
            RELATION: (self._relation_loss(pairs, batch), number_of(batch[names.PAIR_HEADS])),
        }

    def _relation_loss(self, pairs: Tensor, batch: Batch) -> Tensor:
        """Sum over pairs of the weighted mean of -log P over its properties.

        Of a head of sigmoids, of the binary cross-entropies of all relations, which is -log P of the pair's set of
        properties.
        """
        scores = self.relations(pairs)
        wide = scores if scores.dtype == torch.float64 else scores.float()
        if self.config.relation_head == SIGMOID:
            target_scores: Tensor = wide[batch[names.RELATION_PAIRS], batch[names.RELATION_LABELS]]
            return F.softplus(wide).sum() - target_scores.sum()
        log_probs = wide.log_softmax(dim=1)[batch[names.RELATION_PAIRS], batch[names.RELATION_LABELS]]
        total: Tensor = -(log_probs * batch[names.RELATION_WEIGHTS].to(log_probs.dtype)).sum()
        return total


def entity_metrics(ranks: Tensor, batch: Batch) -> Sums:
    """`entity_top1` and `entity_top10` of gold spans, and `no_entity_top1` of negative ones.

    `.masked`: gold spans whose tokens were all chosen; `.visible`: the others. Of negative spans those count that are
    told to be none.
    """
    labels, hidden = batch[names.ENTITY_LABELS], batch[names.ENTITY_HIDDEN]
    gold = labels != NO_ENTITY
    sums = {}
    for suffix, kind in (("", gold), (".masked", gold & hidden), (".visible", gold & ~hidden)):
        for limit in (1, 10):
            sums[f"entity_top{limit}{suffix}"] = ((ranks < limit) & kind).sum(), kind.sum()
    sums["no_entity_top1"] = ((ranks < 1) & ~gold).sum(), (~gold).sum()
    return sums


def relation_metrics(scores: Tensor, batch: Batch) -> Sums:
    """`relation_top1`: pairs whose likeliest class is a target; `relation_most_frequent`: of how many class 0 is.
    A class is a target of a pair once, so that pairs are counted and not targets."""
    pairs, labels = batch[names.RELATION_PAIRS], batch[names.RELATION_LABELS]
    total = number_of(batch[names.PAIR_HEADS])
    best = scores.argmax(dim=1)[pairs]
    return {
        "relation_top1": ((best == labels).sum(), total),
        "relation_most_frequent": ((labels == 0).sum(), total),
    }
