"""Examples as the tensors of a batch: words as LUKE's, one or several records a row; spans and pairs as flat lists."""

from collections.abc import Sequence
from typing import Any

import numpy as np
import numpy.typing as npt
import torch

from wikiprep.pretrain.family import Batch
from wikiprep.pretrain.luke import batch as word_names
from wikiprep.pretrain.luke.collate import collate as collate_words
from wikiprep.pretrain.luke.masking import MaskedRecord
from wikiprep.pretrain.luke.words import Words
from wikiprep.pretrain.spot import batch as names
from wikiprep.pretrain.spot.entity_softmax import tail_rows
from wikiprep.pretrain.spot.example import Example
from wikiprep.pretrain.spot.pair_encoder import Layout

Ints = npt.NDArray[np.int64]
_NOTHING = np.zeros(0, np.int64)


def collate(
    examples: Sequence[Example],
    rows: Sequence[int] | None,
    words: Words,
    cutoffs: Sequence[int],
    max_span_width: int,
) -> Batch:
    """The tensors of `batch.py` and those of words in `luke/batch.py`. `rows[i]`: see `luke.collate`."""
    records = [example.record for example in examples]
    masked = [MaskedRecord(e.masked.word_ids, e.masked.targets, e.record.entity_ids, _NOTHING) for e in examples]
    tensors = collate_words(records, masked, rows, words, entities=False)
    first_tokens = _first_tokens(records_lengths(examples), rows, tensors[word_names.WORD_IDS].shape[1])
    arrays = _spans(examples, first_tokens, max_span_width) | _pairs(examples)
    for number, tail in enumerate(tail_rows(arrays[names.ENTITY_LABELS], cutoffs), 1):
        arrays[f"{names.ENTITY_TAIL}{number}"] = tail
    layout = Layout.of([count for example in examples for count in example.sentences])
    tensors |= {name: torch.from_numpy(array) for name, array in arrays.items()}
    return tensors | {names.SPAN_SLOTS: layout.slots, names.SPAN_REAL: layout.real}


def records_lengths(examples: Sequence[Example]) -> list[int]:
    """Positions that each takes, with `<s>` and `</s>`."""
    return [len(example.record.word_ids) + 2 for example in examples]


def _first_tokens(lengths: Sequence[int], rows: Sequence[int] | None, width: int) -> list[int]:
    """Of each record the place of its first token, behind `<s>`, in the flattened [B · W]."""
    used_positions: dict[int, int] = {}
    places = []
    for length, row in zip(lengths, range(len(lengths)) if rows is None else rows, strict=True):
        offset = used_positions.get(row, 0)
        places.append(row * width + offset + 1)
        used_positions[row] = offset + length
    return places


def _spans(examples: Sequence[Example], first_tokens: Sequence[int], max_width: int) -> dict[str, npt.NDArray[Any]]:
    """Mentions of all records first, then the negative spans of all."""
    mentions = [sum(example.sentences) for example in examples]
    total = sum(mentions)
    at_mention, at_negative = 0, total
    sides: tuple[list[Ints], list[Ints]] = ([], [])  # of mentions, of negatives
    ends: tuple[list[Ints], list[Ints]] = ([], [])
    rows, labels, hidden, cut_count = [], [], [], 0
    for example, first, count in zip(examples, first_tokens, mentions, strict=True):
        negatives = len(example.starts) - count
        for kind, part in enumerate((slice(None, count), slice(count, None))):
            sides[kind].append(first + example.starts[part])
            ends[kind].append(first + example.ends[part])
        # A place among the record's spans becomes one among all.
        number = np.arange(at_mention, at_mention + count), np.arange(at_negative, at_negative + negatives)
        rows.append(np.concatenate(number)[example.entity_rows])
        labels.append(example.entity_labels)
        hidden.append(example.entity_hidden)
        cut_count += int((example.ends[:count] - example.starts[:count] > max_width).sum())
        at_mention, at_negative = at_mention + count, at_negative + negatives
    starts, stops = _concatenate([*sides[0], *sides[1]]), _concatenate([*ends[0], *ends[1]])
    widths = np.minimum(stops - starts, max_width)
    last = np.cumsum(widths)
    token = np.arange(int(widths.sum())) - np.repeat(last - widths, widths)
    without_pair = sum(not len(example.relations.heads) for example in examples)
    left_out = sum(example.relations.left_out for example in examples)
    return {
        names.SPAN_PLACES: np.repeat(starts, widths) + token,
        names.SPAN_STARTS: last - widths,
        names.SPAN_ENDS: last,
        names.ENTITY_ROWS: _concatenate(rows),
        names.ENTITY_LABELS: _concatenate(labels),
        names.ENTITY_HIDDEN: np.concatenate([np.zeros(0, np.bool_), *hidden]),
        names.NUMBERS: np.array([cut_count, left_out, without_pair], np.int64),
    }


def _pairs(examples: Sequence[Example]) -> dict[str, npt.NDArray[Any]]:
    heads, tails, pairs, labels, weights = [], [], [], [], [np.zeros(0, np.float32)]
    mentions = number = 0
    for example in examples:
        relations = example.relations
        heads.append(mentions + relations.heads)
        tails.append(mentions + relations.tails)
        pairs.append(number + relations.pairs)
        labels.append(relations.labels)
        weights.append(relations.weights)
        mentions, number = mentions + sum(example.sentences), number + len(relations.heads)
    return {
        names.PAIR_HEADS: _concatenate(heads),
        names.PAIR_TAILS: _concatenate(tails),
        names.RELATION_PAIRS: _concatenate(pairs),
        names.RELATION_LABELS: _concatenate(labels),
        names.RELATION_WEIGHTS: np.concatenate(weights),
    }


def _concatenate(parts: Sequence[Ints]) -> Ints:
    return np.concatenate([_NOTHING, *parts])
