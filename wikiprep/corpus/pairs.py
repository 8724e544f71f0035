"""Ordered pairs of different members of one group: how many there are, and all of them in bounded pieces."""

from collections.abc import Iterator

import numpy as np

from wikiprep.corpus.joined import Positions

MOST_PAIRS = 1 << 18  # made at once: some 20 MB while they are looked up


def count_pairs(group: Positions) -> int:
    """How many ordered pairs of different places share their group; `group` is in order."""
    sizes = np.unique(group, return_counts=True)[1].astype(np.int64)
    return int((sizes * (sizes - 1)).sum())


def ordered_pairs(group: Positions, most: int = MOST_PAIRS) -> Iterator[tuple[Positions, Positions]]:
    """The ordered pairs of places that share their group, by first place, then second; `group` is in order.

    At most `most` pairs come at once, or all of one place.
    """
    first = np.searchsorted(group, group, "left")
    sizes = np.searchsorted(group, group, "right") - first
    sizes[sizes == 1] = 0  # alone
    cumulative = np.cumsum(sizes)
    start = 0
    while start < len(group):
        before = int(cumulative[start - 1]) if start else 0
        stop = max(start + 1, int(np.searchsorted(cumulative, before + most, "right")))
        size = sizes[start:stop]
        heads = np.repeat(np.arange(start, stop), size)
        tails = np.arange(len(heads)) - np.repeat(np.cumsum(size) - size, size) + np.repeat(first[start:stop], size)
        different = heads != tails
        if different.any():
            yield heads[different], tails[different]
        start = stop
