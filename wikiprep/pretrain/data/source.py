"""Where training items come from, as the trainer sees it: numbered, read by number, some of them set apart.

The trainer knows neither what an item is (a record of a corpus, a sentence of a task) nor where it lies: it hands what
a reader gives to the model family, which made or knows it.

Records of a corpus at an address that every evaluation asks for, from all over it, are kept in memory: read shard by
shard, once; afterwards an evaluation fetches nothing.
"""

from collections.abc import Sequence
from dataclasses import dataclass, fields, replace
from typing import Any, Protocol, runtime_checkable

import numpy as np
import numpy.typing as npt

from wikiprep.pretrain.data.stream import Places
from wikiprep.records.held_out import Split
from wikiprep.records.reader import RecordReader
from wikiprep.records.record import Record
from wikiprep.records.training_corpus import TrainingCorpus

_ARRAY = np.ndarray


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
class TrainingSource:
    """A reader's items, those of them that are for evaluation only, and the number of one with the most tokens."""

    reader: Reader
    split: Split
    longest: int


def source_of(corpus: TrainingCorpus) -> TrainingSource:
    """The records of a corpus."""
    return TrainingSource(RecordReader(corpus), corpus.split, corpus.longest)


class KeptRecords:
    """The records `numbers` (rising) of a corpus; see `Reader`."""

    def __init__(self, corpus: TrainingCorpus, numbers: npt.NDArray[np.int64]) -> None:
        self._reader, self._numbers = RecordReader(corpus), numbers
        self._records: dict[int, Record] = {}

    def __len__(self) -> int:
        return len(self._reader)

    def read(self, number: int) -> Record:
        """See `RecordReader`."""
        if not self._records:
            self._records = {one: _copy_record(self._reader.read(one)) for one in self._numbers.tolist()}
        return self._records[number]

    def peek(self, number: int) -> Record:
        """The same."""
        return self.read(number)

    def place(self, number: int) -> str:
        """See `RecordReader`."""
        return self._reader.place(number)


def readers_of(corpora: Sequence[TrainingCorpus], places: Places) -> tuple[Reader, ...]:
    """Of each corpus a reader for what stands at `places`, whatever the order in which it is asked."""
    return tuple(
        RecordReader(corpus) if corpus.cache is None else KeptRecords(corpus, places.record[places.corpus == number])
        for number, corpus in enumerate(corpora)
    )


def _copy_record(record: Record) -> Record:
    """Without a hold on the mapped file."""
    arrays: dict[str, Any] = {
        field.name: value for field in fields(record) if isinstance(value := getattr(record, field.name), _ARRAY)
    }
    return replace(record, **{name: value.copy() for name, value in arrays.items()})
