"""Where the tokens of a batch stand when padding is left out: record behind record, each its words, then its entities.

So attention needs no mask, whether a sequence had one record or several, and nothing is computed of padding. The order
is made on the CPU where the batch is, so that no device has to tell how many tokens there are.
"""

from typing import Any

import numpy as np
import numpy.typing as npt
import torch
from torch import Tensor

from wikiprep.pretrain.family import Batch
from wikiprep.pretrain.luke import batch as names
from wikiprep.pretrain.unpadded_attention import Unpadded

Array = npt.NDArray[np.int64]


def record_order(segments: npt.NDArray[np.integer], words: int) -> dict[str, npt.NDArray[np.integer]]:
    """Tensors of `batch.py` of `segments` [B, W + E] (the record in its row, 0 for padding), of which W are `words`."""
    width = segments.shape[1]
    flat = segments.reshape(-1).astype(np.int64)
    places = np.flatnonzero(flat)
    record = places // max(1, width) * (int(flat.max(initial=0)) + 1) + flat[places]
    by_record = np.argsort(record, kind="stable")
    order, record = places[by_record], record[by_record]
    first = np.flatnonzero(np.diff(record, prepend=-1))
    is_word = order % max(1, width) < words
    return {
        names.ORDER: order,
        names.OFFSETS: np.append(first, len(order)).astype(np.int32),
        names.WORD_PLACES: np.flatnonzero(is_word),
        names.ENTITY_PLACES: np.flatnonzero(~is_word),
    }


def who_sees_whom(batch: Batch) -> Unpadded:
    """Of the batch's tokens without padding: each record sees itself."""
    longest = batch[names.REAL].shape[1]
    return Unpadded(batch[names.OFFSETS], longest, batch[names.WORD_PLACES], batch[names.ENTITY_PLACES])


def words_among(batch: Batch) -> Tensor:
    """[w]: of each word among the tokens its place in the flattened [B · W], padding left out."""
    words, width = batch[names.WORD_IDS].shape[1], batch[names.REAL].shape[1]
    places = batch[names.ORDER].index_select(0, batch[names.WORD_PLACES])
    return places - places // width * (width - words)


def entities_among(batch: Batch) -> Tensor:
    """[e]: the same of entities, in [B · E]."""
    words, width = batch[names.WORD_IDS].shape[1], batch[names.REAL].shape[1]
    places = batch[names.ORDER].index_select(0, batch[names.ENTITY_PLACES])
    return places - (places // width + 1) * words


def interleave(words: Tensor, entities: Tensor, seen: Unpadded) -> Tensor:
    """The vectors of words [w, D] and of entities [e, D] in the order of tokens -> [T, D]."""
    tokens: Tensor = _Interleave.apply(words, entities, seen.words, seen.entities)
    return tokens


class _Interleave(torch.autograd.Function):
    """Two copies each way; autograd's own would add up into zeros."""

    @staticmethod
    def forward(ctx: Any, words: Tensor, entities: Tensor, word_places: Tensor, entity_places: Tensor) -> Tensor:
        ctx.save_for_backward(word_places, entity_places)
        tokens = words.new_empty(len(words) + len(entities), words.shape[1])
        return tokens.index_copy_(0, word_places, words).index_copy_(0, entity_places, entities.to(tokens.dtype))

    @staticmethod
    def backward(ctx: Any, *gradients: Tensor) -> tuple[Tensor, Tensor, None, None]:
        word_places, entity_places = ctx.saved_tensors
        (gradient,) = gradients
        return gradient.index_select(0, word_places), gradient.index_select(0, entity_places), None, None


def places_unpadded(batch: Batch, places: Tensor) -> Tensor:
    """Places in the flattened [B · L] as places among the tokens.

    (Of padding, which nobody asks for, that of the first.)
    """
    order = batch[names.ORDER]
    token_places = torch.zeros(batch[names.REAL].numel(), dtype=torch.int64, device=order.device)
    token_places.index_copy_(0, order, torch.arange(len(order), device=order.device))
    return token_places.index_select(0, places)


def restore_padding(batch: Batch, tokens: Tensor) -> Tensor:
    """[T, D] -> [B, L, D], 0 for padding."""
    rows, width = batch[names.REAL].shape
    return names.in_rows(tokens, batch[names.ORDER], rows, width)
