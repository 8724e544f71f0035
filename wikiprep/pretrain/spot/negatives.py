"""Spans that are no mention: drawn evenly from all spans of up to so many tokens of a record's sentences."""

import numpy as np
import numpy.typing as npt

from wikiprep.pretrain.spot.masking import in_mentions
from wikiprep.pretrain.spot.objective import Objective
from wikiprep.pretrain.spot.sentences import sentence_ends
from wikiprep.records.record import Record

Ints = npt.NDArray[np.int64]


def negative_spans(record: Record, objective: Objective, rng: np.random.Generator) -> tuple[Ints, Ints]:
    """Starts and ends of as many spans as the record has mentions (times `negatives`), by start, then end.

    Without replacement; never a mention, `[UNK]` included, and with `negatives_overlap` false none that shares a token
    with one. Where there are too few such spans, all of them.
    """
    starts, ends = candidates(record, objective)
    number = objective.negatives * len(record.entity_ids)
    if number < len(starts):
        sample = np.sort(rng.choice(len(starts), number, replace=False))
        starts, ends = starts[sample], ends[sample]
    return starts, ends


def candidates(record: Record, objective: Objective) -> tuple[Ints, Ints]:
    """All spans that may be drawn, by start, then end."""
    length, widest = len(record.word_ids), objective.negative_width
    starts = np.repeat(np.arange(length, dtype=np.int64), widest)
    ends = starts + np.tile(np.arange(1, widest + 1, dtype=np.int64), length)
    is_allowed = ends <= np.repeat(sentence_ends(record), widest)
    is_mention = np.zeros((length + 1, widest + 1), np.bool_)  # by start and width
    widths = record.entity_ends.astype(np.int64) - record.entity_starts
    is_narrow = widths <= widest
    is_mention[record.entity_starts[is_narrow], widths[is_narrow]] = True
    is_allowed &= ~is_mention[starts, ends - starts]
    if not objective.negatives_overlap:
        mention_tokens_before = np.concatenate([[0], np.cumsum(in_mentions(record))])
        is_allowed &= mention_tokens_before[ends.clip(max=length)] == mention_tokens_before[starts]
    return starts[is_allowed], ends[is_allowed]
