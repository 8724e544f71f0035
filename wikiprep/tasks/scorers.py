"""The figures of each task from predictions with their gold labels: what `score` and `finetune` print."""

from collections.abc import Callable, Sequence
from dataclasses import dataclass, field, replace
from typing import cast

from wikiprep.errors import UsageError
from wikiprep.suggestions import names_hint
from wikiprep.tasks.examples import Mention
from wikiprep.tasks.metrics.answers import answer_scores
from wikiprep.tasks.metrics.classification import (
    accuracy,
    class_counts,
    macro_f1,
    matthews,
    typing_by_label,
    typing_scores,
)
from wikiprep.tasks.metrics.correlation import pearson, spearman
from wikiprep.tasks.metrics.counts import Counts
from wikiprep.tasks.metrics.extraction import Match, Triple, span_counts, triple_counts
from wikiprep.tasks.metrics.relations import NO_RELATION, relations_by_label, semeval2010_official, tacred_micro
from wikiprep.tasks.predictions import Extraction, Prediction


@dataclass(frozen=True, slots=True)
class Score:
    """`figures` by name, in per cent, as tables print them; `main` names the one by which models are compared.
    `by_label`: counts of each label, where the task has labels. `unanswered` examples are wrong.

    `form`: of the data, where a task has several, which are never compared. `views`: of a task that is scored in
    several ways a name of each, and what its precision, recall and f1 begin with. `left_out`: what a model's limits
    kept it from, by reason."""

    task: str
    main: str
    figures: dict[str, float]
    examples: int
    unanswered: int = 0
    by_label: dict[str, Counts] = field(default_factory=dict)
    form: str = ""
    views: tuple[tuple[str, str], ...] = ()
    left_out: dict[str, int] = field(default_factory=dict)


def score(task: str, predictions: Sequence[Prediction]) -> Score:
    """The task's figures. Every prediction must have its gold label; one of None is unanswered.

    Raises UsageError for a task that is not known, ValueError for a prediction without gold.
    """
    if task not in SCORERS:
        raise UsageError(f"no task is called {task!r}", names_hint("tasks", task, SCORERS))
    unlabelled = next((prediction for prediction in predictions if prediction.gold is None), None)
    if unlabelled is not None:
        raise ValueError(f"prediction {unlabelled.id!r} has no gold label")
    return SCORERS[task](task, predictions)


def _typing(task: str, predictions: Sequence[Prediction]) -> Score:
    gold, predicted = ([cast(tuple[str, ...], label or ()) for label in labels] for labels in _columns(predictions))
    scores = typing_scores(gold, predicted)
    figures = {**_percent(scores.micro), "macro_f1": 100 * scores.macro_f1, "strict_accuracy": 100 * scores.strict}
    return _score(task, "f1", figures, predictions, typing_by_label(gold, predicted))


def _tacred(task: str, predictions: Sequence[Prediction]) -> Score:
    gold, predicted = ([cast(str, label or NO_RELATION) for label in labels] for labels in _columns(predictions))
    figures = _percent(tacred_micro(gold, predicted))
    return _score(task, "f1", figures, predictions, relations_by_label(gold, predicted))


def _chunks(task: str, predictions: Sequence[Prediction]) -> Score:
    gold, predicted = (
        [[(span.start, span.end, span.type) for span in cast(tuple[Mention, ...], label or ())] for label in labels]
        for labels in _columns(predictions)
    )
    counts, by_type = span_counts(gold, predicted)
    return _score(task, "f1", _percent(counts), predictions, by_type)


def _semeval2010(task: str, predictions: Sequence[Prediction]) -> Score:
    gold, predicted = _columns(predictions)
    scores = semeval2010_official(cast(list[str], gold), cast(list[str | None], predicted))
    figures = {"precision": 100 * scores.precision, "recall": 100 * scores.recall, "f1": 100 * scores.f1}
    figures["accuracy"] = 100 * accuracy(gold, predicted)
    return _score(task, "f1", figures, predictions, scores.by_relation)


def _classes(task: str, predictions: Sequence[Prediction]) -> Score:
    gold, predicted = ([cast(str, label or "") for label in labels] for labels in _columns(predictions))
    figures = {"accuracy": 100 * accuracy(gold, predicted), "macro_f1": 100 * macro_f1(gold, predicted)}
    by_label = {label: counts for label, counts in relations_by_label(gold, predicted).items() if label}
    return _score(task, "accuracy", figures, predictions, by_label)


def _labels(*names: str) -> "Scorer":
    """The figures of these names, the first of which is the main one; F1 is that of the label 1."""

    def scorer(task: str, predictions: Sequence[Prediction]) -> Score:
        gold, predicted = ([cast(str, label or "") for label in labels] for labels in _columns(predictions))
        figure_functions = {
            "accuracy": lambda: accuracy(gold, predicted),
            "f1": lambda: class_counts(gold, predicted, "1").f1,
            "matthews": lambda: matthews(gold, predicted),
        }
        by_label = {label: class_counts(gold, predicted, label) for label in sorted({*gold, *predicted}) if label}
        return _score(task, names[0], {name: 100 * figure_functions[name]() for name in names}, predictions, by_label)

    return scorer


