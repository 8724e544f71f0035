"""The attention weights of the KG layer over every (word, relation), which the fast forms never hold: to look at."""

import math
from typing import cast

import torch
from torch import Tensor

from wikiprep.tasks.finetune.knowledge.layers import KnowledgeLayers


def attention_weights(layers: KnowledgeLayers, hidden: Tensor, rows: Tensor, real: Tensor) -> tuple[Tensor, Tensor]:
    """Weights [B, H, L, L, K + 1] of each position over each word: of the word itself (j = 0) and of what stands in
    each of the K relations to it; 0 where there is no such key. And values [B, H, L, K + 1, s], whose weighted sum is
    what the layer makes. Takes B · H · L² · (K + 1) numbers: for a text or two.

    `hidden` [B, L, P] of the encoder, `rows` [B, L] of the graph's entities, -1: none; `real` [B, L]: no padding.
    """
    attention_inputs = layers.first_inputs(hidden, rows, real)
    attention = layers.first.attention
    batch, length = rows.shape
    query = attention.query(attention_inputs.joined).view(batch, length, attention.heads, attention.size)
    word_keys = attention_inputs.joined.unsqueeze(2)
    all_keys, allowed = word_keys, real.unsqueeze(2)
    if attention_inputs.phi is not None:
        shifts = attention_inputs.phi(attention_inputs.vectors) - attention_inputs.vectors.unsqueeze(-2)
        all_keys = torch.cat([word_keys, word_keys + shifts @ attention_inputs.inward.T], dim=2)
        open_relations = (attention_inputs.open_relations & real).unsqueeze(2).expand(-1, -1, len(attention_inputs.phi))
        allowed = torch.cat([allowed, open_relations], dim=2)
    shape = (batch, length, all_keys.shape[2], attention.heads, attention.size)
    key, value = (cast(Tensor, part(all_keys)).view(shape) for part in (attention.key, attention.value))
    scores = torch.einsum("blhs,bmkhs->bhlmk", query, key) / math.sqrt(attention.size)
    scores = scores.masked_fill(~allowed[:, None, None], -torch.inf)
    weights = torch.softmax(scores.flatten(3), dim=-1).view(scores.shape)
    return weights, value.permute(0, 3, 1, 2, 4)
