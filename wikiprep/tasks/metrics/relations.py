"""One relation an example: TACRED's micro P, R and F1, and the official score of SemEval-2010 task 8.

TACRED (Zhang et al., EMNLP 2017): `no_relation` is neither predicted nor gold.

SemEval: (9+1)-way, directions taken into account, macro F1 without Other. As its scorer (version 1.2) counts: a
prediction with the right relation and the wrong direction is wrong, and counts as predicted; the mean is over the
relations that the gold labels hold, on the whole set all nine.
"""

import math
from collections.abc import Sequence
from dataclasses import dataclass

from wikiprep.tasks.metrics.counts import Counts, ratio, same_length

NO_RELATION = "no_relation"
OTHER = "Other"


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


@dataclass(frozen=True, slots=True)
class MacroScores:
    """`by_relation`: counts of each relation of gold or predictions, in both directions together, and of Other.
    `precision`, `recall`, `f1`: means over the relations of gold but Other; `f1`, the mean of F1s, is official."""

    by_relation: dict[str, Counts]
    precision: float
    recall: float
    f1: float


def semeval2010_official(gold: Sequence[str], predicted: Sequence[str | None]) -> MacroScores:
    """Labels as "Cause-Effect(e2,e1)" or "Other".

    A prediction of None was left out, and is wrong without having been predicted. Raises ValueError where the lists
    differ in length.
    """
    same_length(gold, predicted)
    counts: dict[str, Counts] = {}
    for gold_label, predicted_label in zip(gold, predicted, strict=True):
        relation = relation_of(gold_label)
        counts[relation] = counts.get(relation, Counts()) + Counts(int(gold_label == predicted_label), 0, 1)
        if predicted_label is not None:
            predicted_relation = relation_of(predicted_label)
            counts[predicted_relation] = counts.get(predicted_relation, Counts()) + Counts(0, 1, 0)
    relation_counts = [
        relation_count
        for relation, relation_count in sorted(counts.items())
        if relation != OTHER and relation_count.gold
    ]
    precision, recall, f1 = (
        ratio(math.fsum(getattr(relation_count, name) for relation_count in relation_counts), len(relation_counts))
        for name in ("precision", "recall", "f1")
    )
    return MacroScores(dict(sorted(counts.items())), precision, recall, f1)


def relation_of(label: str) -> str:
    """The label without its direction."""
    return label.partition("(")[0]
