"""A batch of ours under the names and in the shapes that transformers' `LukeForMaskedLM` and its kin take.

| name | shape | what |
|---|---|---|
| input_ids, attention_mask | [B, W] | token ids as the model sees them; 1 for tokens, 0 for padding |
| labels | [B, W] | what stood at masked tokens, -100 elsewhere |
| entity_ids, entity_attention_mask | [B, E] | the same of mentions |
| entity_position_ids | [B, E, M] | the positions of a mention's tokens, -1 behind them; M: of the longest one |
| entity_labels | [B, E] | the entity of masked mentions, -100 elsewhere |

Without entities (`model.entities` False) there are the first three alone: what any masked language model takes.
"""

import torch
from torch import Tensor

from wikiprep.errors import UsageError
from wikiprep.pretrain.family import Batch
from wikiprep.pretrain.luke import batch as names

IGNORED = -100  # as cross entropy in torch and transformers leaves out


def for_transformers(batch: Batch, *, entities: bool) -> Batch:
    """The batch in that form. Raises UsageError for one of packed records, which that form has no place for."""
    if names.SEGMENTS in batch:
        raise UsageError("packed records have no form for transformers", "give each record a sequence of its own")
    words = batch[names.WORD_IDS]
    real = batch[names.REAL].long()
    tensors = {
        "input_ids": words,
        "attention_mask": real[:, : words.shape[1]],
        "labels": _scatter_labels(words, batch[names.WORD_TARGETS], batch[names.WORD_LABELS]),
    }
    if entities:
        starts, ends = batch[names.ENTITY_STARTS], batch[names.ENTITY_ENDS]
        places = starts[..., None] + torch.arange(int((ends - starts).max()) if starts.numel() else 1)
        tensors |= {
            "entity_ids": batch[names.ENTITY_IDS],
            "entity_attention_mask": real[:, words.shape[1] :],
            "entity_position_ids": torch.where(places < ends[..., None], places, -1),
            "entity_labels": _scatter_labels(
                batch[names.ENTITY_IDS], batch[names.ENTITY_TARGETS], batch[names.ENTITY_LABELS]
            ),
        }
    return tensors


def _scatter_labels(like: Tensor, places: Tensor, labels: Tensor) -> Tensor:
    full_labels = torch.full((like.numel(),), IGNORED, dtype=torch.int64)
    full_labels[places] = labels.long()
    return full_labels.view(like.shape)
