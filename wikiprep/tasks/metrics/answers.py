"""Exact match and F1 of answers to questions, as the scripts of SQuAD 1.1 (Rajpurkar et al. 2016) and ReCoRD have them.

Texts are compared in lower case, without ASCII punctuation, without the words a, an and the, white space collapsed.
"""

import re
import string
from collections import Counter
from collections.abc import Iterable, Mapping, Sequence
from dataclasses import dataclass

from wikiprep.tasks.metrics.counts import harmonic, ratio

_PUNCTUATION = str.maketrans("", "", string.punctuation)
_ARTICLES = re.compile(r"\b(?:a|an|the)\b")


@dataclass(frozen=True, slots=True)
class AnswerScores:
    """Means over all questions, from 0 to 1; `unanswered` ones count 0."""

    exact: float
    f1: float
    questions: int
    unanswered: int


def normal_answer(text: str) -> str:
    """The text as it is compared. Articles go after punctuation: "a.b" has none."""
    return " ".join(_ARTICLES.sub(" ", text.lower().translate(_PUNCTUATION)).split())


def exact_match(answer: str, gold: Iterable[str]) -> float:
    """1.0 if the answer is one of the right ones, else 0.0."""
    normalized = normal_answer(answer)
    return float(any(normalized == normal_answer(right) for right in gold))


def token_f1(answer: str, gold: Iterable[str]) -> float:
    """The best F1 of the words as multisets; 0 where no word is common, so also where nothing is left of both texts."""
    answer_words = Counter(normal_answer(answer).split())
    best = 0.0
    for right in gold:
        words = Counter(normal_answer(right).split())
        common = (answer_words & words).total()
        best = max(best, harmonic(ratio(common, answer_words.total()), ratio(common, words.total())))
    return best


def answer_scores(gold: Mapping[str, Sequence[str]], predicted: Mapping[str, str]) -> AnswerScores:
    """Scores of answers by question id: gold has all questions with their right answers.

    Raises ValueError for an answer to no question.
    """
    stray = next((name for name in predicted if name not in gold), None)
    if stray is not None:
        raise ValueError(f"an answer to no question: {stray}")
    exact = sum(exact_match(predicted[name], right) for name, right in gold.items() if name in predicted)
    f1 = sum(token_f1(predicted[name], right) for name, right in gold.items() if name in predicted)
    return AnswerScores(ratio(exact, len(gold)), ratio(f1, len(gold)), len(gold), len(gold) - len(predicted))
