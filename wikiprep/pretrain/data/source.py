"""Where training items come from, as the trainer sees it: numbered, read by number, some of them set apart.

The trainer knows neither what an item is (a record of a corpus, a sentence of a task) nor where it lies: it hands what
a reader gives to the model family, which made or knows it.
"""

from dataclasses import dataclass
from typing import Any, Protocol, runtime_checkable

import numpy as np
import numpy.typing as npt

from wikiprep.records.held_out import Split
from wikiprep.records.reader import RecordReader
from wikiprep.records.training_corpus import TrainingCorpus


class Reader(Protocol):
    """Numbered items. Can be pickled into worker processes."""

    def __len__(self) -> int: ...

    def read(self, number: int) -> Any:
        """Item `number`. Raises WikiprepError where it is not as it was written."""
        ...

    def peek(self, number: int) -> Any:
        """The same, for its sizes alone: may be unchecked."""
        ...

    def place(self, number: int) -> str:
        """Where the item stands, for people."""
        ...


@runtime_checkable
class FetchingReader(Protocol):
    """A reader whose items may be far away."""

    @property
    def fetches(self) -> bool:
        """Whether they are."""
        ...

    def coming(self, numbers: npt.NDArray[np.int64]) -> None:
        """These will be read soon."""
        ...


@dataclass(frozen=True)
class Source:
    """A reader's items, those of them that are for evaluation only, and the number of one with the most tokens."""

    reader: Reader
    split: Split
    longest: int


def source_of(corpus: TrainingCorpus) -> Source:
    """The records of a corpus."""
    return Source(RecordReader(corpus), corpus.split, corpus.longest)
