"""predictions.jsonl: what a model said of each example, beside what is right.

A line is

{"id": text, "text": text, "gold": …, "predicted": …, "scores": {name: number}}

`gold` and `predicted` are a label (relations), a list of labels (types), or a list of {"start", "end", "type"}
(mentions, in characters of the text); of questions `gold` is the list of right answers and `predicted` a text; of
joint extraction both are {"entities": [name], "triples": [[subject, relation, object]]}, of which `entities` may be
missing, and the line has the "form" of its data (`data/joint.py`): "full spans", "starred", "WebNLG 1.5". `gold`
is null in a closed test, `predicted` null where an example was not answered. `scores` may be empty; which names it has
is the model's matter, and "worst errors" read those of gold and predicted labels. What is right alone, of each example
of a task, is in this form too: `gold_of`.
"""

from collections.abc import Iterable, Iterator, Mapping
from dataclasses import dataclass, field
from pathlib import Path
from typing import Any

import orjson

from wikiprep.files import whole_file
from wikiprep.tasks.data.benchmark_files import UniqueIds
from wikiprep.tasks.data.json_values import Value, read_json_lines
from wikiprep.tasks.data.locate import words_at
from wikiprep.tasks.examples import (
    ChoiceExample,
    ClozeExample,
    JointExample,
    Mention,
    QuestionExample,
    RelationExample,
    SentenceExample,
    Span,
    TaggedDocument,
    TypingExample,
)


@dataclass(frozen=True, slots=True)
class Extraction:
    """What a text says: names of entities, each once (None: not given), and triples (subject, relation, object)."""

    entities: tuple[str, ...] | None
    triples: tuple[tuple[str, str, str], ...]


Label = str | tuple[str, ...] | tuple[Mention, ...] | Extraction
FORM = 'a line is {"id": text, "text": text, "gold": …, "predicted": …, "scores": {name: number}}'


@dataclass(frozen=True, slots=True)
class Prediction:
    """A line. `text` shows the example to people; offsets of mentions count in it. `place` is where it was read;
    `form` that of the data, where a task has several."""

    id: str
    text: str
    gold: Label | None
    predicted: Label | None
    scores: Mapping[str, float] = field(default_factory=dict)
    place: str = field(default="", compare=False)
    form: str = ""


def write_predictions(path: str | Path, predictions: Iterable[Prediction]) -> int:
    """Write the file whole, in the order given; returns the number of lines.

    Raises WikiprepError where it cannot be written.
    """
    count = 0
    with whole_file(path) as file:
        for prediction in predictions:
            file.write(orjson.dumps(_as_json(prediction), option=orjson.OPT_APPEND_NEWLINE))
            count += 1
    return count


def read_predictions(path: str | Path) -> Iterator[Prediction]:
    """The lines. `text`, `scores`, and one of `gold` and `predicted` may be missing.

    Raises WikiprepError, with file and line, for what is no such line and for an id that was there before.
    """
    ids = UniqueIds()
    for item in read_json_lines(Path(path), FORM):
        name = ids.take(item.text("id"), item.place)
        if "predicted" not in item.raw and "gold" not in item.raw:
            raise item.bad('has neither "predicted" nor "gold"')
        text = item.text("text") if item.has("text") else ""
        labels = [_label(item, field_name) for field_name in ("gold", "predicted")]
        form = item.text("form") if item.has("form") else ""
        yield Prediction(name, text, labels[0], labels[1], _scores(item), item.place.removesuffix(":"), form)


def _as_json(prediction: Prediction) -> dict[str, Any]:
    return {
        "id": prediction.id,
        "text": prediction.text,
        "gold": _plain_label(prediction.gold),
        "predicted": _plain_label(prediction.predicted),
        "scores": dict(prediction.scores),
    } | ({"form": prediction.form} if prediction.form else {})


def _plain_label(label: Label | None) -> Any:
    if label is None or isinstance(label, str):
        return label
    if isinstance(label, Extraction):
        return ({} if label.entities is None else {"entities": label.entities}) | {"triples": label.triples}
    return [
        {"start": item.start, "end": item.end, "type": item.type} if isinstance(item, Mention) else item
        for item in label
    ]


