"""Extractive questions: where in a passage the answer stands (SQuAD 1.1; Yamada et al. 2020, section 4.5; their code).

Input: question and passage, and the entities of Wikipedia that a mention table finds in both (`annotate-squad` writes
them) as far as the encoder's vocabulary has them; its table is frozen. Two logits a word, for the first and the last
token of the answer; the best pair of all windows answers, each token taken in the window that shows most around it.
"""

import heapq
from collections import Counter
from collections.abc import Mapping, Sequence
from dataclasses import dataclass, field
from pathlib import Path

import numpy as np

from wikiprep.tables.titles_to_vocabulary import LOST, Carrier
from wikiprep.tasks.data.sets import read, splits_of
from wikiprep.tasks.examples import EntitySpan, QuestionExample
from wikiprep.tasks.features import Features
from wikiprep.tasks.options import TaskOptions
from wikiprep.tasks.pieces import Span, best_window, question_room, windows_of
from wikiprep.tasks.predictions import Prediction
from wikiprep.tasks.scorers import Score, score
from wikiprep.tasks.task import CUT_QUESTION, LONG_MENTION, Head, Inputs, Scores, Split

QUESTION, STRIDE, MOST_ENTITIES, N_BEST, LONGEST_ANSWER = 64, 128, 128, 20, 30
NOT_KNOWN = "entities that the encoder's vocabulary lacks"
NOT_SEEN = "entities behind the place where a question was cut"
TOO_MANY = "entities beyond 128 of a window"
NOT_WHOLE = "answers that no window holds whole (in training: taught as no answer)"


@dataclass(frozen=True)
class ReadingTask:
    """See `Task`."""

    name: str
    head = Head("bounds", vectors=1, vectors_without=1)
    markers: Mapping[str, str] = field(default_factory=dict)
    entities = ()
    vocabulary = True

    def splits(self, folder: Path) -> Mapping[str, Split]:
        """See `Task`."""
        return {part: read(self.name, folder, part) for part in splits_of(self.name)}

    def labels(self, train: Sequence[QuestionExample]) -> Sequence[str]:
        """See `Task`."""
        return ["first", "last"]

    def features(self, example: QuestionExample, number: int, inputs: Inputs, left_out: Counter[str]) -> list[Features]:
        """See `Task`."""
        pieces = inputs.pieces
        question, question_places = pieces.encode_with_offsets(example.question)
        question_length = question_room(QUESTION, inputs.most)
        left_out[CUT_QUESTION] += int(len(question) > question_length)
        question = question[:question_length]
        passage, places = pieces.encode_with_offsets(example.context)
        head = [pieces.words.first, *question, *pieces.between]
        answer = _answer(example, places)
        question_entities = _find_entities(
            example.question_entities, question_places[:question_length], inputs, left_out
        )
        passage_entities = _find_entities(example.context_entities, places, inputs, left_out)
        features: list[Features] = []
        holds_answer = False
        for start, end in windows_of(len(passage), inputs.most - len(head) - 1, STRIDE):
            bounds = (0, 0)
            if answer and start <= answer[0] and answer[1] <= end:
                bounds, holds_answer = (answer[0] - start + len(head), answer[1] - 1 - start + len(head)), True
            shift = len(head) - start
            entities = [(row, a + 1, b + 1) for row, a, b in question_entities]
            entities += [(row, a + shift, b + shift) for row, a, b in passage_entities if start <= a and b <= end]
            left_out[TOO_MANY] += max(0, len(entities) - MOST_ENTITIES)
            rows = np.array(entities[:MOST_ENTITIES], np.int64).reshape(-1, 3)
            ids = [*head, *passage[start:end], pieces.words.last]
            features.append(
                Features(
                    number,
                    len(features),
                    np.array(ids, np.int64),
                    len(head),
                    rows[:, 0],
                    rows[:, 1],
                    np.minimum(rows[:, 2], rows[:, 1] + inputs.mention),
                    np.zeros((0, 1), np.int64),
                    np.array(bounds, np.int64),
                    np.array([start, end, len(head), *np.array(places[start:end]).flatten()], np.int64),
                )
            )
        left_out[NOT_WHOLE] += int(answer is not None and not holds_answer)
        return features

    def predictions(
        self,
        examples: Sequence[QuestionExample],
        outputs: Sequence[Sequence[tuple[Features, Scores]]],
        labels: Sequence[str],
    ) -> list[Prediction]:
        """See `Task`. Scores are the sums of logits of the best answers by text."""
        predictions = []
        for example, parts in zip(examples, outputs, strict=True):
            best = _best(example.context, parts)
            gold = tuple(answer.text for answer in example.answers)
            text = f"{example.question} || {example.context}"
            predictions.append(Prediction(example.id, text, gold, next(iter(best), None), best))
        return predictions

    def score(self, predictions: Sequence[Prediction]) -> Score:
        """See `Task`."""
        return score(self.name, predictions)


def _best(context: str, parts: Sequence[tuple[Features, Scores]]) -> dict[str, float]:
    """The best answers' texts with their logits, best first."""
    windows = [(int(item.origins[0]), int(item.origins[1])) for item, _ in parts]
    candidates: list[tuple[float, int, int]] = []
    for number, (item, logits) in enumerate(parts):
        start, end, offset = (int(n) for n in item.origins[:3])
        places = item.origins[3:].reshape(-1, 2)
        window_logits = logits[offset : offset + end - start]
        firsts, lasts = (np.argsort(-window_logits[:, side], kind="stable")[:N_BEST].tolist() for side in (0, 1))
        for first in firsts:
            if best_window(windows, start + first) != number:
                continue
            for last in lasts:
                if first <= last < first + LONGEST_ANSWER:
                    score = float(window_logits[first, 0] + window_logits[last, 1])
                    candidates.append((score, int(places[first, 0]), int(places[last, 1])))
    answers: dict[str, float] = {}
    for score, first, last in heapq.nlargest(N_BEST, candidates, key=lambda item: (item[0], -item[1], -item[2])):
        answers.setdefault(context[first:last], score)
    return answers


def _find_entities(
    entities: Sequence[EntitySpan], places: Sequence[Span], inputs: Inputs, left_out: Counter[str]
) -> list[tuple[int, int, int]]:
    """(row of the table, first token, behind the last) of those that the vocabulary has."""
    known_entities = []
    carrier = inputs.carrier or Carrier(inputs.rows, {}, dict)
    for entity in entities if inputs.entities else ():
        match = carrier.find(entity.title, entity.qid)
        tokens = _tokens_of(places, entity.start, entity.end)
        inputs.carried[LOST if match is None else match.way] += 1
        if match is None:
            left_out[NOT_KNOWN] += 1
        elif tokens is None:
            left_out[NOT_SEEN] += 1
        else:
            left_out[LONG_MENTION] += int(tokens[1] - tokens[0] > inputs.mention)
            known_entities.append((inputs.rows[match.title], *tokens))
    return known_entities


def _answer(example: QuestionExample, places: Sequence[Span]) -> Span | None:
    """The tokens of the first answer whose place is known."""
    for answer in example.answers:
        if answer.start is not None:
            return _tokens_of(places, answer.start, answer.start + len(answer.text))
    return None


def _tokens_of(places: Sequence[Span], start: int, end: int) -> Span | None:
    """The tokens [first, behind the last) that have a letter of [start, end); None where there is none."""
    inside = [n for n, (a, b) in enumerate(places) if a < end and b > start]
    return (inside[0], inside[-1] + 1) if inside else None


def make(name: str, options: TaskOptions) -> ReadingTask:
    """The task of that name."""
    return ReadingTask(name)
