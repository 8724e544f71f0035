"""The order of records: one endless stream that is a pure function of the seed, whoever reads it and from where.

Positions 0 … N-1 are epoch 0, N … 2N-1 epoch 1, and so on; global batch k is positions kB … (k+1)B - 1. So every global
batch is full, also one in which an epoch ends, and every epoch holds each record exactly once; nothing is dropped or
repeated to come out even.

Several corpora are mixed as mLUKE and XLM-R do (Conneau et al. 2020): corpus c has a share of the epoch proportional to
size^smoothing. An epoch of the mixture has as many records as all corpora together; a corpus that is given more
than it has goes round more than once, one that is given less goes on in the next epoch where it stopped.

With `windows` a corpus is gone through a few shards at a time (`shard_windows.py`); all of the above holds.
"""

from collections.abc import Sequence
from dataclasses import dataclass
from functools import cached_property

import numpy as np
import numpy.typing as npt

from wikiprep.pretrain.data.shard_windows import Mixture, Windows, windows_of
from wikiprep.records.held_out import Split
from wikiprep.records.permutation import permute

Numbers = npt.NDArray[np.int64]


@dataclass(frozen=True)
class Places:
    """What stands at some positions: arrays of one length. `epoch`: how often ITS corpus has been gone through."""

    corpus: Numbers
    record: Numbers
    epoch: Numbers


@dataclass(frozen=True)
class Stream:
    """The order of the training records of one or more corpora."""

    seed: int
    splits: tuple[Split, ...]
    quotas: tuple[int, ...]  # records of each corpus in an epoch of the mixture
    windows: tuple[Windows, ...] = ()  # of each corpus, or none

    @classmethod
    def of(cls, seed: int, splits: Sequence[Split], smoothing: float, shuffle_shards: int = 0) -> "Stream":
        """A stream over corpora of which at least one has records. `shuffle_shards`: of a window; 0: no windows."""
        windows = windows_of([split.of_shards() for split in splits], shuffle_shards)
        return cls(seed, tuple(splits), quotas([split.training for split in splits], smoothing), windows)

    @property
    def epoch_size(self) -> int:
        """Positions of an epoch."""
        return sum(self.quotas)

    def places(self, start: int, stop: int) -> Places:
        """Those at positions start … stop-1, in order."""
        return self.places_at(np.arange(start, stop, dtype=np.int64))

    def places_at(self, positions: Numbers) -> Places:
        """Those at any positions."""
        result = Places(*(np.empty(len(positions), np.int64) for _ in range(3)))
        mixture_epochs = positions // self.epoch_size
        bounds = np.cumsum((0, *self.quotas))
        for epoch in np.unique(mixture_epochs).tolist():
            in_epoch = np.flatnonzero(mixture_epochs == epoch)
            offsets = positions[in_epoch] % self.epoch_size
            if self.windows:
                corpora, turns = self._mixture.turns(offsets, (self.seed, 0, epoch))
            else:
                slots = permute(offsets, self.epoch_size, (self.seed, 0, epoch))
                corpora = np.searchsorted(bounds, slots, side="right") - 1
                turns = slots - bounds[corpora]
            for corpus in np.unique(corpora).tolist():
                rows = in_epoch[corpora == corpus]
                turn = epoch * self.quotas[corpus] + turns[corpora == corpus]
                result.corpus[rows] = corpus
                result.record[rows], result.epoch[rows] = self._records_of_turns(corpus, turn)
        return result

    def _records_of_turns(self, corpus: int, turns: Numbers) -> tuple[Numbers, Numbers]:
        """The record and the epoch of the corpus at each turn of its own endless stream."""
        split = self.splits[corpus]
        epochs = turns // split.training
        records = np.empty(len(turns), np.int64)
        for epoch in np.unique(epochs).tolist():
            in_epoch = epochs == epoch
            key = self.seed, 1 + corpus, epoch
            turn = turns[in_epoch] % split.training
            order = self.windows[corpus].numbers(turn, key) if self.windows else permute(turn, split.training, key)
            records[in_epoch] = split.record_of(order)
        return records, epochs

    @cached_property
    def _mixture(self) -> Mixture:
        return Mixture(self.quotas)


def quotas(sizes: Sequence[int], smoothing: float) -> tuple[int, ...]:
    """How many of sum(sizes) records come of each corpus, by size^smoothing; largest remainders make the sum exact."""
    total = sum(sizes)
    weights = np.array([size**smoothing if size else 0.0 for size in sizes])
    exact = weights / weights.sum() * total
    whole = np.floor(exact).astype(np.int64)
    rest = total - int(whole.sum())
    whole[np.argsort(-(exact - whole), kind="stable")[:rest]] += 1
    return tuple(whole.tolist())