def _label(item: Value, name: str) -> Label | None:
    if not item.has(name):
        return None
    if isinstance(item.raw[name], str):
        return item.text(name)
    if isinstance(item.raw[name], dict):
        return _extraction(item.object(name))
    values = item.list(name)
    if not any(isinstance(value, dict) for value in values.raw):
        return item.texts(name)
    return tuple(Mention(value.number("start"), value.number("end"), value.text("type")) for value in values.items())


def _extraction(item: Value) -> Extraction:
    triples = []
    for entry in item.list("triples").items():
        if not (
            isinstance(entry.raw, list) and len(entry.raw) == 3 and all(isinstance(part, str) for part in entry.raw)
        ):
            raise entry.bad("is not [subject, relation, object], three texts")
        triples.append((entry.raw[0], entry.raw[1], entry.raw[2]))
    return Extraction(item.texts("entities") if item.has("entities") else None, tuple(triples))


def _scores(item: Value) -> dict[str, float]:
    if not item.has("scores"):
        return {}
    scores = item.object("scores")
    for name, value in scores.raw.items():
        if isinstance(value, bool) or not isinstance(value, int | float):
            raise scores.bad(f"{name!r} is no number")
    return {name: float(value) for name, value in scores.raw.items()}


def gold_of(examples: Iterable[Any]) -> Iterator[Prediction]:
    """A prediction without `predicted` for each example (of documents: each sentence), in order.

    The text marks mentions: [the mention] of types, [H: head] and [T: tail] of relations; a question stands above its
    passage, the first text of a pair above the second. Sentences with tags are as they are, since mentions are their
    characters.
    """
    for example in examples:
        if isinstance(example, TypingExample):
            text = _mark_spans(example.text, [(example.span, "[", "]")])
            yield Prediction(example.id, text, example.labels, None)
        elif isinstance(example, RelationExample):
            text = _mark_spans(example.text, [(example.head, "[H: ", "]"), (example.tail, "[T: ", "]")])
            yield Prediction(example.id, text, example.label, None)
        elif isinstance(example, TaggedDocument):
            for sentence in example.sentences:
                yield Prediction(sentence.id, sentence.text, sentence.mentions, None)
        elif isinstance(example, JointExample):
            entities = tuple(dict.fromkeys(words_at(example.text, span) for span in example.entities))
            triples = dict.fromkeys((triple.subject, triple.relation, triple.object) for triple in example.triples)
            yield Prediction(example.id, example.text, Extraction(entities, tuple(triples)), None, form=example.form)
        elif isinstance(example, ClozeExample):
            answers = tuple(dict.fromkeys(answer.text for answer in example.answers))
            yield Prediction(example.id, f"{example.query}\n{example.passage}", answers or None, None)
        elif isinstance(example, QuestionExample):
            answers = tuple(dict.fromkeys(answer.text for answer in example.answers))
            yield Prediction(example.id, f"{example.question}\n{example.context}", answers or None, None)
        elif isinstance(example, SentenceExample):
            yield Prediction(example.id, pair_text(example), example.label, None)
        elif isinstance(example, ChoiceExample):
            yield Prediction(example.id, choice_text(example), example.label, None)
        else:
            raise TypeError(f"no example of a task: {type(example).__name__}")


def pair_text(example: SentenceExample) -> str:
    """Both texts of a pair, a line each."""
    return example.text if example.second is None else f"{example.text}\n{example.second}"


def choice_text(example: ChoiceExample) -> str:
    """The premise with its question, and below it the alternatives."""
    return f"{example.premise} ({example.asks_for}?)\n1: {example.alternatives[0]}\n2: {example.alternatives[1]}"


def _mark_spans(text: str, marks: list[tuple[Span, str, str]]) -> str:
    signs = [(end, 0, -start, close) for (start, end), _, close in marks]  # at one place ends come before starts
    signs += [(start, 1, -end, open_) for (start, end), open_, _ in marks]
    for place, _, _, sign in sorted(signs, reverse=True):
        text = text[:place] + sign + text[place:]
    return text
