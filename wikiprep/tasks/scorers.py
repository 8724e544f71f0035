"""The figures of each task from predictions with their gold labels: what `score` and `finetune` print."""

from collections.abc import Callable, Sequence
from dataclasses import dataclass, field
from typing import cast

from wikiprep.errors import UsageError
from wikiprep.tasks.examples import Mention
from wikiprep.tasks.metrics.answers import answer_scores
from wikiprep.tasks.metrics.chunks import span_counts
from wikiprep.tasks.metrics.classification import accuracy, class_counts, macro_f1, matthews
from wikiprep.tasks.metrics.correlation import pearson, spearman
from wikiprep.tasks.metrics.counts import Counts
from wikiprep.tasks.metrics.entity_typing import typing_by_label, typing_scores
from wikiprep.tasks.metrics.semeval2010 import semeval2010_official
from wikiprep.tasks.metrics.tacred import NO_RELATION, relations_by_label, tacred_micro
from wikiprep.tasks.predictions import Prediction


@dataclass(frozen=True, slots=True)
class Score:
    """`figures` by name, in per cent, as tables print them; `main` names the one by which models are compared.
    `by_label`: counts of each label, where the task has labels. `unanswered` examples are wrong."""

    task: str
    main: str
    figures: dict[str, float]
    examples: int
    unanswered: int = 0
    by_label: dict[str, Counts] = field(default_factory=dict)


def score(task: str, predictions: Sequence[Prediction]) -> Score:
    """The task's figures. Every prediction must have its gold label; one of None is unanswered.

    Raises UsageError for a task that is not known, ValueError for a prediction without gold.
    """
    if task not in SCORERS:
        raise UsageError(f"no task is called {task!r}", f"tasks: {', '.join(SCORERS)}")
    bare = next((prediction for prediction in predictions if prediction.gold is None), None)
    if bare is not None:
        raise ValueError(f"prediction {bare.id!r} has no gold label")
    return SCORERS[task](task, predictions)


def _typing(task: str, predictions: Sequence[Prediction]) -> Score:
    gold, found = ([cast(tuple[str, ...], label or ()) for label in labels] for labels in _columns(predictions))
    scores = typing_scores(gold, found)
    figures = {**_percent(scores.micro), "macro_f1": 100 * scores.macro_f1, "strict_accuracy": 100 * scores.strict}
    return _score(task, "f1", figures, predictions, typing_by_label(gold, found))


def _tacred(task: str, predictions: Sequence[Prediction]) -> Score:
    gold, found = ([cast(str, label or NO_RELATION) for label in labels] for labels in _columns(predictions))
    figures = _percent(tacred_micro(gold, found))
    return _score(task, "f1", figures, predictions, relations_by_label(gold, found))


def _chunks(task: str, predictions: Sequence[Prediction]) -> Score:
    gold, found = (
        [[(span.start, span.end, span.type) for span in cast(tuple[Mention, ...], label or ())] for label in labels]
        for labels in _columns(predictions)
    )
    counts, by_type = span_counts(gold, found)
    return _score(task, "f1", _percent(counts), predictions, by_type)


def _semeval2010(task: str, predictions: Sequence[Prediction]) -> Score:
    gold, found = _columns(predictions)
    scores = semeval2010_official(cast(list[str], gold), cast(list[str | None], found))
    figures = {"precision": 100 * scores.precision, "recall": 100 * scores.recall, "f1": 100 * scores.f1}
    figures["accuracy"] = 100 * accuracy(gold, found)
    return _score(task, "f1", figures, predictions, scores.by_relation)


def _classes(task: str, predictions: Sequence[Prediction]) -> Score:
    gold, found = ([cast(str, label or "") for label in labels] for labels in _columns(predictions))
    figures = {"accuracy": 100 * accuracy(gold, found), "macro_f1": 100 * macro_f1(gold, found)}
    by_label = {label: counts for label, counts in relations_by_label(gold, found).items() if label}
    return _score(task, "accuracy", figures, predictions, by_label)


def _labels(*names: str) -> "Scorer":
    """The figures of these names, the first of which is the main one; F1 is that of the label 1."""

    def scorer(task: str, predictions: Sequence[Prediction]) -> Score:
        gold, found = ([cast(str, label or "") for label in labels] for labels in _columns(predictions))
        known = {
            "accuracy": lambda: accuracy(gold, found),
            "f1": lambda: class_counts(gold, found, "1").f1,
            "matthews": lambda: matthews(gold, found),
        }
        by_label = {label: class_counts(gold, found, label) for label in sorted({*gold, *found}) if label}
        return _score(task, names[0], {name: 100 * known[name]() for name in names}, predictions, by_label)

    return scorer


def _numbers(task: str, predictions: Sequence[Prediction]) -> Score:
    # One without an answer counts as 0, the lowest number there is.
    gold, found = ([float(cast(str, label or "0")) for label in labels] for labels in _columns(predictions))
    figures = {"spearman": 100 * spearman(gold, found), "pearson": 100 * pearson(gold, found)}
    return _score(task, "spearman", figures, predictions, {})


def _answers(main: str) -> "Scorer":
    def scorer(task: str, predictions: Sequence[Prediction]) -> Score:
        gold = {prediction.id: cast(tuple[str, ...], prediction.gold) for prediction in predictions}
        found = {prediction.id: cast(str, prediction.predicted) for prediction in predictions if _answered(prediction)}
        scores = answer_scores(gold, found)
        return _score(task, main, {"em": 100 * scores.exact, "f1": 100 * scores.f1}, predictions, {})

    return scorer


Scorer = Callable[[str, Sequence[Prediction]], Score]
SCORERS: dict[str, Scorer] = {
    "open-entity": _typing,
    "tacred": _tacred,
    "conll2003": _chunks,
    "wnut17": _chunks,
    "record": _answers("em"),
    "squad": _answers("f1"),
    "semeval2010": _semeval2010,
    "fewrel": _classes,
    "glue/cola": _labels("matthews", "accuracy"),
    "glue/sst2": _labels("accuracy"),
    "glue/mrpc": _labels("f1", "accuracy"),
    "glue/stsb": _numbers,
    "glue/qqp": _labels("f1", "accuracy"),
    "glue/mnli": _labels("accuracy"),
    "glue/qnli": _labels("accuracy"),
    "glue/rte": _labels("accuracy"),
    "glue/wnli": _labels("accuracy"),
    "copa": _labels("accuracy"),
}


def _columns(predictions: Sequence[Prediction]) -> tuple[list[object], list[object]]:
    return [prediction.gold for prediction in predictions], [prediction.predicted for prediction in predictions]


def _answered(prediction: Prediction) -> bool:
    return prediction.predicted is not None


def _percent(counts: Counts) -> dict[str, float]:
    return {"precision": 100 * counts.precision, "recall": 100 * counts.recall, "f1": 100 * counts.f1}


def _score(
    task: str, main: str, figures: dict[str, float], predictions: Sequence[Prediction], by_label: dict[str, Counts]
) -> Score:
    unanswered = sum(not _answered(prediction) for prediction in predictions)
    return Score(task, main, figures, len(predictions), unanswered, by_label)
