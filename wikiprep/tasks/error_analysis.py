"""What a model gets wrong: what it took for what (a confusion matrix and its picture), and the errors it was surest of.

matplotlib is imported when a picture is drawn: most results need none.
"""

from collections import Counter
from collections.abc import Iterable, Iterator
from dataclasses import dataclass
from pathlib import Path
from typing import TYPE_CHECKING

from wikiprep.errors import UsageError
from wikiprep.files import whole_file
from wikiprep.tasks.examples import Mention
from wikiprep.tasks.metrics.answers import exact_match, token_f1
from wikiprep.tasks.predictions import Extraction, Label, Prediction

if TYPE_CHECKING:
    from matplotlib.figure import Figure

NONE = "(none)"
_CELL, _MARGIN = 0.42, 2.2  # inches
_NUMBERS = 30  # labels up to which cells show their counts
LISTED = 100


@dataclass(frozen=True, slots=True)
class Confusion:
    """counts[i][j]: how often gold was labels[i] and the prediction labels[j].

    The last label is NONE where there is a label that was missed, or one that was made up.
    """

    labels: tuple[str, ...]
    counts: tuple[tuple[int, ...], ...]


def confusion_of(predictions: Iterable[Prediction]) -> Confusion:
    """How often each gold label was told as each other.

    Of relations each example counts once; of mentions each span (missed, made up, or of another type); of sets of types
    each label (right, missed, made up). Raises ValueError for answers to questions and for triples.
    """
    pairs = Counter(pair for prediction in predictions for pair in _pairs(prediction.gold, prediction.predicted))
    names = {name for pair in pairs for name in pair}
    labels = (*sorted(names - {NONE}), *([NONE] if NONE in names else []))
    return Confusion(labels, tuple(tuple(pairs[gold, predicted] for predicted in labels) for gold in labels))


def _pairs(gold: Label | None, predicted: Label | None) -> Iterator[tuple[str, str]]:
    if isinstance(gold, Extraction) or isinstance(predicted, Extraction):
        raise ValueError("triples have no confusion matrix")
    if isinstance(gold, str):
        if not (predicted is None or isinstance(predicted, str)):
            raise ValueError("gold and predicted are not of one kind")
        yield gold, NONE if predicted is None else predicted
        return
    if isinstance(predicted, str):
        raise ValueError("answers to questions have no confusion matrix")
    gold_labels, predicted_labels = _label_by_place(gold), _label_by_place(predicted)
    for place in sorted({*gold_labels, *predicted_labels}):
        yield gold_labels.get(place, NONE), predicted_labels.get(place, NONE)


def _label_by_place(label: tuple[str, ...] | tuple[Mention, ...] | None) -> dict[tuple[int, int, str], str]:
    """Labels by what must be equal for two to be one."""
    return {
        (item.start, item.end, "") if isinstance(item, Mention) else (0, 0, item): (
            item.type if isinstance(item, Mention) else item
        )
        for item in label or ()
    }


def draw_confusion(confusion: Confusion, path: str | Path, title: str = "") -> None:
    """Write the matrix as PNG: rows gold, columns predicted, colours by the share of the row.

    Raises UsageError where matplotlib is missing or the path is no PNG, OSError where it cannot be written.
    """
    if Path(path).suffix.lower() != ".png":
        raise UsageError(f"{path}: a confusion matrix is drawn as PNG", "give a name that ends in .png")
    if not confusion.labels:
        raise UsageError("a confusion matrix needs at least one prediction", "the predictions are empty")
    figure = _figure(confusion, title)
    with whole_file(path) as file:
        # Without the version of matplotlib in it the same matrix has the same bytes.
        figure.savefig(file, format="png", dpi=120, metadata={"Software": None})


def _figure(confusion: Confusion, title: str) -> "Figure":
    try:
        from matplotlib.figure import Figure
    except ModuleNotFoundError as error:
        raise UsageError("matplotlib is not installed", 'pip install "wikiprep[plots]"') from error
    size = len(confusion.labels)
    figure = Figure(figsize=(_MARGIN + _CELL * size, _MARGIN + _CELL * size), layout="constrained")
    axes = figure.add_subplot()
    shares = [[count / (sum(row) or 1) for count in row] for row in confusion.counts]
    axes.imshow(shares, cmap="Blues", vmin=0, vmax=1)
    axes.set_xticks(range(size), confusion.labels, rotation=90, fontsize=8)
    axes.set_yticks(range(size), confusion.labels, fontsize=8)
    axes.set_xlabel("predicted")
    axes.set_ylabel("gold")
    axes.set_title(title, fontsize=10)
    for i, row in enumerate(confusion.counts if size <= _NUMBERS else ()):
        for j, count in enumerate(row):
            if count:
                colour = "white" if shares[i][j] > 0.5 else "black"
                axes.text(j, i, str(count), ha="center", va="center", fontsize=7, color=colour)
    return figure


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
