"""An order that reads a few shards at a time, for a corpus that is larger than the disk it is read through.

In each epoch the shards of a corpus come in a random order, in windows of `width` shards, and within a window its
records in a random order. So whoever reads on needs one window of shards, while each epoch still has each record
exactly once, at a place that is computed from (seed, corpus, epoch) alone.

What it costs is mixing: records of pages that lie in one shard come within one window. Pages of a shard are neighbours
in the dump, so that a narrow window has little variety: some dozens of shards are enough, two are not.
"""

from collections.abc import Sequence
from dataclasses import dataclass
from functools import cached_property

import numpy as np
import numpy.typing as npt

from wikiprep.records.permutation import permute

Numbers = npt.NDArray[np.int64]

BLOCK = 4096  # positions among which the corpora of a mixture are spread evenly
_SHARDS, _WINDOW = 1, 2  # fourth numbers of keys; no zero, which a generator takes for nothing


@dataclass(frozen=True, eq=False)
class Windows:
    """`sizes`: the training records of each shard, some of which may have none."""

    sizes: Numbers
    width: int

    def numbers(self, turns: Numbers, key: tuple[int, int, int]) -> Numbers:
        """The training record (by number) at each turn of the epoch of `key`: seed, 1 + corpus, epoch."""
        shards = permute(np.arange(len(self.sizes)), len(self.sizes), (*key, _SHARDS))
        ends = np.cumsum(self.sizes[shards])
        begins, firsts = ends - self.sizes[shards], np.cumsum(self.sizes) - self.sizes
        window_of_turn = np.searchsorted(ends, turns, side="right") // self.width
        records = np.empty(len(turns), np.int64)
        for window in np.unique(window_of_turn).tolist():
            in_window = window_of_turn == window
            shard_slice = slice(window * self.width, (window + 1) * self.width)
            start, stop = begins[shard_slice][0], ends[shard_slice][-1]
            turn = start + permute(turns[in_window] - start, int(stop - start), (*key, _WINDOW + window))
            place = window * self.width + np.searchsorted(ends[shard_slice], turn, side="right")
            records[in_window] = firsts[shards[place]] + turn - begins[place]
        return records


@dataclass(frozen=True)
class Mixture:
    """Which corpus has a position of an epoch, so that each corpus is gone through in the order of its turns.

    An epoch is cut into blocks; each has of every corpus as much as its quota says, to rounding, in a random order.
    """

    quotas: tuple[int, ...]

    @cached_property
    def _turns_before_blocks(self) -> Numbers:
        """[blocks + 1, corpora]: turns that each corpus has had before a block; rows add up to the positions."""
        total = sum(self.quotas)
        stops = [*range(BLOCK, total, BLOCK), total]
        turns_before = np.zeros((len(stops) + 1, len(self.quotas)), np.int64)
        for row, stop in enumerate(stops):
            exact = np.array([quota * stop / total for quota in self.quotas])
            whole = np.maximum(turns_before[row], np.floor(exact).astype(np.int64))
            while rest := stop - int(whole.sum()):  # fewer than there are corpora
                if rest > 0:
                    whole[np.argmin(whole - exact)] += 1
                else:
                    whole[np.argmax(np.where(whole > turns_before[row], whole - exact, -np.inf))] -= 1
            turns_before[row + 1] = whole
        return turns_before

    def turns(self, positions: Numbers, key: tuple[int, int, int]) -> tuple[Numbers, Numbers]:
        """The corpus at each position of the epoch of `key`, and the turn of that corpus, counted within the epoch."""
        turns_before = self._turns_before_blocks
        blocks = positions // BLOCK
        corpora, turns = np.empty(len(positions), np.int64), np.empty(len(positions), np.int64)
        for block in np.unique(blocks).tolist():
            in_block = blocks == block
            ends = np.cumsum(turns_before[block + 1] - turns_before[block])
            slots = permute(positions[in_block] - block * BLOCK, int(ends[-1]), (*key, 1 + block))
            corpora[in_block] = np.searchsorted(ends, slots, side="right")
            begins = ends - (turns_before[block + 1] - turns_before[block])
            turns[in_block] = turns_before[block][corpora[in_block]] + slots - begins[corpora[in_block]]
        return corpora, turns


def windows_of(sizes: Sequence[Numbers], width: int) -> tuple[Windows, ...]:
    """Of each corpus; `width` 0: none."""
    return tuple(Windows(of_corpus, width) for of_corpus in sizes) if width else ()
