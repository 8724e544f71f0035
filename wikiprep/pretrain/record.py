"""One record as the trainer hands it to a model family: a row of `records/*.arrow` as arrays."""

from dataclasses import dataclass

import numpy as np
import numpy.typing as npt


@dataclass(frozen=True, slots=True, eq=False)
class Record:
    """The columns of docs/formats.md under their names; positions are tokens of `word_ids`, ends are exclusive.

    `page_id` and `revision_id` are -1 where the corpus has none (own text).
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
