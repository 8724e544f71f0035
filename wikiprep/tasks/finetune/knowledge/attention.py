"""The KG-attention layer: each position asks every word, and everything that stands in a relation to a word.

Where phi adds a vector (TransE), there are L x (R + 1) keys whose scores are a sum of two, so none is built
(`split_attention`). A key is k_i'j = k_i' + W r_j, so its score is s_ii' + t_ij, with t_i0 = 0. With Z_i = sum over j
of exp t_ij

    b_ij  = exp t_ij / Z_i
    a_ii' = softmax over i' of (s_ii' + log Z_i where i' is open, else s_ii')
    out_i = sum over i' of a_ii' v_i' + (sum of a_ii' over open i') * (sum over j of b_ij W' r_j)

equals the softmax over all keys: L x L and L x R numbers in place of L x L x (R + 1). The last sum is a weighted sum of
relations in place of all keys, the paper's outlook; its weights are of each query, and nothing is lost.
"""

import math

import torch
from torch import Tensor, nn
from torch.nn import functional as F  # noqa: N812 (its usual name)

from wikiprep.pretrain.luke.batch import at_places, in_rows
from wikiprep.tasks.finetune.knowledge.phi import ADD, Operators
from wikiprep.tasks.finetune.knowledge.pieces import pieces_attention


class KgAttention(nn.Module):
    """Multi-head attention of width D with H heads over L x (K + 1) keys = values, none of which is built.

    The attention weights are not dropped in training: they are never held.
    """

    def __init__(self, width: int, heads: int) -> None:
        super().__init__()
        self.heads, self.size = heads, width // heads
        self.query = nn.Linear(width, width)
        self.key = nn.Linear(width, width)
        self.value = nn.Linear(width, width)
        self.out = nn.Linear(width, width)

    def forward(
        self,
        hidden: Tensor,
        vectors: Tensor,
        inward: Tensor,
        phi: Operators | None,
        open_relations: Tensor,
        real: Tensor,
        order: Tensor | None = None,
    ) -> Tensor:
        """Attention of the words over themselves and what stands in relation to their entities: [B, L, D].

        `hidden` [B, L, D]: the words' own keys before projection; `vectors` [B, L, d] their entities', of which
        `inward` [D, d] is what each number adds to `hidden`. `phi` None: each word alone. With `order` [T, D], at these
        places of the flattened [B · L], where all that is real stands: nothing else is projected then.
        """
        query, key, value = (self._by_head(_at_all(part, hidden, order)) for part in (self.query, self.key, self.value))
        if phi is None:
            mixed = F.scaled_dot_product_attention(query, key, value, real[:, None, None, :])
        else:
            query = query / math.sqrt(self.size)
            to_key, to_value = (self._of_graph(part, inward) for part in (self.key, self.value))
            if phi.kind == ADD:
                keys, values = (torch.einsum("rd,hsd->hrs", phi.shift, to) for to in (to_key, to_value))
                mixed = split_attention(query, key, value, keys, values, open_relations, real)
            else:
                mixed = pieces_attention(query, key, value, vectors, to_key, to_value, phi, open_relations, real)
        mixed = mixed.transpose(1, 2).flatten(2)
        output: Tensor = self.out(mixed if order is None else at_places(mixed, order))
        return output

    def _by_head(self, part: Tensor) -> Tensor:
        return part.view(*part.shape[:2], self.heads, self.size).transpose(1, 2)

    def _of_graph(self, part: nn.Linear, inward: Tensor) -> Tensor:
        return (part.weight @ inward).view(self.heads, self.size, -1)


def _at_all(part: nn.Linear, hidden: Tensor, order: Tensor | None) -> Tensor:
    """`part` of `hidden` [B, L, D]; 0 where it is not wanted."""
    if order is None:
        output: Tensor = part(hidden)
        return output
    rows, width = hidden.shape[:2]
    return in_rows(part(at_places(hidden, order)), order, rows, width)


class KgLayer(nn.Module):
    """KG attention and feed-forward, each with a residual and LayerNorm behind it, as in the encoder's layers."""

    def __init__(self, width: int, heads: int, dropout: float, norm_eps: float) -> None:
        super().__init__()
        self.attention = KgAttention(width, heads)
        self.attention_norm = nn.LayerNorm(width, eps=norm_eps)
        self.up = nn.Linear(width, 4 * width)
        self.down = nn.Linear(4 * width, width)
        self.norm = nn.LayerNorm(width, eps=norm_eps)
        self.dropout = nn.Dropout(dropout)

    def forward(
        self,
        hidden: Tensor,
        vectors: Tensor,
        inward: Tensor,
        phi: Operators | None,
        open_relations: Tensor,
        real: Tensor,
        order: Tensor | None = None,
    ) -> Tensor:
        """See `KgAttention`."""
        attended = self.attention(hidden, vectors, inward, phi, open_relations, real, order)
        hidden = hidden if order is None else at_places(hidden, order)
        hidden = self.attention_norm(hidden + self.dropout(attended))
        output: Tensor = self.norm(hidden + self.dropout(self.down(F.gelu(self.up(hidden)))))
        return output


def split_attention(
    query: Tensor, key: Tensor, value: Tensor, keys: Tensor, values: Tensor, open_relations: Tensor, real: Tensor
) -> Tensor:
    """[B, H, L, s] of words with relations' parts of keys and values [H, R, s]; queries are scaled already.

    `open_relations` [B, L]: words whose relations are keys; `real` [B, L]: no padding. Gives [B, H, L, s].
    """
    scores = query @ key.transpose(-1, -2)
    relations = F.pad(query @ keys.transpose(-1, -2), (1, 0))  # j = 0 is the word itself
    sums = torch.logsumexp(relations, dim=-1)
    shares = torch.softmax(relations, dim=-1)[..., 1:]
    is_open = open_relations[:, None, None, :].to(sums.dtype)
    scores = (scores + sums[..., None] * is_open).masked_fill(~real[:, None, None, :], -torch.inf)
    weights = torch.softmax(scores, dim=-1)
    mass = (weights * is_open).sum(-1, keepdim=True)
    return weights.to(value.dtype) @ value + (mass * shares).to(values.dtype) @ values
