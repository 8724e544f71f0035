"""Self-attention over words and entities as one sequence, by PyTorch's fused kernels.

Entity-aware attention has four query matrices, by the kind of the token that asks and of the token that answers
(section 3.2 of the paper). Kernels know one query a token; so each head is doubled: a query holds what it asks of
words and what it asks of entities side by side, a word's key is zero in the second half, an entity's in the first. The
products, and so the softmax, are those of the four matrices to the last digit; it costs twice the products.
"""

import math
from typing import TYPE_CHECKING

import torch
from torch import Tensor, nn
from torch.nn import functional as F  # noqa: N812 (its usual name)

from wikiprep.pretrain.attention import attend
from wikiprep.pretrain.luke.batch import at_places
from wikiprep.pretrain.luke.config import LukeConfig
from wikiprep.pretrain.unpadded_attention import Unpadded, attend_unpadded

if TYPE_CHECKING:
    from torch.nn.attention.flex_attention import BlockMask


class Attention(nn.Module):
    """Multi-head attention with one matrix for query, key and value of words, and more queries where asked for."""

    def __init__(self, config: LukeConfig) -> None:
        super().__init__()
        size = config.hidden_size
        self.heads, self.head_size = config.heads, size // config.heads
        self.dropout = config.attention_dropout
        self.qkv = nn.Linear(size, 3 * size)
        self.entity_aware = config.entity_aware_attention
        if self.entity_aware:
            self.word_to_entity = nn.Linear(size, size)
            self.entity_to_word = nn.Linear(size, size)
            self.entity_to_entity = nn.Linear(size, size)
        self.out = nn.Linear(size, size)

    def forward(
        self, hidden: Tensor, words: int, seen: "Tensor | BlockMask | Unpadded", places: Tensor | None = None
    ) -> Tensor:
        """[B, L, D] -> [B, L, D], or [n, D] at `places` of the flattened [B · L] where only those are wanted.

        The first `words` of L are words. `seen`: who sees whom, as `Sight` makes it; `Unpadded` for [T, D].
        """
        if isinstance(seen, Unpadded):
            return self._attend_unpadded(hidden, seen, places)
        query, key, value = (self._by_head(part) for part in self.qkv(hidden).chunk(3, dim=-1))
        if self.entity_aware:
            query = self._two_queries(hidden, query, words)
            key = _pad_to_halves(key, words)
            value = F.pad(value, (0, self.head_size))  # flash kernels want equal sizes
        dropout = self.dropout if self.training else 0.0
        context = attend(query, key, value, seen, dropout, 1 / math.sqrt(self.head_size))
        context = context[..., : self.head_size].transpose(1, 2).flatten(2)
        output: Tensor = self.out(context if places is None else at_places(context, places))
        return output

    def _attend_unpadded(self, hidden: Tensor, seen: Unpadded, places: Tensor | None) -> Tensor:
        """The same of tokens without padding, [T, D]."""
        query, key, value = self.qkv(hidden).unflatten(-1, (3, self.heads, self.head_size)).unbind(1)
        if self.entity_aware:
            query = self._two_queries_unpadded(hidden, query, seen)
            is_word = torch.zeros_like(hidden[:, :1], dtype=key.dtype).index_fill(0, seen.words, 1.0)[..., None]
            key = torch.cat([key * is_word, key * (1 - is_word)], dim=-1)
            value = F.pad(value, (0, self.head_size))
        dropout = self.dropout if self.training else 0.0
        context = attend_unpadded(query, key, value, seen, dropout, 1 / math.sqrt(self.head_size))
        context = context[..., : self.head_size].flatten(1)
        output: Tensor = self.out(context if places is None else at_places(context, places))
        return output

    def _two_queries_unpadded(self, hidden: Tensor, word_to_word: Tensor, seen: Unpadded) -> Tensor:
        """[T, heads, 2 · head size]: see `_two_queries`."""
        word_states, entity_states = hidden.index_select(0, seen.words), hidden.index_select(0, seen.entities)
        shape = (self.heads, self.head_size)
        queries_for_words = word_to_word.index_copy(
            0, seen.entities, self.entity_to_word(entity_states).unflatten(-1, shape)
        )
        queries_for_entities = (
            torch.empty_like(word_to_word)
            .index_copy(0, seen.words, self.word_to_entity(word_states).unflatten(-1, shape))
            .index_copy(0, seen.entities, self.entity_to_entity(entity_states).unflatten(-1, shape))
        )
        return torch.cat([queries_for_words, queries_for_entities], dim=-1)

    def _by_head(self, part: Tensor) -> Tensor:
        return part.view(*part.shape[:2], self.heads, self.head_size).transpose(1, 2)

    def _two_queries(self, hidden: Tensor, word_to_word: Tensor, words: int) -> Tensor:
        """[B, heads, L, 2 · head size]: what each token asks of words, and what it asks of entities."""
        word_states, entity_states = hidden[:, :words], hidden[:, words:]
        queries_for_words = [word_to_word[:, :, :words], self._by_head(self.entity_to_word(entity_states))]
        queries_for_entities = [
            self._by_head(self.word_to_entity(word_states)),
            self._by_head(self.entity_to_entity(entity_states)),
        ]
        return torch.cat([torch.cat(queries_for_words, dim=2), torch.cat(queries_for_entities, dim=2)], dim=-1)


def _pad_to_halves(key: Tensor, words: int) -> Tensor:
    size = key.shape[-1]
    return torch.cat([F.pad(key[:, :, :words], (0, size)), F.pad(key[:, :, words:], (size, 0))], dim=2)


def kernel_head_size(config: LukeConfig) -> int:
    """Size of a head as a kernel sees it: entity-aware ones are doubled."""
    return config.hidden_size // config.heads * (2 if config.entity_aware_attention else 1)
