"""Vectors of spans of tokens: their end points and width, an attention over their tokens, the maximum, or several.

A batch's spans are one flat list, so that no sentence is padded to the spans of another. Of a span only its first
`max_width` tokens count.
"""

from dataclasses import dataclass

import torch
from torch import Tensor, nn
from torch.nn import functional as F  # noqa: N812 (its usual name)

from wikiprep.errors import UsageError

ENDPOINT, ATTENTION, MAX = "endpoint", "attention", "max"
KINDS = (ENDPOINT, ATTENTION, MAX)


@dataclass(frozen=True)
class SpanOptions:
    """Sizes of the module; defaults are docs/spot-model.md's, of which the paper says `kinds` and `max_width`."""

    hidden_size: int  # D, of a word's state
    size: int  # of a span's vector
    kinds: tuple[str, ...] = (ENDPOINT, ATTENTION)  # their parts are concatenated in this order
    max_width: int = 8  # l: tokens
    width_size: int = 64  # d_w: of the embedding of a width
    attention_hidden: int = 150  # of the network that gives a token its score (Lee et al. 2017)
    norm_eps: float = 1e-5

    def __post_init__(self) -> None:
        """Raises UsageError for kinds that are unknown, repeated or none, and for sizes under 1."""
        if not self.kinds or len({*self.kinds}) < len(self.kinds) or not {*self.kinds} <= {*KINDS}:
            raise UsageError(f"span kinds {list(self.kinds)}", f"one or several of {', '.join(KINDS)}, each once")
        for name in ("hidden_size", "size", "max_width", "width_size", "attention_hidden"):
            if getattr(self, name) < 1:
                raise UsageError(f"{name} = {getattr(self, name)} of the span encoder", "it takes a number from 1 on")

    @property
    def parts_size(self) -> int:
        """Of the parts together, before they are brought to `size`."""
        ends = 2 * self.hidden_size + self.width_size
        return sum(ends if kind == ENDPOINT else self.hidden_size for kind in self.kinds)


class SpanEncoder(nn.Module):
    """Words' states and spans [s, t) to e [S, size], in equations for w_s … w_{t-1}, with t at most s + l:

    endpoint   [w_s ; w_{t-1} ; E_{t-s}]
    attention  sum of a_k w_k,  a = softmax over the span of FFNN(w_k) = v · gelu(A w_k + b)  (+ c)
    max        the greatest of each component
    e          LayerNorm(W [parts] + b)
    """

    def __init__(self, options: SpanOptions) -> None:
        super().__init__()
        self.options = options
        hidden = options.hidden_size
        self.width = nn.Embedding(options.max_width, options.width_size) if ENDPOINT in options.kinds else None
        self.score: nn.Sequential | None = None
        if ATTENTION in options.kinds:
            # No bias behind it: a softmax does not see what is added to all.
            last = nn.Linear(options.attention_hidden, 1, bias=False)
            self.score = nn.Sequential(nn.Linear(hidden, options.attention_hidden), nn.GELU(), last)
        self.project = nn.Linear(options.parts_size, options.size)
        self.norm = nn.LayerNorm(options.size, eps=options.norm_eps)

    def forward(self, words: Tensor, rows: Tensor, starts: Tensor, ends: Tensor) -> Tensor:
        """[B, W, D] and S spans [start, end) of at least one token, each in its row of B -> [S, size].

        Not looked at here, where it would wait for a GPU: an empty span, or one that ends behind W, has a vector of no
        meaning.
        """
        states = words.flatten(0, 1)
        first = rows * words.shape[1] + starts
        widths = (ends - starts).clamp(max=self.options.max_width)
        parts = {ENDPOINT: self._endpoints, ATTENTION: self._attention_pool, MAX: self._max_pool}
        part_vectors = [parts[kind](states, first, widths) for kind in self.options.kinds]
        encoded: Tensor = self.norm(self.project(torch.cat(part_vectors, dim=-1)))
        return encoded

    def _endpoints(self, states: Tensor, first: Tensor, widths: Tensor) -> Tensor:
        assert self.width is not None
        return torch.cat(
            [_rows_at(states, first), _rows_at(states, first + widths - 1), self.width(widths - 1)], dim=-1
        )

    def _attention_pool(self, states: Tensor, first: Tensor, widths: Tensor) -> Tensor:
        """The scores are made once a word, since spans overlap where all of a sentence are looked at."""
        assert self.score is not None
        places, is_inside = self._token_places(states, first, widths)
        scores = self.score(states)[:, 0][places]
        weights = scores.float() if scores.dtype in (torch.bfloat16, torch.float16) else scores
        weights = weights.masked_fill(~is_inside, -torch.inf).softmax(dim=1).to(states.dtype)
        pooled: Tensor = (weights[:, None, :] @ _rows_at(states, places))[:, 0]
        return pooled

    def _max_pool(self, states: Tensor, first: Tensor, widths: Tensor) -> Tensor:
        places, is_inside = self._token_places(states, first, widths)
        pooled: Tensor = _rows_at(states, places).masked_fill(~is_inside[..., None], -torch.inf).amax(dim=1)
        return pooled

    def _token_places(self, states: Tensor, first: Tensor, widths: Tensor) -> tuple[Tensor, Tensor]:
        """[S, l]: places of a span's tokens among all states, and which of them are the span's."""
        offsets = torch.arange(self.options.max_width, device=first.device)
        return (first[:, None] + offsets).clamp(max=len(states) - 1), offsets < widths[:, None]


def _rows_at(states: Tensor, places: Tensor) -> Tensor:
    """Rows of `states` [N, D]. As an embedding, whose backward adds in a fixed order on a GPU too."""
    return F.embedding(places, states)
