"""The sentences of a record: what SPOT looks at is one. Records of the preset have one, others may have several."""

import numpy as np
import numpy.typing as npt

from wikiprep.records.record import Record

Ints = npt.NDArray[np.int64]


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
