"""What a rank computes next, and what all ranks have in that step, asked for while the step before is still computed.

One sum over ranks a step, over gloo: how many masked positions there are, whether a rank cannot go on or was told to
end, whether one has seen a gradient that is no number or has written its part of a checkpoint. It begins when the share
of the next step is there and is looked at when that step begins; so nobody waits for it unless another rank is late,
and no device is waited for at all.
"""

import time
from collections.abc import Callable, Iterator

from wikiprep.pretrain.data.share import Failure, Share
from wikiprep.pretrain.ranks import Ranks, Summing
from wikiprep.pretrain.step import MICRO_BATCHES

FAILED, SIGNALLED, BAD, WRITTEN, WAITED = "failed", "signalled", "bad", "written", "waited"

Next = tuple[Share | Failure, dict[str, float]]  # a step's share, and the sums over all ranks of it and of the signs


class SharePrefetcher:
    """The shares of `loaded`, `count` of them, in order.

    `signs`: what this rank has to say of `SIGNALLED`, `BAD`, `WRITTEN`. `idle`: whether the device had nothing left to
    do, so that waiting for records has cost something.
    """

    def __init__(
        self,
        loaded: Iterator[Share | Failure],
        count: int,
        ranks: Ranks,
        signs: Callable[[], dict[str, float]],
        idle: Callable[[], bool],
    ) -> None:
        self._shares, self._remaining, self._ranks = loaded, count, ranks
        self._signs, self._is_idle = signs, idle
        self._names: tuple[str, ...] = ()
        self._pending: tuple[Share | Failure, Summing] | None = None

    def ask(self) -> None:
        """Take the next share, if there is one more, and begin to add up what ranks have. All ranks do it at once."""
        if self._remaining and self._pending is None:
            self._pending = self._begin()

    def next(self) -> Next:
        """The next step; waits for the slowest rank's share."""
        share, summing = self._pending or self._begin()
        self._pending = None
        totals = summing.wait()
        if not self._names:  # of a failure nobody knows the names: the first sum is of signs alone
            if totals[FAILED]:
                return share, totals
            assert isinstance(share, Share)
            local_numbers = _share_numbers(share)
            self._names = tuple(sorted(local_numbers))
            totals = totals | self._ranks.add(local_numbers)
        return share, totals

    def _begin(self) -> tuple[Share | Failure, Summing]:
        start = time.perf_counter()
        share = next(self._shares)
        wait_seconds = time.perf_counter() - start
        self._remaining -= 1
        numbers = dict.fromkeys(self._names, 0.0)
        if self._names and isinstance(share, Share):
            local_numbers = _share_numbers(share)
            numbers = {name: local_numbers[name] for name in self._names}
        signs = {
            FAILED: float(isinstance(share, Failure)),
            WAITED: wait_seconds if self._is_idle() else 0.0,
            **self._signs(),
        }
        return share, self._ranks.begin_adding(numbers | signs)


def _share_numbers(share: Share) -> dict[str, float]:
    amounts = {"tokens": share.tokens, "padded": share.padded, "flops": share.flops, "seen": share.seen}
    return {**share.counts, **amounts, MICRO_BATCHES: sum(share.weights)}
