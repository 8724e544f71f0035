"""KG attention where phi adds a vector (TransE): L x (R + 1) keys whose scores are a sum of two, so none is built.

A key is k_i'j = k_i' + W r_j, so its score is s_ii' + t_ij, with t_i0 = 0. With Z_i = sum over j of exp t_ij

    b_ij  = exp t_ij / Z_i
    a_ii' = softmax over i' of (s_ii' + log Z_i where i' is open, else s_ii')
    out_i = sum over i' of a_ii' v_i' + (sum of a_ii' over open i') * (sum over j of b_ij W' r_j)

equals the softmax over all keys: L x L and L x R numbers in place of L x L x (R + 1). The last sum is a weighted sum of
relations in place of all keys, the paper's outlook; its weights are of each query, and nothing is lost.
"""

import torch
from torch import Tensor
from torch.nn import functional as F  # noqa: N812 (its usual name)


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
