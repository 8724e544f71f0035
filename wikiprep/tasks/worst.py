"""The worst errors: those that a model was surest of."""

from collections.abc import Iterable

from wikiprep.tasks.examples import Mention
from wikiprep.tasks.metrics.answers import exact_match, token_f1
from wikiprep.tasks.predictions import Extraction, Prediction

LISTED = 100


def is_wrong(prediction: Prediction) -> bool:
    """Whether it is not what is right; of questions, no exact match."""
    gold, predicted = prediction.gold, prediction.predicted
    if isinstance(predicted, Extraction) and isinstance(gold, Extraction):
        return set(gold.triples) != set(predicted.triples)
    if isinstance(predicted, str) and isinstance(gold, tuple):
        return not exact_match(predicted, [text for text in gold if isinstance(text, str)])
    if isinstance(gold, tuple) and isinstance(predicted, tuple):
        return set(gold) != set(predicted)
    return gold != predicted


def worst_errors(predictions: Iterable[Prediction], count: int = LISTED) -> list[Prediction]:
    """The wrong ones, worst first; those that are equally bad in their order.

    A label: by how much its score is above that of the right one. Sets of labels: the largest score of a label that is
    wrong, or the largest below zero of one that was missed. Mentions and triples: how many are wrong or missed.
    Answers: by 1 - F1, then by the answer's score. Without scores the order is that of the file.
    """
    wrong = [prediction for prediction in predictions if is_wrong(prediction)]
    return sorted(wrong, key=_badness, reverse=True)[:count]  # a stable sort, also in reverse


def _badness(prediction: Prediction) -> tuple[float, float]:
    gold, predicted, scores = prediction.gold, prediction.predicted, prediction.scores
    if isinstance(predicted, Extraction) and isinstance(gold, Extraction):
        return float(len(set(gold.triples) ^ set(predicted.triples))), 0.0
    if isinstance(predicted, str) and isinstance(gold, tuple):
        return 1 - token_f1(predicted, [text for text in gold if isinstance(text, str)]), scores.get(predicted, 0.0)
    if isinstance(predicted, str) and isinstance(gold, str):
        return scores.get(predicted, 0.0) - scores.get(gold, 0.0), 0.0
    if not isinstance(predicted, tuple) or not isinstance(gold, tuple):
        return float("-inf"), 0.0  # not answered: the model was sure of nothing
    gold_labels, predicted_labels = set(gold), set(predicted)
    sizes = [
        scores.get(label, 0.0) * sign
        for labels, sign in ((predicted_labels - gold_labels, 1), (gold_labels - predicted_labels, -1))
        for label in labels
        if isinstance(label, str)
    ]
    mentions = sum(isinstance(label, Mention) for label in gold_labels ^ predicted_labels)
    return (float(mentions), 0.0) if mentions else (max(sizes, default=0.0), float(len(gold_labels ^ predicted_labels)))
