"""Precision, recall and F1 from three counts; what would divide by zero is 0, as in the benchmarks' own scorers."""

from collections.abc import Sized
from dataclasses import dataclass


@dataclass(frozen=True, slots=True)
class Counts:
    """`correct` of what was `predicted`, and of what there was in `gold`. Ratios are shares, from 0 to 1."""

    correct: int = 0
    predicted: int = 0
    gold: int = 0

    @property
    def precision(self) -> float:
        """correct / predicted."""
        return ratio(self.correct, self.predicted)

    @property
    def recall(self) -> float:
        """correct / gold."""
        return ratio(self.correct, self.gold)

    @property
    def f1(self) -> float:
        """The harmonic mean of precision and recall."""
        return harmonic(self.precision, self.recall)

    def __add__(self, other: "Counts") -> "Counts":
        return Counts(self.correct + other.correct, self.predicted + other.predicted, self.gold + other.gold)


def ratio(part: float, whole: float) -> float:
    """part / whole, 0 where there is no whole."""
    return part / whole if whole else 0.0


def harmonic(precision: float, recall: float) -> float:
    """2PR / (P + R), 0 where both are 0."""
    return ratio(2 * precision * recall, precision + recall)


def same_length(gold: Sized, predicted: Sized) -> None:
    """Raises ValueError where two lists are not of one length."""
    if len(gold) != len(predicted):
        raise ValueError(f"{len(gold)} gold labels and {len(predicted)} predictions")
