"""Which records are for evaluation only: those of pages that a hash sets apart, whatever the seed or the shards.

A page is in or out with all its records, so that no held-out text is trained on. Of the two halves only the smaller
one is kept as numbers; the n-th record of the other is found by counting how many of them come before it.
"""

from dataclasses import dataclass

import numpy as np
import numpy.typing as npt

from wikiprep.records.permutation import hash_values

Numbers = npt.NDArray[np.int64]
HELD_OUT = 0.002  # the share of pages, where nobody says another


def is_held_out(pages: npt.NDArray[np.int64], share: float) -> npt.NDArray[np.bool_]:
    """True for the pages (by page id) that are set apart; about `share` of them."""
    result: npt.NDArray[np.bool_] = (hash_values(pages) >> np.uint64(11)).astype(np.float64) / 2.0**53 < share
    return result


@dataclass(frozen=True)
class Split:
    """A corpus of `size` records, of which `held_out` (rising numbers) are for evaluation.

    `shards`: how many of them each shard has, in order; empty for what lies in one piece.
    """

    size: int
    held_out: Numbers
    shards: tuple[int, ...] = ()

    @property
    def training(self) -> int:
        """How many records there are to train on."""
        return self.size - len(self.held_out)

    def of_shards(self) -> Numbers:
        """How many records there are to train on in each shard."""
        bounds = np.cumsum((0, *(self.shards or (self.size,))))
        training_counts: Numbers = np.diff(bounds - np.searchsorted(self.held_out, bounds))
        return training_counts

    def record_of(self, number: Numbers) -> Numbers:
        """The record that is the n-th (from 0) of those to train on."""
        training_before = self.held_out - np.arange(len(self.held_out))
        return number + np.searchsorted(training_before, number, side="right")
