"""What was taken for what: a matrix of counts, gold labels by predicted ones."""

from collections import Counter
from collections.abc import Iterable, Iterator
from dataclasses import dataclass

from wikiprep.tasks.examples import Mention
from wikiprep.tasks.predictions import Extraction, Label, Prediction

NONE = "(none)"


@dataclass(frozen=True, slots=True)
class Confusion:
    """counts[i][j]: how often gold was labels[i] and the prediction labels[j]. The last label is NONE where there is a
    label that was missed, or one that was made up."""

    labels: tuple[str, ...]
    counts: tuple[tuple[int, ...], ...]


def confusion_of(predictions: Iterable[Prediction]) -> Confusion:
    """Of relations each example counts once; of mentions each span (missed, made up, or of another type); of sets of
    types each label (right, missed, made up). Raises ValueError for answers to questions and for triples."""
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
