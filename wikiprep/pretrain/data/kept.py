"""Some records of a corpus at an address, kept in memory: those that every evaluation asks for, from all over it.

Read shard by shard, once; afterwards an evaluation fetches nothing.
"""

from collections.abc import Sequence
from dataclasses import fields, replace
from typing import Any

import numpy as np
import numpy.typing as npt

from wikiprep.pretrain.data.source import Reader
from wikiprep.pretrain.data.stream import Places
from wikiprep.records.reader import RecordReader
from wikiprep.records.record import Record
from wikiprep.records.training_corpus import TrainingCorpus

_ARRAY = np.ndarray


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
