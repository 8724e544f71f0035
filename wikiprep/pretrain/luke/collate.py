"""Masked records as the tensors of a batch: one or several records a row, `<s> … </s>` around each, padded."""

from collections.abc import Sequence

import numpy as np
import numpy.typing as npt
import torch

from wikiprep.pretrain.family import WIDTH_MULTIPLE, Batch
from wikiprep.pretrain.luke import batch as names
from wikiprep.pretrain.luke.masking import MaskedRecord
from wikiprep.pretrain.luke.token_places import record_order
from wikiprep.pretrain.luke.words import Words
from wikiprep.records.record import Record

Array = npt.NDArray[np.int64]


def collate(
    records: Sequence[Record], masked: Sequence[MaskedRecord], rows: Sequence[int] | None, words: Words, entities: bool
) -> Batch:
    """The tensors of `batch.py`. `rows[i]` is the row that record i is packed into; None: one record a row."""
    rows = list(range(len(records))) if rows is None else rows
    height = max(rows, default=-1) + 1
    word_width = _width([len(record.word_ids) + 2 for record in records], rows, height)
    entity_width = _width([len(record.entity_ids) for record in records], rows, height) if entities else 0
    arrays = _BatchArrays(height, word_width, entity_width, words.pad)
    for record, masked_record, row in zip(records, masked, rows, strict=True):
        arrays.add_words(record, masked_record, row, words)
        if entities:
            arrays.add_entities(record, masked_record, row)
    return arrays.tensors(packed=len(set(rows)) < len(records))


class _BatchArrays:
    """The arrays of a batch while records are written into them, row by row."""

    def __init__(self, height: int, word_width: int, entity_width: int, pad: int) -> None:
        self.word_ids = np.full((height, word_width), pad, np.int64)
        self.word_positions = np.full((height, word_width), pad, np.int64)
        self.entity_ids = np.zeros((height, entity_width), np.int64)
        self.starts = np.zeros((height, entity_width), np.int64)
        self.ends = np.zeros((height, entity_width), np.int64)
        self.word_segments = np.zeros((height, word_width), np.int64)
        self.entity_segments = np.zeros((height, entity_width), np.int64)
        self.word_targets: list[Array] = []
        self.word_labels: list[npt.NDArray[np.int32]] = []
        self.entity_targets: list[Array] = []
        self.entity_labels: list[npt.NDArray[np.int32]] = []
        self._words_used = [0] * height
        self._entities_used = [0] * height
        self._records_used = [0] * height
        self._pad = pad

    def add_words(self, record: Record, masked: MaskedRecord, row: int, words: Words) -> None:
        """Positions begin behind the padding's, anew for each record."""
        start, length = self._words_used[row], len(record.word_ids) + 2
        self._records_used[row] += 1
        place = slice(start, start + length)
        self.word_ids[row, place] = np.concatenate([[words.first], masked.word_ids, [words.last]])
        self.word_positions[row, place] = np.arange(self._pad + 1, self._pad + 1 + length)
        self.word_segments[row, place] = self._records_used[row]
        self.word_targets.append(row * self.word_ids.shape[1] + start + 1 + masked.word_targets)
        self.word_labels.append(record.word_ids[masked.word_targets])
        self._words_used[row] += length

    def add_entities(self, record: Record, masked: MaskedRecord, row: int) -> None:
        """Mentions count from `<s>` of their record."""
        start, length = self._entities_used[row], len(record.entity_ids)
        place = slice(start, start + length)
        self.entity_ids[row, place] = masked.entity_ids
        self.starts[row, place] = record.entity_starts + 1
        self.ends[row, place] = record.entity_ends + 1
        self.entity_segments[row, place] = self._records_used[row]
        self.entity_targets.append(row * self.entity_ids.shape[1] + start + masked.entity_targets)
        self.entity_labels.append(record.entity_ids[masked.entity_targets])
        self._entities_used[row] += length

    def tensors(self, packed: bool) -> Batch:
        segments = np.concatenate([self.word_segments, self.entity_segments], axis=1)
        arrays = {
            names.WORD_IDS: self.word_ids,
            names.WORD_POSITIONS: self.word_positions,
            names.ENTITY_IDS: self.entity_ids,
            names.ENTITY_STARTS: self.starts,
            names.ENTITY_ENDS: self.ends,
            names.REAL: segments > 0,
            names.WORD_TARGETS: _concatenate(self.word_targets),
            names.WORD_LABELS: _concatenate(self.word_labels),
            names.ENTITY_TARGETS: _concatenate(self.entity_targets),
            names.ENTITY_LABELS: _concatenate(self.entity_labels),
            **record_order(segments, self.word_ids.shape[1]),
        }
        if packed:
            arrays[names.SEGMENTS] = segments
        return {name: torch.from_numpy(array) for name, array in arrays.items()}


def _width(lengths: Sequence[int], rows: Sequence[int], height: int) -> int:
    row_lengths = np.zeros(height, np.int64)
    np.add.at(row_lengths, np.asarray(rows, np.int64), lengths)
    return -(-int(row_lengths.max(initial=0)) // WIDTH_MULTIPLE) * WIDTH_MULTIPLE


def _concatenate(parts: Sequence[npt.NDArray[np.integer]]) -> Array:
    return np.concatenate([np.zeros(0, np.int64), *parts]).astype(np.int64)
