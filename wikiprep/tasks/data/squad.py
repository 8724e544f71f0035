"""SQuAD 1.1 (Rajpurkar et al., EMNLP 2016), as published or with the entities of `wikiprep annotate-squad`."""

from collections import Counter
from collections.abc import Iterator
from pathlib import Path

from wikiprep.tasks.data.benchmark_files import Source, UniqueIds
from wikiprep.tasks.data.json_values import Value, read_json
from wikiprep.tasks.examples import Answer, EntitySpan, QuestionExample

SOURCE = Source(
    "SQuAD 1.1",
    "https://rajpurkar.github.io/SQuAD-explorer/",
    "CC BY-SA 4.0",
    {"train": ("train-v1.1.json", "train.json"), "dev": ("dev-v1.1.json", "dev.json")},
)
_FORM = (
    'it is {"data": [{"title", "paragraphs": [{"context", "qas": [{"id", "question", "answers": [{"text", '
    '"answer_start"}]}]}]}]}'
)


def read(folder: Path, split: str, left_out: Counter[str]) -> tuple[list[QuestionExample], list[Path]]:
    """The questions of a split and its file."""
    path = SOURCE.find(folder, split)
    return list(read_file(path, left_out)), [path]


def read_file(path: Path, left_out: Counter[str]) -> Iterator[QuestionExample]:
    """The questions of a file.

    `left_out` counts questions of SQuAD 2.0 that have no answer, and places of answers that do not hold their text (the
    answer stays, without place).

    Raises WikiprepError that names the place of what is not as it must be.
    """
    ids = UniqueIds()
    for article in read_json(path, _FORM).list("data").items():
        title = article.text("title") if article.has("title") else ""
        for paragraph in article.list("paragraphs").items():
            context = paragraph.text("context")
            context_entities = _entities(paragraph, len(context))
            for item in paragraph.list("qas").items():
                name, question = ids.take(item.text("id"), item.place), item.text("question")
                if item.has("is_impossible") and item.raw["is_impossible"]:
                    left_out["question: without an answer (SQuAD 2.0)"] += 1
                    continue
                answers = _answers(item, context, left_out)
                question_entities = _entities(item, len(question))
                yield QuestionExample(name, title, question, context, answers, question_entities, context_entities)


def _answers(item: Value, context: str, left_out: Counter[str]) -> tuple[Answer, ...]:
    answers = []
    for answer in item.list("answers").items() if item.has("answers") else ():
        text, start = answer.text("text"), answer.number("answer_start")
        if not text:
            raise answer.bad("the answer is empty")
        matches_text = start >= 0 and context.startswith(text, start)
        left_out["place of an answer: holds another text"] += not matches_text
        answers.append(Answer(text, start if matches_text else None))
    return tuple(answers)


def _entities(owner: Value, length: int) -> tuple[EntitySpan, ...]:
    entities = []
    for item in owner.list("entities").items() if owner.has("entities") else ():
        start, end = item.span(item.number("start"), item.number("end"), length, "the text")
        entities.append(EntitySpan(start, end, item.text("target"), item.text("qid") if item.has("qid") else None))
    return tuple(entities)
