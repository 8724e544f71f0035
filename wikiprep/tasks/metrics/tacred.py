"""TACRED's micro P, R and F1 (Zhang et al., EMNLP 2017): `no_relation` is neither predicted nor gold."""

from collections.abc import Sequence

from wikiprep.tasks.metrics.counts import Counts, same_length

NO_RELATION = "no_relation"


def tacred_micro(gold: Sequence[str], predicted: Sequence[str], none: str = NO_RELATION) -> Counts:
    """Correct: equal and not `none`; predicted: predictions that are not `none`; gold likewise.

    Raises ValueError where the lists differ in length.
    """
    by_label = relations_by_label(gold, predicted)
    return sum((counts for label, counts in by_label.items() if label != none), Counts())


def relations_by_label(gold: Sequence[str], predicted: Sequence[str]) -> dict[str, Counts]:
    """The counts of each label that occurs, by name."""
    same_length(gold, predicted)
    labels = sorted({*gold, *predicted})
    correct, predicted_counts, gold_counts = (dict.fromkeys(labels, 0) for _ in range(3))
    for truth, guess in zip(gold, predicted, strict=True):
        gold_counts[truth] += 1
        predicted_counts[guess] += 1
        correct[truth] += truth == guess
    return {label: Counts(correct[label], predicted_counts[label], gold_counts[label]) for label in labels}
