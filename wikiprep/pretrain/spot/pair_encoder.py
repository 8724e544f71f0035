"""Vectors of ordered pairs of spans: self-attention among the spans of a sentence, then a network over each pair.

Spans of a batch are one flat list, and so are pairs, as places in it. Only inside the attention spans lie in a table,
a row a sentence, so that sentences see only themselves (`Layout`).
"""

from collections.abc import Sequence
from dataclasses import dataclass
from typing import NamedTuple

import numpy as np
import numpy.typing as npt
import torch
from torch import Tensor, nn
from torch.nn import functional as F  # noqa: N812 (its usual name)

from wikiprep.errors import UsageError

Ints = npt.NDArray[np.int64]


@dataclass(frozen=True)
class PairOptions:
    """Sizes of the module; defaults are docs/spot-model.md's, of which the paper says `layers` and `heads`."""

    span_size: int  # D, of a span's vector
    size: int  # of a pair's vector
    layers: int = 2
    heads: int = 8
    inner_size: int = 0  # of queries, keys and values together, all heads; 0: span_size
    span_attention: bool = True  # False: pairs of the spans' own vectors (an ablation of the paper)
    dropout: float = 0.1  # of what an attention layer gives, before its residual
    norm_eps: float = 1e-5

    def __post_init__(self) -> None:
        """Raises UsageError for sizes that make no module."""
        for name in ("span_size", "size", "layers", "heads"):
            if getattr(self, name) < 1:
                raise UsageError(f"{name} = {getattr(self, name)} of the pair encoder", "it takes a number from 1 on")
        if self.inner_size < 0 or self.inner % self.heads:
            raise UsageError(f"an inner size of {self.inner} for {self.heads} heads", "each head takes an equal share")
        if not 0 <= self.dropout < 1:
            raise UsageError(f"dropout = {self.dropout} of the pair encoder", "it takes a share under 1")

    @property
    def inner(self) -> int:
        """Of queries, of keys and of values, all heads together."""
        return self.inner_size or self.span_size


class Layout(NamedTuple):
    """Where the spans of a flat list stand in a table with a row a sentence: R sentences of at most M spans.

    `slots` [S]: place of each span in the flattened [R · M]; `real` [R, M]: where there is one. R and M are at least 1.
    """

    slots: Tensor
    real: Tensor

    @classmethod
    def of(cls, counts: Sequence[int]) -> "Layout":
        """Of the spans of each sentence, one sentence behind the other in the list; on the CPU."""
        numbers = np.asarray(counts, np.int64).reshape(-1)
        width = max(1, int(numbers.max(initial=0)))
        real = np.arange(width) < (numbers if len(numbers) else np.zeros(1, np.int64))[:, None]
        return cls(torch.from_numpy(np.flatnonzero(real)), torch.from_numpy(real))


class PairEncoder(nn.Module):
    """Spans e [S, D] and pairs (i, j) to r [P, size]:

    e~   `layers` times LayerNorm(x + O · attention(x)), multi-head over the spans of the sentence, without positions
    r_ij LayerNorm(gelu(W [e~_i ; e~_j] + b)), which is not r_ji
    """

    def __init__(self, options: PairOptions) -> None:
        super().__init__()
        self.options = options
        self.layers = nn.ModuleList(SpanAttention(options) for _ in range(options.layers * options.span_attention))
        # The two halves of W, so that each span is multiplied once, however many pairs it is in.
        self.head = nn.Linear(options.span_size, options.size)
        self.tail = nn.Linear(options.span_size, options.size, bias=False)
        self.norm = nn.LayerNorm(options.size, eps=options.norm_eps)

    def in_sentence(self, spans: Tensor, layout: Layout) -> Tensor:
        """e [S, D] -> e~ [S, D]."""
        for layer in self.layers:
            spans = layer(spans, layout)
        return spans

    def of_pairs(self, spans: Tensor, heads: Tensor, tails: Tensor) -> Tensor:
        """e~ [S, D] and places of heads and of tails in it, [P] each -> r [P, size]."""
        pairs = F.embedding(heads, self.head(spans)) + F.embedding(tails, self.tail(spans))
        vectors: Tensor = self.norm(F.gelu(pairs))
        return vectors

    def forward(self, spans: Tensor, layout: Layout, heads: Tensor, tails: Tensor) -> Tensor:
        """Both: e [S, D] -> r [P, size]."""
        return self.of_pairs(self.in_sentence(spans, layout), heads, tails)


class SpanAttention(nn.Module):
    """Multi-head self-attention among the spans of a sentence, with a residual and LayerNorm; no feed-forward part."""

    def __init__(self, options: PairOptions) -> None:
        super().__init__()
        self.heads = options.heads
        self.qkv = nn.Linear(options.span_size, 3 * options.inner)
        self.out = nn.Linear(options.inner, options.span_size)
        self.norm = nn.LayerNorm(options.span_size, eps=options.norm_eps)
        self.dropout = nn.Dropout(options.dropout)

    def forward(self, spans: Tensor, layout: Layout) -> Tensor:
        """[S, D] -> [S, D]."""
        rows, width = layout.real.shape
        qkv: Tensor = self.qkv(spans)
        table = qkv.new_zeros(rows * width, qkv.shape[1]).index_copy(0, layout.slots, qkv)
        query, key, value = table.view(rows, width, 3, self.heads, -1).permute(2, 0, 3, 1, 4)
        # In a row without a span all see all: a softmax of nothing is no number, and its gradient neither.
        seen = layout.real | ~layout.real.any(dim=1, keepdim=True)
        context = F.scaled_dot_product_attention(query, key, value, seen[:, None, None, :])
        context = context.transpose(1, 2).reshape(rows * width, -1).index_select(0, layout.slots)
        output: Tensor = self.norm(spans + self.dropout(self.out(context)))
        return output


class Pairs(NamedTuple):
    """Ordered pairs as places in the flat list of spans, by sentence, and how many more there would have been."""

    heads: Ints
    tails: Ints
    left_out: int


def ordered_pairs(counts: Sequence[int], most: int = 0, rng: np.random.Generator | None = None) -> Pairs:
    """All (i, j), i != j, of the spans of each sentence, which stand one sentence behind the other; by i, then j.

    They are quadratic in the spans: of a sentence with more than `most` (0: any number) as many are drawn with `rng`,
    without replacement, or the first ones are taken where there is none.
    """
    heads, tails, offset, left_out = [], [], 0, 0
    for count in counts:
        number = np.arange(count * max(0, count - 1), dtype=np.int64)
        if most and len(number) > most:
            left_out += len(number) - most
            number = number[:most] if rng is None else np.sort(rng.choice(len(number), most, replace=False))
        head, other = np.divmod(number, max(1, count - 1))
        heads.append(offset + head)
        tails.append(offset + other + (other >= head))
        offset += count
    empty = np.zeros(0, np.int64)
    return Pairs(np.concatenate([empty, *heads]), np.concatenate([empty, *tails]), left_out)
