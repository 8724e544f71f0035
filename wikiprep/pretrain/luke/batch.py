"""The tensors of a batch, by name. B sequences of W word and E entity positions, padding included.

| name | shape | what |
|---|---|---|
| word_ids, word_positions | [B, W] | token ids as the model sees them (masked); rows of the position table |
| entity_ids | [B, E] | entity ids as the model sees them |
| entity_starts, entity_ends | [B, E] | mention [start, end) in tokens of its record, `<s>` being 0; 0, 0 for padding |
| real | [B, W + E] bool | false for padding |
| segments | [B, W + E] | only where records are packed: number of the record in its row from 1, 0 for padding |
| second | [B, W] | only in tasks: 1 for words of a second text, else 0 |
| order | [T] | each token's place in the flattened [B · (W + E)]: by record, words first (`token_places.py`) |
| offsets | [R + 1] int32 | where each record begins among the T tokens, and T |
| word_places, entity_places | [w], [e] | of each kind the places among the T tokens |
| word_targets, word_labels | [n] | masked words: place in the flattened [B · W], and what stood there |
| entity_targets, entity_labels | [m] | the same for entities, in [B · E] |

`for_transformers` gives it under the names and in the shapes that transformers' `LukeForMaskedLM` and its kin take:

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

WORD_IDS = "word_ids"
WORD_POSITIONS = "word_positions"
ENTITY_IDS = "entity_ids"
ENTITY_STARTS = "entity_starts"
ENTITY_ENDS = "entity_ends"
REAL = "real"
SEGMENTS = "segments"
SECOND = "second"
ORDER = "order"
OFFSETS = "offsets"
WORD_PLACES = "word_places"
ENTITY_PLACES = "entity_places"
WORD_TARGETS = "word_targets"
WORD_LABELS = "word_labels"
ENTITY_TARGETS = "entity_targets"
ENTITY_LABELS = "entity_labels"
IGNORED = -100  # as cross entropy in torch and transformers leaves out


def at_places(hidden: Tensor, places: Tensor) -> Tensor:
    """The vectors of [B, L, D] at places in the flattened [B · L] -> [n, D]; of [T, D] at places in [T]."""
    return hidden.flatten(0, -2).index_select(0, places)


def in_rows(tokens: Tensor, places: Tensor, rows: int, width: int) -> Tensor:
    """The reverse: [n, D] at places in the flattened [B · L] -> [B, L, D], 0 elsewhere."""
    padded = tokens.new_zeros(rows * width, tokens.shape[1]).index_copy(0, places, tokens)
    return padded.view(rows, width, -1)


def for_transformers(batch: Batch, *, entities: bool) -> Batch:
    """The batch in that form. Raises UsageError for one of packed records, which that form has no place for."""
    if SEGMENTS in batch:
        raise UsageError("packed records have no form for transformers", "give each record a sequence of its own")
    words = batch[WORD_IDS]
    real = batch[REAL].long()
    tensors = {
        "input_ids": words,
        "attention_mask": real[:, : words.shape[1]],
        "labels": _scatter_labels(words, batch[WORD_TARGETS], batch[WORD_LABELS]),
    }
    if entities:
        starts, ends = batch[ENTITY_STARTS], batch[ENTITY_ENDS]
        places = starts[..., None] + torch.arange(int((ends - starts).max()) if starts.numel() else 1)
        tensors |= {
            "entity_ids": batch[ENTITY_IDS],
            "entity_attention_mask": real[:, words.shape[1] :],
            "entity_position_ids": torch.where(places < ends[..., None], places, -1),
            "entity_labels": _scatter_labels(batch[ENTITY_IDS], batch[ENTITY_TARGETS], batch[ENTITY_LABELS]),
        }
    return tensors


def _scatter_labels(like: Tensor, places: Tensor, labels: Tensor) -> Tensor:
    full_labels = torch.full((like.numel(),), IGNORED, dtype=torch.int64)
    full_labels[places] = labels.long()
    return full_labels.view(like.shape)
