"""The worst errors: those that a model was surest of."""

from collections.abc import Iterable

from wikiprep.tasks.examples import Mention
from wikiprep.tasks.metrics.answers import exact_match, token_f1
from wikiprep.tasks.predictions import Extraction, Prediction

LISTED = 100


def is_wrong(prediction: Prediction) -> bool:
    """Whether it is not what is right; of questions, no exact match."""
    gold, found = prediction.gold, prediction.predicted
    if isinstance(found, Extraction) and isinstance(gold, Extraction):
        return set(gold.triples) != set(found.triples)
    if isinstance(found, str) and isinstance(gold, tuple):
        return not exact_match(found, [text for text in gold if isinstance(text, str)])
    if isinstance(gold, tuple) and isinstance(found, tuple):
        return set(gold) != set(found)
    return gold != found


def worst_errors(predictions: Iterable[Prediction], count: int = LISTED) -> list[Prediction]:
    """The wrong ones, worst first; those that are equally bad in their order.

    A label: by how much its score is above that of the right one. Sets of labels: the largest score of a label that is
    wrong, or the largest below zero of one that was missed. Mentions and triples: how many are wrong or missed.
    Answers: by 1 - F1, then by the answer's score. Without scores the order is that of the file.
    """
    wrong = [prediction for prediction in predictions if is_wrong(prediction)]
    return sorted(wrong, key=_badness, reverse=True)[:count]  # a stable sort, also in reverse


def _badness(prediction: Prediction) -> tuple[float, float]:
    gold, found, scores = prediction.gold, prediction.predicted, prediction.scores
    if isinstance(found, Extraction) and isinstance(gold, Extraction):
        return float(len(set(gold.triples) ^ set(found.triples))), 0.0
    if isinstance(found, str) and isinstance(gold, tuple):
        return 1 - token_f1(found, [text for text in gold if isinstance(text, str)]), scores.get(found, 0.0)
    if isinstance(found, str) and isinstance(gold, str):
        return scores.get(found, 0.0) - scores.get(gold, 0.0), 0.0
    if not isinstance(found, tuple) or not isinstance(gold, tuple):
        return float("-inf"), 0.0  # not answered: the model was sure of nothing
    right, guessed = set(gold), set(found)
    sizes = [
        scores.get(label, 0.0) * sign
        for labels, sign in ((guessed - right, 1), (right - guessed, -1))
        for label in labels
        if isinstance(label, str)
    ]
    mentions = sum(isinstance(label, Mention) for label in right ^ guessed)
    return (float(mentions), 0.0) if mentions else (max(sizes, default=0.0), float(len(right ^ guessed)))
