"""Anyone's predictions beside the gold labels: matched by id (or by order, where the form has no ids), and checked."""

from collections.abc import Callable, Iterator, Sequence
from dataclasses import dataclass, replace
from pathlib import Path

from wikiprep.errors import WikiprepError
from wikiprep.tasks.data import copa, open_entity, semeval2010, tacred
from wikiprep.tasks.data.benchmark_files import UniqueIds
from wikiprep.tasks.data.glue import GLUE, is_number
from wikiprep.tasks.data.triple_forms import read_sentences
from wikiprep.tasks.examples import Mention
from wikiprep.tasks.official_forms import (
    answers,
    choice_lines,
    glue_lines,
    label_lines,
    relation_lines,
    tagged_sentences,
)
from wikiprep.tasks.predictions import FORM, Extraction, Prediction, read_predictions
from wikiprep.tasks.read_gold import is_ours

Found = Iterator[Prediction]  # ids and predictions; gold is not looked at


@dataclass(frozen=True, slots=True)
class Expected:
    """What a task's predictions are.

    `labels`: those that there are, where the benchmark fixes them. `some`: examples may be left out, as the official
    scorer has it; they are wrong. `official`: reads the benchmark's own form.
    """

    kind: str
    official: Callable[[Path, Sequence[Prediction]], Found] | None
    labels: frozenset[str] = frozenset()
    some: bool = False


def _answers(path: Path, gold: Sequence[Prediction]) -> Found:
    return (Prediction(name, "", None, text, place=place) for name, text, place in answers(path))


def _relations(path: Path, gold: Sequence[Prediction]) -> Found:
    return (Prediction(name, "", None, label, place=place) for name, label, place in relation_lines(path))


def _labels(path: Path, gold: Sequence[Prediction]) -> Found:
    lines = list(label_lines(path, tacred.LABELS))
    if len(lines) != len(gold):
        raise WikiprepError(f"{path}: has {len(lines):,} labels, gold {len(gold):,} examples", "it is one label a line")
    return (
        Prediction(example.id, "", None, label, place=place)
        for example, (label, place) in zip(gold, lines, strict=True)
    )


def _tags(path: Path, gold: Sequence[Prediction]) -> Found:
    sentences = tagged_sentences(path, [example.text for example in gold])
    return (
        Prediction(example.id, "", None, spans, place=at) for example, (spans, at) in zip(gold, sentences, strict=True)
    )


def _triples(path: Path, gold: Sequence[Prediction]) -> Found:
    sentences = list(read_sentences(path))
    if len(sentences) != len(gold):
        what = f"{path}: has {len(sentences):,} texts, gold {len(gold):,}"
        raise WikiprepError(what, "it has gold's texts, in its order")
    for sentence, example in zip(sentences, gold, strict=True):
        if example.text and sentence.text.split() != example.text.split():
            what = f"{sentence.place}: the text is not gold's, which is: {example.text}"
            raise WikiprepError(what, "are these predictions of another split?")
        triples = tuple((head.name, relation, tail.name) for head, relation, tail in sentence.triples)
        yield Prediction(example.id, "", None, Extraction(None, triples), place=sentence.place)


def _glue(path: Path, gold: Sequence[Prediction]) -> Found:
    return (Prediction(name, "", None, label, place=place) for name, label, place in glue_lines(path))


def _choices(path: Path, gold: Sequence[Prediction]) -> Found:
    return (Prediction(name, "", None, label, place=place) for name, label, place in choice_lines(path))


LABEL, LABELS, MENTIONS, ANSWER = "a label", "a list of labels", 'a list of {"start", "end", "type"}', "an answer"
NUMBER = "a number, as text"
TRIPLES = '{"entities": [name], "triples": [[subject, relation, object]]}'
EXPECTED: dict[str, Expected] = {
    "open-entity": Expected(LABELS, None, frozenset(open_entity.GENERAL_TYPES)),
    "figer": Expected(LABELS, None),
    "tacred": Expected(LABEL, _labels, frozenset(tacred.LABELS)),
    "conll2003": Expected(MENTIONS, _tags),
    "wnut17": Expected(MENTIONS, _tags),
    "record": Expected(ANSWER, _answers, some=True),
    "squad": Expected(ANSWER, _answers, some=True),
    "semeval2010": Expected(LABEL, _relations, frozenset(semeval2010.LABELS), some=True),
    "fewrel": Expected(LABEL, None),
    "webnlg": Expected(TRIPLES, _triples),
    "nyt24": Expected(TRIPLES, _triples),
    **{
        task: Expected(LABEL if glue_task.labels else NUMBER, _glue, frozenset(glue_task.labels))
        for task, glue_task in GLUE.items()
    },
    "copa": Expected(LABEL, _choices, frozenset(copa.LABELS)),
}


