"""One record as the trainer hands it to a model family: a row of `records/*.arrow` as arrays."""

from dataclasses import dataclass, field
from typing import Any

import numpy as np
import numpy.typing as npt

# Of a relation between mentions: head and tail are places in `entity_ids`, property is 36 for P36.
RELATION = np.dtype([("head", np.int16), ("tail", np.int16), ("property", np.int32)])
Relations = npt.NDArray[Any]  # of RELATION


def no_relations() -> Relations:
    """Of a record without, or of a corpus whose relations nobody asked for."""
    return np.zeros(0, RELATION)


@dataclass(frozen=True, slots=True, eq=False)
class Record:
    """The columns of docs/formats.md under their names; positions are tokens of `word_ids`, ends are exclusive.

    `page_id` and `revision_id` are -1 where the corpus has none (own text). `relations` are there only where the corpus
    was opened for a family that learns them; they stand in order of head, tail and property.
    """

    page_id: int
    revision_id: int
    ordinal: int
    word_ids: npt.NDArray[np.int32]
    entity_ids: npt.NDArray[np.int32]
    entity_starts: npt.NDArray[np.int16]
    entity_ends: npt.NDArray[np.int16]
    entity_sources: npt.NDArray[np.int8]
    sentence_starts: npt.NDArray[np.int16]
    relations: Relations = field(default_factory=no_relations)
