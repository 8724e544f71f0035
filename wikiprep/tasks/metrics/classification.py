"""Labels of one kind an example: accuracy, F1 of one class, mean F1 over classes, Matthews' correlation."""

import math
from collections import Counter
from collections.abc import Hashable, Sequence

from wikiprep.tasks.metrics.counts import Counts, ratio, same_length


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
    """Matthews' correlation, of any number of classes (Gorodkin 2004): CoLA's score. 0 where gold or predictions have
    one class alone."""
    same_length(gold, predicted)
    size, gold_counts, predicted_counts = len(gold), Counter(gold), Counter(predicted)
    correct = sum(a == b for a, b in zip(gold, predicted, strict=True))
    above = correct * size - sum(predicted_counts[label] * gold_counts[label] for label in predicted_counts)
    below = (size**2 - sum(n * n for n in predicted_counts.values())) * (
        size**2 - sum(n * n for n in gold_counts.values())
    )
    return ratio(above, math.sqrt(below))
