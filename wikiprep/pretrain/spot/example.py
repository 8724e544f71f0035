"""A record as it is learned from in one epoch, and as a trained model is asked about it.

In training it is masked, with negative spans and the targets of its pairs; when a trained model is asked nothing is
drawn, and there is no span but its mentions.

Negatives are spans that are no mention: drawn evenly from all spans of up to so many tokens of a record's sentences.
What SPOT looks at is a sentence. Records of the preset have one, others may have several.
"""

from collections.abc import Sequence
from dataclasses import dataclass

import numpy as np
import numpy.typing as npt

from wikiprep.corpus.spans import UNK
from wikiprep.pretrain.luke.words import Words
from wikiprep.pretrain.spot.config import Objective
from wikiprep.pretrain.spot.entity_softmax import NO_ENTITY
from wikiprep.pretrain.spot.masking import MaskedRecord, in_mentions, mask
from wikiprep.pretrain.spot.relation_classes import RelationClasses, RelationTargets, relation_targets
from wikiprep.records.record import Record

Ints = npt.NDArray[np.int64]
_NOTHING = np.zeros(0, np.int64)


@dataclass(frozen=True, eq=False)
class Example:
    """Spans count in tokens of the record: its mentions, sentence by sentence, then the negative ones.

    `sentences`: mentions of each sentence that has any. `entity_rows`: spans that have a target, as places among the
    spans; `relations` numbers mentions in the same way.
    """

    record: Record
    masked: MaskedRecord
    starts: Ints
    ends: Ints
    sentences: list[int]
    entity_rows: Ints
    entity_labels: Ints
    entity_hidden: npt.NDArray[np.bool_]
    relations: RelationTargets


def example_of(
    record: Record, words: Words, classes: RelationClasses, objective: Objective, rng: np.random.Generator
) -> Example:
    """Draw it. `rng` is the record's own: masks first, then negative spans, then pairs and their properties."""
    masked = mask(record, words, objective, rng)
    negative_starts, negative_ends = negative_spans(record, objective, rng)
    targets = relation_targets(record, classes, objective, rng)
    order, sentences = in_order(record)
    place = np.empty(len(order), np.int64)
    place[order] = np.arange(len(order))
    ids = record.entity_ids[order].astype(np.int64)
    known_mentions = np.flatnonzero(ids > UNK if not objective.unk_targets else ids >= UNK)
    hidden = np.isin(order, masked.mentions)
    negatives = np.arange(len(order), len(order) + len(negative_starts))
    return Example(
        record,
        masked,
        np.concatenate([record.entity_starts[order].astype(np.int64), negative_starts]),
        np.concatenate([record.entity_ends[order].astype(np.int64), negative_ends]),
        sentences,
        np.concatenate([known_mentions, negatives]),
        np.concatenate([ids[known_mentions], np.full(len(negatives), NO_ENTITY)]),
        np.concatenate([hidden[known_mentions], np.zeros(len(negatives), np.bool_)]),
        targets._replace(heads=place[targets.heads], tails=place[targets.tails]),
    )


def make_query_example(
    record: Record,
    *,
    mentions: Ints = _NOTHING,
    pairs: tuple[Ints, Ints] = (_NOTHING, _NOTHING),
    hidden: Sequence[int] = (),
    mask: int = 0,
) -> Example:
    """The entities of `mentions` are its entity targets, `pairs` (heads, tails) are looked at.

    All of them numbers of mentions in the record. The words of those `hidden` are the token `mask`.
    """
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


def sentence_ends(record: Record) -> Ints:
    """[n]: of each token the first place behind its sentence."""
    bounds = np.append(record.sentence_starts.astype(np.int64), len(record.word_ids))
    bounds[0] = 0
    return np.repeat(bounds[1:], np.diff(bounds))


def in_order(record: Record) -> tuple[Ints, list[int]]:
    """The mentions sentence by sentence (places in the record; within one as they stand), and how many each has."""
    sentences = np.searchsorted(record.sentence_starts, record.entity_starts, side="right").clip(min=1) - 1
    order = np.argsort(sentences, kind="stable")
    counts = np.bincount(sentences, minlength=1)
    return order, counts[counts > 0].tolist()
