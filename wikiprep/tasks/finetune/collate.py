"""Sequences of a task as the tensors of a batch: those of LUKE's encoder, and places and labels of the decisions.

Beside the encoder's own (`pretrain/luke/batch.py`):

| name | shape | what |
|---|---|---|
| places | [N, k] | rows of the flattened [B · (W + E)] that are concatenated for a decision |
| labels | [N], [N, C] | its class, or its classes as 0 and 1 |
| bounds | [B, 2] | of an answer, instead of both: its first and its last token |
| knowledge | [B, W + E] | rows of a knowledge graph's entities, -1: none; where sequences have them |

Alternatives of a multiple choice are rows behind each other, with one label.
"""

from collections.abc import Sequence

import numpy as np
import torch

from wikiprep.pretrain.family import WIDTH_MULTIPLE, Batch
from wikiprep.pretrain.luke import batch as names
from wikiprep.pretrain.luke.token_places import record_order
from wikiprep.tasks.features import NO_ENTITY, Features, Ints

PLACES, LABELS, BOUNDS, KNOWLEDGE = "places", "labels", "bounds", "knowledge"


def collate(items: Sequence[Features], pad: int, first_position: int, *, bounds: bool, entities: bool) -> Batch:
    """Inputs and decisions together."""
    input_batch = inputs(items, pad, first_position, entities=entities)
    return input_batch | decisions(items, input_batch, bounds=bounds)


def inputs(items: Sequence[Features], pad: int, first_position: int, *, entities: bool) -> Batch:
    """The encoder's own, and `knowledge`.

    `first_position`: row of the position table that the first token has (RoBERTa: behind the padding's).
    """
    items = [one for item in items for one in item.alternatives]
    height = len(items)
    width = _width(max(len(item.word_ids) for item in items))
    entity_width = _width(max(len(item.entity_ids) for item in items)) if entities else 0
    word_ids = np.full((height, width), pad, np.int64)
    positions = np.full((height, width), pad, np.int64)
    second = np.zeros((height, width), np.int64)
    real = np.zeros((height, width + entity_width), np.bool_)
    entity_ids, starts, ends = (np.zeros((height, entity_width), np.int64) for _ in range(3))
    for row, item in enumerate(items):
        length, count = len(item.word_ids), len(item.entity_ids)
        word_ids[row, :length] = item.word_ids
        positions[row, :length] = np.arange(first_position, first_position + length)
        second[row, item.second : length] = 1
        real[row, :length] = True
        if entities:
            entity_ids[row, :count], starts[row, :count], ends[row, :count] = (
                item.entity_ids,
                item.entity_starts,
                item.entity_ends,
            )
            real[row, width : width + count] = True
    arrays = {
        names.WORD_IDS: word_ids,
        names.WORD_POSITIONS: positions,
        names.SECOND: second,
        names.ENTITY_IDS: entity_ids,
        names.ENTITY_STARTS: starts,
        names.ENTITY_ENDS: ends,
        names.REAL: real,
        **record_order(real.astype(np.int64), width),
    }
    if items[0].knowledge is not None:
        rows = np.full(real.shape, NO_ENTITY, np.int64)
        for row, item in enumerate(items):
            if item.knowledge is not None:
                rows[row, : len(item.knowledge)] = np.maximum(item.knowledge, NO_ENTITY)
        arrays[KNOWLEDGE] = rows
    return {name: torch.from_numpy(array) for name, array in arrays.items()}


def decisions(items: Sequence[Features], batch: Batch, *, bounds: bool) -> Batch:
    """Places and labels for the linear heads, in a batch of these inputs."""
    if bounds:
        return {BOUNDS: torch.from_numpy(np.stack([np.asarray(item.labels, np.int64) for item in items]))}
    width = batch[names.WORD_IDS].shape[1]
    entity_width = batch[names.REAL].shape[1] - width
    sequences = [one for item in items for one in item.alternatives]
    places = np.concatenate([_flat(item, row, width, entity_width) for row, item in enumerate(sequences)])
    labels = np.concatenate([item.labels for item in items])
    return {PLACES: torch.from_numpy(places), LABELS: torch.from_numpy(labels)}


def _flat(item: Features, row: int, width: int, entity_width: int) -> Ints:
    flat: Ints = row * (width + entity_width) + np.where(item.places < 0, width - 1 - item.places, item.places)
    return flat


def _width(length: int) -> int:
    return -(-length // WIDTH_MULTIPLE) * WIDTH_MULTIPLE
