"""predictions.jsonl: what a model said of each example, beside what is right.

A line is

{"id": text, "text": text, "gold": …, "predicted": …, "scores": {name: number}}

`gold` and `predicted` are a label (relations), a list of labels (types), or a list of {"start", "end", "type"}
(mentions, in characters of the text); of questions `gold` is the list of right answers and `predicted` a text; of
joint extraction both are {"entities": [name], "triples": [[subject, relation, object]]}, of which `entities` may be
missing, and the line has the "form" of its data (`data/joint.py`): "full spans", "starred", "WebNLG 1.5". `gold`
is null in a closed test, `predicted` null where an example was not answered. `scores` may be empty; which names it has
is the model's matter, and "worst errors" read those of gold and predicted labels.
"""

from collections.abc import Iterable, Iterator, Mapping
from dataclasses import dataclass, field
from pathlib import Path
from typing import Any

import orjson

from wikiprep.files import whole_file
from wikiprep.tasks.data.benchmark_files import UniqueIds
from wikiprep.tasks.data.json_values import Value, read_json_lines
from wikiprep.tasks.examples import Mention


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
