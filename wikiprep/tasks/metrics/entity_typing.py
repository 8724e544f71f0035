"""Sets of types a mention: loose micro and macro, strict accuracy (Ling and Weld, AAAI 2012; Choi et al., ACL 2018)."""

from collections.abc import Collection, Sequence
from dataclasses import dataclass

from wikiprep.tasks.metrics.counts import Counts, harmonic, ratio, same_length


@dataclass(frozen=True, slots=True)
class TypingScores:
    """`micro`: all labels pooled. `macro_precision` and `macro_recall`: means over all examples of their own precision
    and recall. `strict`: the share of examples whose sets are equal."""

    micro: Counts
    macro_precision: float
    macro_recall: float
    strict: float

    @property
    def macro_f1(self) -> float:
        """Of the two means."""
        return harmonic(self.macro_precision, self.macro_recall)


def typing_scores(gold: Sequence[Collection[str]], predicted: Sequence[Collection[str]]) -> TypingScores:
    """Scores of examples with sets of labels. An example without prediction (or without gold) adds 0 to the mean of
    precision (recall) and counts in its divisor. Raises ValueError where the lists differ in length."""
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