def with_predictions(task: str, gold: Sequence[Prediction], path: Path) -> tuple[list[Prediction], list[str]]:
    """The gold examples, in their order, with what `path` says of each; and what the user should know.

    Raises WikiprepError, with file and line (or id), for an id that gold lacks or that comes twice, a label that the
    task does not have, a prediction of another kind, and for missing ids where the official scorer takes none.
    """
    expected = EXPECTED[task]
    if is_ours(path, "predicted"):
        predictions: Found = read_predictions(path)
    elif expected.official is None:
        raise WikiprepError(f"{path}: its first line is not of predictions.jsonl", FORM)
    else:
        predictions = expected.official(path, gold)
    by_id, ids, known_labels = {example.id: example for example in gold}, UniqueIds(), _names(gold)
    prediction_by_id: dict[str, Prediction] = {}
    strange_labels: set[str] = set()
    for prediction in predictions:
        ids.take(prediction.id, prediction.place)
        if prediction.id not in by_id:
            raise WikiprepError(
                f"{prediction.place}: id {prediction.id!r} is not in gold", "are these predictions of another split?"
            )
        _check(prediction, by_id[prediction.id], expected)
        strange_labels |= _names([replace(prediction, gold=prediction.predicted)]) - known_labels
        prediction_by_id[prediction.id] = prediction
    notes = _missing(path, gold, prediction_by_id, expected)
    if strange_labels and expected.kind in (LABEL, MENTIONS, TRIPLES):
        notes.append(f"labels that gold never has: {', '.join(sorted(strange_labels))}")
    return [
        replace(example, predicted=prediction_by_id[example.id].predicted, scores=prediction_by_id[example.id].scores)
        if example.id in prediction_by_id
        else replace(example, predicted=None, scores={})
        for example in gold
    ], notes


def _check(prediction: Prediction, example: Prediction, expected: Expected) -> None:
    value = prediction.predicted
    if value is None:
        return
    if (expected.kind == TRIPLES) != isinstance(value, Extraction):
        raise WikiprepError(f"{prediction.place}: the prediction of {prediction.id!r} is not {expected.kind}", FORM)
    if isinstance(value, Extraction):
        return
    single = expected.kind in (LABEL, ANSWER, NUMBER)
    if single != isinstance(value, str) or (
        not isinstance(value, str) and any(isinstance(item, Mention) != (expected.kind == MENTIONS) for item in value)
    ):
        raise WikiprepError(f"{prediction.place}: the prediction of {prediction.id!r} is not {expected.kind}", FORM)
    if expected.kind == NUMBER and not (isinstance(value, str) and is_number(value)):
        raise WikiprepError(f"{prediction.place}: the prediction of {prediction.id!r} is not {expected.kind}", FORM)
    names = {value} if isinstance(value, str) else {item for item in value if isinstance(item, str)}
    if expected.labels and (unknown := names - expected.labels):
        raise WikiprepError(
            f"{prediction.place}: {min(unknown)!r} is no label of the task",
            f"labels: {', '.join(sorted(expected.labels))}",
        )
    for item in value if not isinstance(value, str) else ():
        if isinstance(item, Mention) and example.text and not 0 <= item.start < item.end <= len(example.text):
            raise WikiprepError(
                f"{prediction.place}: [{item.start}, {item.end}) is no span of the text, "
                f"of {len(example.text)} characters",
                FORM,
            )


def _missing(
    path: Path, gold: Sequence[Prediction], prediction_by_id: dict[str, Prediction], expected: Expected
) -> list[str]:
    missing_ids = [example.id for example in gold if example.id not in prediction_by_id]
    if not missing_ids:
        return []
    first_ids = ", ".join(missing_ids[:5]) + (", …" if len(missing_ids) > 5 else "")
    what = f"{len(missing_ids):,} of {len(gold):,} examples have no prediction: {first_ids}"
    if not expected.some or not prediction_by_id:
        raise WikiprepError(f"{path}: {what}", "each example of gold needs one; is this another split?")
    return [f"{what}; they count as wrong"]


def _names(predictions: Sequence[Prediction]) -> set[str]:
    """The labels and types that stand in gold."""
    labels: set[str] = set()
    for prediction in predictions:
        if isinstance(prediction.gold, Extraction):
            labels |= {relation for _, relation, _ in prediction.gold.triples}
            continue
        for item in (prediction.gold,) if isinstance(prediction.gold, str) else prediction.gold or ():
            labels.add(item.type if isinstance(item, Mention) else item)
    return labels
