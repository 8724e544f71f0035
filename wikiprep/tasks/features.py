"""What a model is given of an example: token ids, entities, and the places at which decisions are taken.

A long example can be several (windows of a passage, passes over candidate spans), each of which knows its example.
"""

from dataclasses import dataclass, field

import numpy as np
import numpy.typing as npt

Ints = npt.NDArray[np.int64]
NO_ENTITY, NO_WORD = -1, -2  # of a knowledge graph: a subword without an entity; special tokens and markers


@dataclass(frozen=True, slots=True, eq=False)
class Features:
    """One sequence. Positions count tokens from the first special token (`<s>`, `[CLS]`) = 0; ends are exclusive.

    `places` [n, k]: of each of n decisions the k vectors that are concatenated for it, a word token at w as w, entity e
    as -1 - e. `labels` is [n] (the class of each decision), [n, C] of 0 and 1 (any number of classes), or [2] (first
    and last token of an answer).
    """

    example: int  # its number in the split
    part: int  # which of the example's sequences this is, from 0
    word_ids: Ints  # [W], special tokens included
    second: int  # where the second text begins (BERT's token types); W where there is one text
    entity_ids: Ints  # [E] rows of the task's entity table
    entity_starts: Ints  # [E]
    entity_ends: Ints  # [E]
    places: Ints
    labels: npt.NDArray[np.generic]
    origins: Ints  # task's own: of each decision what it is about, such as the candidate's words
    # [W] rows of a knowledge graph's entities, or NO_ENTITY, NO_WORD.
    knowledge: Ints | None = field(default=None, kw_only=True)
    # Of a multiple choice: the other alternatives, sequences of their own.
    further: "tuple[Features, ...]" = field(default=(), kw_only=True)

    @property
    def sizes(self) -> tuple[int, int]:
        """Positions of words and of entities, of all alternatives."""
        sequences = self.alternatives
        return sum(len(sequence.word_ids) for sequence in sequences), sum(
            len(sequence.entity_ids) for sequence in sequences
        )

    @property
    def alternatives(self) -> "tuple[Features, ...]":
        """The sequences that are asked together: it alone, but of a multiple choice."""
        return (self, *self.further)

    def model_inputs(self) -> tuple[npt.NDArray[np.generic], ...]:
        """All that a model is given, for a digest; a task's own kind of sequence adds what it has more."""
        own = () if self.knowledge is None else (self.knowledge,)
        entities = (self.entity_ids, self.entity_starts, self.entity_ends)
        return (*own, self.word_ids, *entities, self.places, self.labels)


class FeatureReader:
    """The sequences of a split as the trainer's numbered items (`pretrain/data/source.py`)."""

    def __init__(self, features: list[Features], where: str) -> None:
        self._features, self._where = features, where

    def __len__(self) -> int:
        return len(self._features)

    def read(self, number: int) -> Features:
        """Sequence `number`."""
        return self._features[number]

    peek = read

    def place(self, number: int) -> str:
        """Which example it is of."""
        return f"{self._where}: example {self._features[number].example + 1}"

    def digest(self) -> bytes:
        """Of all that a model is given of them."""
        import hashlib

        hasher = hashlib.sha256()
        for sequence in (sequence for item in self._features for sequence in item.alternatives):
            for array in sequence.model_inputs():
                hasher.update(np.int64(array.size).tobytes() + np.ascontiguousarray(array).tobytes())
            hasher.update(np.int64(sequence.second).tobytes())
        return hasher.digest()
