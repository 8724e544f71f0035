"""ReCoRD (Zhang et al. 2018): cloze questions on news, as published and in SuperGLUE's form. Ends in files: inclusive.

Published: {"data": [{"id", "passage": {"text", "entities": [{"start", "end"}]}, "qas": [{"id", "query", "answers":
[{"start", "end", "text"}]}]}]}. SuperGLUE: an object of that list a line, with `idx` for ids.
"""

from collections import Counter
from collections.abc import Iterator
from pathlib import Path

import orjson

from wikiprep.errors import WikiprepError
from wikiprep.tasks.data.benchmark_files import Source, UniqueIds
from wikiprep.tasks.data.json_values import Value, read_json_lines
from wikiprep.tasks.examples import ClozeAnswer, ClozeExample, Span
from wikiprep.textlines import read_whole

PLACEHOLDER = "@placeholder"
SOURCE = Source(
    "ReCoRD",
    "https://sheng-z.github.io/ReCoRD-explorer/, or as JSON lines in SuperGLUE, https://super.gluebenchmark.com/tasks",
    "those of its news (CNN, Daily Mail), for research; ask the authors",
    {"train": ("train.json", "train.jsonl"), "dev": ("dev.json", "val.jsonl", "dev.jsonl")},
)
_FORM = (
    'it is {"data": [{"passage": {"text", "entities": [{"start", "end"}]}, "qas": [{"id", "query", "answers": '
    '[{"start", "end", "text"}]}]}]}, or JSON lines of what "data" lists (SuperGLUE); ends are inclusive'
)


def read(folder: Path, split: str, left_out: Counter[str]) -> tuple[list[ClozeExample], list[Path]]:
    """The questions of a split and its file."""
    path = SOURCE.find(folder, split)
    return list(read_file(path, left_out)), [path]


def read_file(path: Path, left_out: Counter[str]) -> Iterator[ClozeExample]:
    """The questions of a file. `left_out` counts those without a placeholder or without an entity in the passage.

    Raises WikiprepError that names the place of what is not as it must be.
    """
    ids = UniqueIds()
    for item in _articles(path):
        passage = item.object("passage")
        text = passage.text("text")
        entities = tuple(sorted({_span(entity, len(text)) for entity in passage.list("entities").items()}))
        for question in item.list("qas").items():
            name, query = ids.take(_id(question), question.place), question.text("query")
            at = query.find(PLACEHOLDER)
            if at < 0:
                left_out[f"question: without {PLACEHOLDER}"] += 1
                continue
            if not entities:
                left_out["question: passage without an entity"] += 1
                continue
            place = (at, at + len(PLACEHOLDER))
            yield ClozeExample(name, text, query, place, entities, _answers(question, len(text)))


def _articles(path: Path) -> Iterator[Value]:
    try:
        document = Value(orjson.loads(read_whole(path)), f"{path}:", _FORM)
    except orjson.JSONDecodeError as error:
        first = next(read_json_lines(path, _FORM), None)  # names a first line that is no JSON either
        if first is None or "passage" not in first.raw:
            raise WikiprepError(f"{path}: not JSON ({error})", _FORM) from error
        yield from read_json_lines(path, _FORM)
        return
    if document.has("passage"):
        yield document
    else:
        yield from document.list("data").items()


def _id(question: Value) -> str:
    return question.text("id") if question.has("id") else str(question.number("idx"))


def _span(item: Value, length: int) -> Span:
    return item.span(item.number("start"), item.number("end") + 1, length, "the passage")


def _answers(question: Value, length: int) -> tuple[ClozeAnswer, ...]:
    if not question.has("answers"):
        return ()
    return tuple(ClozeAnswer(item.text("text"), _span(item, length)) for item in question.list("answers").items())
