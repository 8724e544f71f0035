"""Predictions in the form that a benchmark's own scorer reads: for closed test sets, and to check our scores by."""

from collections.abc import Callable, Iterator, Sequence
from pathlib import Path

import orjson

from wikiprep.errors import UsageError
from wikiprep.files import whole_file
from wikiprep.tasks.data.benchmark_files import join_tokens
from wikiprep.tasks.data.copa import LABELS
from wikiprep.tasks.data.glue import GLUE
from wikiprep.tasks.examples import Mention
from wikiprep.tasks.iob import Chunk, iob2_of
from wikiprep.tasks.metrics.relations import NO_RELATION
from wikiprep.tasks.predictions import Extraction, Label, Prediction


def write_official(task: str, path: str | Path, predictions: Sequence[Prediction]) -> None:
    """Write the file whole, in the order given.

    squad and record: {id: answer}, without unanswered questions; semeval2010: id TAB relation; tacred: a label a line;
    webnlg and nyt24: a list of {"text", "triple_list"}; GLUE: index TAB prediction; copa: {"idx", "label"} a line;
    conll2003 and wnut17: word, gold tag and predicted tag (IOB2), the input of conlleval. Raises UsageError for a task
    that has no such form, ValueError for mentions that overlap or do not begin and end with words.
    """
    if task not in _WRITERS:
        raise UsageError(f"{task} has no official form of predictions", "predictions.jsonl is its only one")
    with whole_file(path) as file:
        file.writelines(line.encode() for line in _WRITERS[task](predictions))


def official_ending(task: str) -> str | None:
    """How a file of that form ends: ".json", ".txt" or ".tsv"; None of a task that has none."""
    return _ENDINGS.get(task, ".txt") if task in _WRITERS else None


def _answers(predictions: Sequence[Prediction]) -> Iterator[str]:
    answers = {prediction.id: prediction.predicted for prediction in predictions if prediction.predicted is not None}
    yield orjson.dumps(answers, option=orjson.OPT_INDENT_2 | orjson.OPT_APPEND_NEWLINE).decode()


def _triples(predictions: Sequence[Prediction]) -> Iterator[str]:
    sentences = [
        {
            "text": prediction.text,
            "triple_list": prediction.predicted.triples if isinstance(prediction.predicted, Extraction) else [],
        }
        for prediction in predictions
    ]
    yield orjson.dumps(sentences, option=orjson.OPT_INDENT_2 | orjson.OPT_APPEND_NEWLINE).decode()


def _relations(predictions: Sequence[Prediction]) -> Iterator[str]:
    return (
        f"{prediction.id}\t{prediction.predicted}\n" for prediction in predictions if prediction.predicted is not None
    )


def _labels(predictions: Sequence[Prediction]) -> Iterator[str]:
    return (f"{prediction.predicted or NO_RELATION}\n" for prediction in predictions)


def _glue(predictions: Sequence[Prediction]) -> Iterator[str]:
    yield "index\tprediction\n"
    yield from (
        f"{prediction.id}\t{prediction.predicted}\n" for prediction in predictions if prediction.predicted is not None
    )


def _choices(predictions: Sequence[Prediction]) -> Iterator[str]:
    for prediction in predictions:
        if isinstance(prediction.predicted, str):
            yield orjson.dumps({"idx": int(prediction.id), "label": LABELS.index(prediction.predicted)}).decode() + "\n"


def _columns(predictions: Sequence[Prediction]) -> Iterator[str]:
    for prediction in predictions:
        words = prediction.text.split(" ")
        tags = [_tags(words, label) for label in (prediction.gold, prediction.predicted)]
        for columns in zip(words, *tags, strict=True):
            yield "\t".join(columns) + "\n"
        yield "\n"


def _tags(words: list[str], label: Label | None) -> list[str]:
    _, spans = join_tokens(words)
    starts = {start: place for place, (start, _) in enumerate(spans)}
    ends = {end: place + 1 for place, (_, end) in enumerate(spans)}
    chunks = []
    for mention in label if isinstance(label, tuple) else ():
        if not isinstance(mention, Mention) or mention.start not in starts or mention.end not in ends:
            raise ValueError(f"no mention of whole words: {mention}")
        chunks.append(Chunk(starts[mention.start], ends[mention.end], mention.type))
    return iob2_of(chunks, len(words))


_WRITERS: dict[str, Callable[[Sequence[Prediction]], Iterator[str]]] = {
    "squad": _answers,
    "record": _answers,
    "semeval2010": _relations,
    "tacred": _labels,
    "conll2003": _columns,
    "wnut17": _columns,
    "webnlg": _triples,
    "nyt24": _triples,
    **dict.fromkeys(GLUE, _glue),
    "copa": _choices,
}
_ENDINGS = {
    **dict.fromkeys(GLUE, ".tsv"),
    "copa": ".jsonl",
    "squad": ".json",
    "record": ".json",
    "conll2003": ".tsv",
    "wnut17": ".tsv",
    "webnlg": ".json",
    "nyt24": ".json",
}
