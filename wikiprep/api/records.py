"""Records of a corpus by number: memory-mapped, each row checked when it is read, as the trainer reads them."""

from collections.abc import Iterator, Sequence
from typing import Any, Literal, overload

import numpy as np

from wikiprep.corpus.schema import RELATIONS_KEY
from wikiprep.corpus.shards import open_shard
from wikiprep.errors import UsageError
from wikiprep.files import Store
from wikiprep.records.held_out import HELD_OUT
from wikiprep.records.reader import RecordReader
from wikiprep.records.record import Record
from wikiprep.records.training_corpus import TrainingCorpus, open_corpus

Split = Literal["all", "train", "held_out"]
SPLITS = ("all", "train", "held_out")


class Records(Sequence[Record]):
    """The records of a split, in the order of the dump; opened once, read when they are asked for.

    Can be pickled into workers, where the files are opened again. Not for several threads at once.
    """

    def __init__(self, store: Store, split: Split = "all", held_out: float = HELD_OUT) -> None:
        check_split(split, held_out)
        self._split, self._held_out = split, held_out
        self._corpus = open_corpus(store.url, held_out, _relations(store))
        self._reader = RecordReader(self._corpus)

    def __repr__(self) -> str:
        return f"<Records of {self._corpus.url}: {len(self):,} ({self._split})>"

    def __len__(self) -> int:
        return size_of(self._corpus, self._split)

    @overload
    def __getitem__(self, place: int) -> Record: ...

    @overload
    def __getitem__(self, place: slice) -> list[Record]: ...

    def __getitem__(self, place: int | slice) -> Record | list[Record]:
        """A record, or a list of them. Raises WikiprepError where it is not as it was written, IndexError beyond."""
        if isinstance(place, slice):
            return [self[number] for number in range(*place.indices(len(self)))]
        return self._reader.read(self._number(place))

    def __iter__(self) -> Iterator[Record]:
        return map(self.__getitem__, range(len(self)))

    def row(self, place: int) -> dict[str, Any]:
        """All columns of a record as plain Python values (docs/formats.md).

        Title, text and QIDs too, where they are there. Slower, for looking at it.
        """
        return self._reader.row(self._number(place))

    def _number(self, place: int) -> int:
        size = len(self)
        if not -size <= place < size:
            raise IndexError(f"{place}: there are {size:,} records")
        return number_of(self._corpus, self._split, place % size)


def check_split(split: str, held_out: float) -> None:
    """Raises UsageError for a split or a share that cannot be."""
    if split not in SPLITS:
        raise UsageError(f"split = {split!r} is not known", f"it takes {', '.join(SPLITS)}")
    if not 0 <= held_out <= 1:
        raise UsageError(f"held_out = {held_out!r} is no share", "give a number from 0 to 1")


def size_of(corpus: TrainingCorpus, split: str) -> int:
    """How many records a split has."""
    held_out_count = len(corpus.split.held_out)
    return corpus.split.size if split == "all" else held_out_count if split == "held_out" else corpus.split.training


def number_of(corpus: TrainingCorpus, split: str, place: int) -> int:
    """The number in the corpus of the record at a place of a split."""
    if split == "all":
        return place
    if split == "held_out":
        return int(corpus.split.held_out[place])
    return int(corpus.split.record_of(np.array([place]))[0])


def _relations(store: Store) -> str:
    """Which mentions were looked up for relations, "" where none were."""
    shards = store.list("records")
    metadata = open_shard(store.fetch(shards[0])).schema.metadata if shards else None
    return str((metadata or {}).get(RELATIONS_KEY, b"").decode())
