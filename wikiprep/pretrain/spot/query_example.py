"""A record as it is looked at when a trained model is asked: nothing is drawn, and no span but its mentions."""

from collections.abc import Sequence

import numpy as np
import numpy.typing as npt

from wikiprep.pretrain.spot.example import Example
from wikiprep.pretrain.spot.masking import MaskedRecord
from wikiprep.pretrain.spot.relation_classes import RelationTargets
from wikiprep.pretrain.spot.sentences import in_order
from wikiprep.records.record import Record

Ints = npt.NDArray[np.int64]
_NOTHING = np.zeros(0, np.int64)


def make_query_example(
    record: Record,
    *,
    mentions: Ints = _NOTHING,
    pairs: tuple[Ints, Ints] = (_NOTHING, _NOTHING),
    hidden: Sequence[int] = (),
    mask: int = 0,
) -> Example:
    """The entities of `mentions` are its entity targets, `pairs` (heads, tails) are looked at; all of them numbers of
    mentions in the record. The words of those `hidden` are the token `mask`."""
    order, sentences = in_order(record)
    place = np.empty(len(order), np.int64)
    place[order] = np.arange(len(order))
    ids = record.word_ids.copy()
    for number in hidden:
        ids[record.entity_starts[number] : record.entity_ends[number]] = mask
    heads, tails = pairs
    return Example(
        record,
        MaskedRecord(ids, _NOTHING, _NOTHING),
        record.entity_starts[order].astype(np.int64),
        record.entity_ends[order].astype(np.int64),
        sentences,
        place[mentions],
        record.entity_ids[mentions].astype(np.int64),
        np.zeros(len(mentions), np.bool_),
        RelationTargets(place[heads], place[tails], _NOTHING, _NOTHING, np.zeros(0, np.float32), 0),
    )