def _numbers(task: str, predictions: Sequence[Prediction]) -> Score:
    # One without an answer counts as 0, the lowest number there is.
    gold, predicted = ([float(cast(str, label or "0")) for label in labels] for labels in _columns(predictions))
    figures = {"spearman": 100 * spearman(gold, predicted), "pearson": 100 * pearson(gold, predicted)}
    return _score(task, "spearman", figures, predictions, {})


def _answers(main: str) -> "Scorer":
    def scorer(task: str, predictions: Sequence[Prediction]) -> Score:
        gold = {prediction.id: cast(tuple[str, ...], prediction.gold) for prediction in predictions}
        predicted = {
            prediction.id: cast(str, prediction.predicted) for prediction in predictions if _is_answered(prediction)
        }
        scores = answer_scores(gold, predicted)
        return _score(task, main, {"em": 100 * scores.exact, "f1": 100 * scores.f1}, predictions, {})

    return scorer


REACHABLE = "gold triples that can be found"  # of a prediction's scores, a count
LEFT_OUT = "entities beyond max_spans, whose pairs were not looked at"  # likewise
EXACT, ENTITIES, BOUND = ("triples, exact", ""), ("entities", "entity_"), ("recall's upper bound", "bound_")
PARTIAL: tuple[tuple[str, str, Match], ...] = (
    ("triples, first words", "first_word_", "first"),
    ("triples, last words", "last_word_", "last"),
)


def _joint(task: str, predictions: Sequence[Prediction]) -> Score:
    gold, predicted = ([_extraction(label) for label in labels] for labels in _columns(predictions))
    sides = [[one.triples for one in side] for side in (gold, predicted)]
    counts = triple_counts(sides[0], sides[1])
    figures, views = _percent(counts), [EXACT]
    for name, prefix, match in PARTIAL:
        view_counts = triple_counts(sides[0], sides[1], match)
        figures |= {prefix + key: value for key, value in _percent(view_counts).items()}
        views.append((name, prefix))
    if all(one.entities is not None for side in (gold, predicted) for one in side):
        pairs = [
            (set(right.entities or ()), set(one.entities or ())) for right, one in zip(gold, predicted, strict=True)
        ]
        view_counts = sum((Counts(len(a & b), len(b), len(a)) for a, b in pairs), Counts())
        figures |= {ENTITIES[1] + key: value for key, value in _percent(view_counts).items()}
        views.append(ENTITIES)
    if counts.gold and all(REACHABLE in one.scores for one in predictions):
        figures[f"{BOUND[1]}recall"] = 100 * sum(one.scores[REACHABLE] for one in predictions) / counts.gold
        views.append(BOUND)
    relations = sorted({triple[1] for side in sides for triples in side for triple in triples})
    by_label = {name: triple_counts(_of_relation(sides[0], name), _of_relation(sides[1], name)) for name in relations}
    forms = sorted({one.form for one in predictions if one.form})
    base_score = _score(task, "f1", figures, predictions, by_label)
    skipped_entities = round(sum(one.scores.get(LEFT_OUT, 0.0) for one in predictions))
    left_out = {LEFT_OUT: skipped_entities} if skipped_entities else {}
    return replace(base_score, form=" and ".join(forms), views=tuple(views), left_out=left_out)


def _extraction(label: object) -> Extraction:
    return label if isinstance(label, Extraction) else Extraction((), ())


def _of_relation(side: Sequence[Sequence[Triple]], relation: str) -> list[list[Triple]]:
    return [[triple for triple in triples if triple[1] == relation] for triples in side]


Scorer = Callable[[str, Sequence[Prediction]], Score]
SCORERS: dict[str, Scorer] = {
    "open-entity": _typing,
    "figer": _typing,
    "tacred": _tacred,
    "conll2003": _chunks,
    "wnut17": _chunks,
    "record": _answers("em"),
    "squad": _answers("f1"),
    "semeval2010": _semeval2010,
    "fewrel": _classes,
    "webnlg": _joint,
    "nyt24": _joint,
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


def _is_answered(prediction: Prediction) -> bool:
    return prediction.predicted is not None


def _percent(counts: Counts) -> dict[str, float]:
    return {"precision": 100 * counts.precision, "recall": 100 * counts.recall, "f1": 100 * counts.f1}


def _score(
    task: str, main: str, figures: dict[str, float], predictions: Sequence[Prediction], by_label: dict[str, Counts]
) -> Score:
    unanswered = sum(not _is_answered(prediction) for prediction in predictions)
    return Score(task, main, figures, len(predictions), unanswered, by_label)
