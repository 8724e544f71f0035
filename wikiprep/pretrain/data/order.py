"""Which records of a split stand at which positions: in the trainer's random order, or as they lie.

For trainers other than ours (`pretrain/datasets.py`). Position p of the shuffled training split is position p of
`stream.py` with the same seed; an epoch is followed by the next for as long as somebody asks.
"""

from collections.abc import Iterable, Sequence
from dataclasses import dataclass
from itertools import count

import numpy as np
import numpy.typing as npt

from wikiprep.api.records import check_split
from wikiprep.errors import UsageError, WikiprepError
from wikiprep.pretrain.data.stream import Stream
from wikiprep.records.held_out import Split
from wikiprep.records.training_corpus import TrainingCorpus, open_corpora

Positions = Sequence[int] | npt.NDArray[np.int64]


@dataclass(frozen=True)
class Order:
    """Positions to records. `numbers`: of each corpus, the records of the split, None where the stream counts them."""

    corpora: tuple[TrainingCorpus, ...]
    stream: Stream
    numbers: tuple[npt.NDArray[np.int64] | None, ...]
    shuffle: bool

    @property
    def epoch_size(self) -> int:
        """Positions of an epoch: all records of the split."""
        return self.stream.epoch_size

    def records(self, positions: Positions) -> list[tuple[int, int, int]]:
        """(corpus, record, epoch of that corpus) at each position."""
        places = np.asarray(positions, np.int64)
        if self.shuffle:
            stream_places = self.stream.places_at(places)
            corpora, records, epochs = stream_places.corpus, stream_places.record, stream_places.epoch
        else:
            bounds = np.cumsum((0, *(split.training for split in self.stream.splits)))
            corpora = np.searchsorted(bounds, places % self.epoch_size, side="right") - 1
            records, epochs = places % self.epoch_size - bounds[corpora], places // self.epoch_size
            for corpus in np.unique(corpora).tolist():
                of_corpus = corpora == corpus
                records[of_corpus] = self.stream.splits[corpus].record_of(records[of_corpus])
        for corpus, numbers in enumerate(self.numbers):
            if numbers is not None:
                records[corpora == corpus] = numbers[records[corpora == corpus]]
        return list(zip(corpora.tolist(), records.tolist(), epochs.tolist(), strict=True))


@dataclass(frozen=True)
class Batches:
    """Which records a rank's batches have: of `epochs` epochs (None: for ever) from position `start` on, `size` each.

    Shuffled ones are all full, the last with records of the epoch that would follow, so that ranks have as many each.
    Otherwise each record comes once, and the last batches of a rank may be shorter or missing.
    """

    order: Order
    size: int = 1
    epochs: int | None = 1
    start: int = 0
    rank: int = 0
    world: int = 1

    def __len__(self) -> int:
        """Of a finite number of epochs."""
        if self.epochs is None:
            raise TypeError("endless")
        remaining = max(0, self.epochs * self.order.epoch_size - self.start)
        if not self.order.shuffle:
            remaining = max(0, remaining - self.rank * self.size)
        return -(-remaining // (self.world * self.size))

    def numbers(self) -> Iterable[int]:
        """Of all batches."""
        return count() if self.epochs is None else range(len(self))

    def records(self, numbers: Sequence[int]) -> list[tuple[int, int, int]]:
        """As `Order.records`, of several batches one after the other."""
        firsts = self.start + (np.asarray(numbers, np.int64) * self.world + self.rank) * self.size
        positions = (firsts[:, None] + np.arange(self.size)).ravel()
        if self.epochs is not None and not self.order.shuffle:
            positions = positions[positions < self.epochs * self.order.epoch_size]
        return self.order.records(positions)


def open_order(
    urls: Sequence[str],
    split: str,
    held_out: float,
    seed: int,
    smoothing: float,
    *,
    shuffle: bool,
    relations: str = "",
) -> Order:
    """The order of a split of some corpora.

    Raises WikiprepError where they cannot be read, do not go together, or the split is empty; UsageError for a value
    that cannot be.
    """
    check_split(split, held_out)
    if not 0 <= smoothing <= 1:
        raise UsageError(f"smoothing = {smoothing!r} is no share", "give a number from 0 to 1")
    corpora = open_corpora(urls, held_out if split != "all" else 0.0, relations)
    splits = tuple(corpus.split for corpus in corpora)
    numbers: tuple[npt.NDArray[np.int64] | None, ...] = (None,) * len(corpora)
    if split == "held_out":
        numbers = tuple(one.held_out for one in splits)
        splits = tuple(Split(len(one.held_out), np.zeros(0, np.int64)) for one in splits)
    if not sum(one.training for one in splits):
        raise WikiprepError(
            f"{', '.join(urls)}: no record in the split {split!r}", "give a higher held_out, or a larger corpus"
        )
    return Order(corpora, Stream.of(seed, splits, smoothing), numbers, shuffle)
