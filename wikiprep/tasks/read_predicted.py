"""Anyone's predictions beside the gold labels: matched by id (or by order, where the form has no ids), and checked."""

from collections.abc import Callable, Iterator, Sequence
from dataclasses import dataclass, replace
from pathlib import Path

from wikiprep.errors import WikiprepError
from wikiprep.tasks.data import copa, open_entity, semeval2010, tacred
from wikiprep.tasks.data.glue import GLUE, is_number
from wikiprep.tasks.data.triple_forms import read_sentences
from wikiprep.tasks.data.unique import UniqueIds
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
    """What a task's predictions are. `labels`: those that there are, where the benchmark fixes them. `some`: examples
    may be left out, as the official scorer has it; they are wrong. `official`: reads the benchmark's own form."""

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
        Prediction(right.id, "", None, label, place=place) for right, (label, place) in zip(gold, lines, strict=True)
    )


def _tags(path: Path, gold: Sequence[Prediction]) -> Found:
    sentences = tagged_sentences(path, [right.text for right in gold])
    return (Prediction(right.id, "", None, spans, place=at) for right, (spans, at) in zip(gold, sentences, strict=True))


def _triples(path: Path, gold: Sequence[Prediction]) -> Found:
    sentences = list(read_sentences(path))
    if len(sentences) != len(gold):
        what = f"{path}: has {len(sentences):,} texts, gold {len(gold):,}"
        raise WikiprepError(what, "it has gold's texts, in its order")
    for one, right in zip(sentences, gold, strict=True):
        if right.text and one.text.split() != right.text.split():
            what = f"{one.place}: the text is not gold's, which is: {right.text}"
            raise WikiprepError(what, "are these predictions of another split?")
        triples = tuple((head.name, relation, tail.name) for head, relation, tail in one.triples)
        yield Prediction(right.id, "", None, Extraction(None, triples), place=one.place)


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
    **{task: Expected(LABEL if its.labels else NUMBER, _glue, frozenset(its.labels)) for task, its in GLUE.items()},
    "copa": Expected(LABEL, _choices, frozenset(copa.LABELS)),
}


def with_predictions(task: str, gold: Sequence[Prediction], path: Path) -> tuple[list[Prediction], list[str]]:
    """The gold examples, in their order, with what `path` says of each; and what the user should know.

    Raises WikiprepError, with file and line (or id), for an id that gold lacks or that comes twice, a label that the
    task does not have, a prediction of another kind, and for missing ids where the official scorer takes none.
    """
    expected = EXPECTED[task]
    if is_ours(path, "predicted"):
        found: Found = read_predictions(path)
    elif expected.official is None:
        raise WikiprepError(f"{path}: its first line is not of predictions.jsonl", FORM)
    else:
        found = expected.official(path, gold)
    by_id, ids, known = {right.id: right for right in gold}, UniqueIds(), _names(gold)
    said: dict[str, Prediction] = {}
    strange: set[str] = set()
    for one in found:
        ids.take(one.id, one.place)
        if one.id not in by_id:
            raise WikiprepError(f"{one.place}: id {one.id!r} is not in gold", "are these predictions of another split?")
        _check(one, by_id[one.id], expected)
        strange |= _names([replace(one, gold=one.predicted)]) - known
        said[one.id] = one
    notes = _missing(path, gold, said, expected)
    if strange and expected.kind in (LABEL, MENTIONS, TRIPLES):
        notes.append(f"labels that gold never has: {', '.join(sorted(strange))}")
    return [
        replace(right, predicted=said[right.id].predicted, scores=said[right.id].scores)
        if right.id in said
        else replace(right, predicted=None, scores={})
        for right in gold
    ], notes


def _check(one: Prediction, right: Prediction, expected: Expected) -> None:
    value = one.predicted
    if value is None:
        return
    if (expected.kind == TRIPLES) != isinstance(value, Extraction):
        raise WikiprepError(f"{one.place}: the prediction of {one.id!r} is not {expected.kind}", FORM)
    if isinstance(value, Extraction):
        return
    single = expected.kind in (LABEL, ANSWER, NUMBER)
    if single != isinstance(value, str) or (
        not isinstance(value, str) and any(isinstance(item, Mention) != (expected.kind == MENTIONS) for item in value)
    ):
        raise WikiprepError(f"{one.place}: the prediction of {one.id!r} is not {expected.kind}", FORM)
    if expected.kind == NUMBER and not (isinstance(value, str) and is_number(value)):
        raise WikiprepError(f"{one.place}: the prediction of {one.id!r} is not {expected.kind}", FORM)
    names = {value} if isinstance(value, str) else {item for item in value if isinstance(item, str)}
    if expected.labels and (unknown := names - expected.labels):
        raise WikiprepError(
            f"{one.place}: {min(unknown)!r} is no label of the task", f"labels: {', '.join(sorted(expected.labels))}"
        )
    for item in value if not isinstance(value, str) else ():
        if isinstance(item, Mention) and right.text and not 0 <= item.start < item.end <= len(right.text):
            raise WikiprepError(
                f"{one.place}: [{item.start}, {item.end}) is no span of the text, of {len(right.text)} characters", FORM
            )


def _missing(path: Path, gold: Sequence[Prediction], said: dict[str, Prediction], expected: Expected) -> list[str]:
    missing = [right.id for right in gold if right.id not in said]
    if not missing:
        return []
    shown = ", ".join(missing[:5]) + (", …" if len(missing) > 5 else "")
    what = f"{len(missing):,} of {len(gold):,} examples have no prediction: {shown}"
    if not expected.some or not said:
        raise WikiprepError(f"{path}: {what}", "each example of gold needs one; is this another split?")
    return [f"{what}; they count as wrong"]


def _names(predictions: Sequence[Prediction]) -> set[str]:
    """The labels and types that stand in gold."""
    found: set[str] = set()
    for one in predictions:
        if isinstance(one.gold, Extraction):
            found |= {relation for _, relation, _ in one.gold.triples}
            continue
        for item in (one.gold,) if isinstance(one.gold, str) else one.gold or ():
            found.add(item.type if isinstance(item, Mention) else item)
    return found
