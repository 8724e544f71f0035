"""Correlation of numbers: Pearson's and Spearman's, the scores of STS-B."""

import math
from collections.abc import Sequence

from wikiprep.tasks.metrics.counts import ratio, same_length


def pearson(gold: Sequence[float], predicted: Sequence[float]) -> float:
    """Pearson's r; 0 where one of the lists does not vary (scipy has NaN there).

    Raises ValueError where the lists differ in length.
    """
    same_length(gold, predicted)
    x, y = _centred(gold), _centred(predicted)
    above = math.fsum(a * b for a, b in zip(x, y, strict=True))
    below = math.sqrt(math.fsum(a * a for a in x)) * math.sqrt(math.fsum(b * b for b in y))
    return max(-1.0, min(1.0, ratio(above, below)))


def spearman(gold: Sequence[float], predicted: Sequence[float]) -> float:
    """Pearson's r of the ranks; equal numbers share the mean of their ranks."""
    return pearson(_ranks(gold), _ranks(predicted))


def _centred(values: Sequence[float]) -> list[float]:
    # Of a list that does not vary the rounded mean may differ from its numbers.
    if not values or min(values) == max(values):
        return [0.0] * len(values)
    mean = math.fsum(values) / len(values)
    return [value - mean for value in values]


def _ranks(values: Sequence[float]) -> list[float]:
    order = sorted(range(len(values)), key=values.__getitem__)
    ranks = [0.0] * len(values)
    begin = 0
    while begin < len(order):
        end = begin
        while end < len(order) and values[order[end]] == values[order[begin]]:
            end += 1
        for place in order[begin:end]:
            ranks[place] = (begin + end + 1) / 2
        begin = end
    return ranks
