"""Labels: accuracy, F1 of one class, mean F1 over classes and Matthews' correlation of single ones; sets of types.

Sets of types a mention: loose micro and macro, strict accuracy (Ling and Weld, AAAI 2012; Choi et al., ACL 2018).
"""

import math
from collections import Counter
from collections.abc import Collection, Hashable, Sequence
from dataclasses import dataclass

from wikiprep.tasks.metrics.counts import Counts, harmonic, ratio, same_length


def accuracy(gold: Sequence[Hashable], predicted: Sequence[Hashable]) -> float:
    """The share of equal labels; 0 of no example. Raises ValueError where the lists differ in length, as all do."""
    same_length(gold, predicted)
    return ratio(sum(a == b for a, b in zip(gold, predicted, strict=True)), len(gold))


def class_counts(gold: Sequence[Hashable], predicted: Sequence[Hashable], label: Hashable) -> Counts:
    """The counts of one class; `.f1` with label 1 is GLUE's F1 of MRPC and QQP."""
    same_length(gold, predicted)
    both = sum(a == b == label for a, b in zip(gold, predicted, strict=True))
    return Counts(both, sum(b == label for b in predicted), sum(a == label for a in gold))


def macro_f1(gold: Sequence[Hashable], predicted: Sequence[Hashable]) -> float:
    """The mean of the classes' F1, over all classes of gold or predictions."""
    labels = {*gold, *predicted}
    return ratio(sum(class_counts(gold, predicted, label).f1 for label in labels), len(labels))


def matthews(gold: Sequence[Hashable], predicted: Sequence[Hashable]) -> float:
    """Matthews' correlation, of any number of classes (Gorodkin 2004).

    CoLA's score. 0 where gold or predictions have one class alone.
    """
    same_length(gold, predicted)
    size, gold_counts, predicted_counts = len(gold), Counter(gold), Counter(predicted)
    correct = sum(a == b for a, b in zip(gold, predicted, strict=True))
    above = correct * size - sum(predicted_counts[label] * gold_counts[label] for label in predicted_counts)
    below = (size**2 - sum(n * n for n in predicted_counts.values())) * (
        size**2 - sum(n * n for n in gold_counts.values())
    )
    return ratio(above, math.sqrt(below))


@dataclass(frozen=True, slots=True)
class TypingScores:
    """`micro`: all labels pooled.

    `macro_precision` and `macro_recall`: means over all examples of their own precision and recall. `strict`: the share
    of examples whose sets are equal.
    """

    micro: Counts
    macro_precision: float
    macro_recall: float
    strict: float

    @property
    def macro_f1(self) -> float:
        """Of the two means."""
        return harmonic(self.macro_precision, self.macro_recall)


def typing_scores(gold: Sequence[Collection[str]], predicted: Sequence[Collection[str]]) -> TypingScores:
    """Scores of examples with sets of labels.

    An example without prediction (or without gold) adds 0 to the mean of precision (recall) and counts in its divisor.
    Raises ValueError where the lists differ in length.
    """
    same_length(gold, predicted)
    micro, precision, recall, equal = Counts(), 0.0, 0.0, 0
    for gold_labels, predicted_labels in zip(map(set, gold), map(set, predicted), strict=True):
        counts = Counts(len(gold_labels & predicted_labels), len(predicted_labels), len(gold_labels))
        micro += counts
        precision += counts.precision
        recall += counts.recall
        equal += gold_labels == predicted_labels
    size = len(gold)
    return TypingScores(micro, ratio(precision, size), ratio(recall, size), ratio(equal, size))


def typing_by_label(gold: Sequence[Collection[str]], predicted: Sequence[Collection[str]]) -> dict[str, Counts]:
    """The counts of each label, by name."""
    same_length(gold, predicted)
    by_label: dict[str, Counts] = {}
    for gold_labels, predicted_labels in zip(map(set, gold), map(set, predicted), strict=True):
        for label in gold_labels | predicted_labels:
            counts = Counts(
                int(label in gold_labels and label in predicted_labels),
                int(label in predicted_labels),
                int(label in gold_labels),
            )
            by_label[label] = by_label.get(label, Counts()) + counts
    return dict(sorted(by_label.items()))
