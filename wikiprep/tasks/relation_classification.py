"""Relation classification: which relation two marked mentions of a text have (TACRED, SemEval-2010 task 8, FewRel).

Input (Yamada et al. 2020, section 4.2, and their code): the text with `[HEAD]` around the head and `[TAIL]` around the
tail, and two entities of these names at the mentions, the head first. The two entity vectors, concatenated, go through
a linear layer without bias; without entities, those of the first marker of each.
"""

from collections import Counter
from collections.abc import Mapping, Sequence
from dataclasses import dataclass
from pathlib import Path

import numpy as np

from wikiprep.knowledge.text_words import Word, tagged_words
from wikiprep.tasks.data.sets import read, splits_of
from wikiprep.tasks.examples import RelationExample
from wikiprep.tasks.features import Features
from wikiprep.tasks.options import TaskOptions
from wikiprep.tasks.pair_input import window_rows
from wikiprep.tasks.pieces import window
from wikiprep.tasks.predictions import Prediction
from wikiprep.tasks.scorers import Score, score
from wikiprep.tasks.task import LONG_MENTION, TOO_LONG, Head, Inputs, Scores, Split, bracketed_text

HEAD, TAIL = "[HEAD]", "[TAIL]"


@dataclass(frozen=True)
class RelationTask:
    """See `Task`."""

    name: str
    marked: bool
    head = Head("choice", vectors=2, vectors_without=2, bias=False)
    entities = (HEAD, TAIL)
    vocabulary = False
    knowledge = True

    @property
    def markers(self) -> Mapping[str, str]:
        """See `Task`."""
        return {HEAD: "@", TAIL: "#"} if self.marked else {}

    def splits(self, folder: Path) -> Mapping[str, Split]:
        """See `Task`."""
        return {part: read(self.name, folder, part) for part in splits_of(self.name)}

    def labels(self, train: Sequence[RelationExample]) -> Sequence[str]:
        """See `Task`: sorted, but the one that says there is none first."""
        labels = sorted({example.label for example in train})
        return sorted(labels, key=lambda label: label not in ("no_relation", "Other"))

    def features(self, example: RelationExample, number: int, inputs: Inputs, left_out: Counter[str]) -> list[Features]:
        """See `Task`."""
        marks = (HEAD, TAIL) if self.marked else (None, None)
        encoded = inputs.pieces.marked(example.text, (example.head, example.tail), marks)
        bounds = window(len(encoded.ids), encoded.spans, inputs.most - 2)
        if bounds is None:
            left_out[TOO_LONG] += 1
            return []
        words = inputs.pieces.words
        spans = np.array(encoded.spans, np.int64) - bounds[0] + 1
        left_out[LONG_MENTION] += int((spans[:, 1] - spans[:, 0] > inputs.mention).sum())
        starts, ends = spans[:, 0], np.minimum(spans[:, 1], spans[:, 0] + inputs.mention)
        places = np.array([[-1, -2]]) if inputs.entities else starts[None, :]
        ids = [words.first, *encoded.ids[bounds[0] : bounds[1]], words.last]
        return [
            Features(
                number,
                0,
                np.array(ids, np.int64),
                len(ids),
                np.array([1, 2], np.int64),
                starts,
                ends,
                places.astype(np.int64),
                np.array([inputs.labels.get(example.label, 0)], np.int64),
                np.zeros(1, np.int64),
                knowledge=window_rows(inputs, example.text, encoded.offsets, bounds, _words(example)),
            )
        ]

    def predictions(
        self,
        examples: Sequence[RelationExample],
        outputs: Sequence[Sequence[tuple[Features, Scores]]],
        labels: Sequence[str],
    ) -> list[Prediction]:
        """See `Task`. A text that cannot be asked (mentions too far apart) gets the first label: none."""
        predictions = []
        for example, parts in zip(examples, outputs, strict=True):
            scores = parts[0][1][0] if parts else np.full(len(labels), -np.inf, np.float32)
            best = labels[int(scores.argmax())] if parts else labels[0]
            by_label = dict(zip(labels, map(float, scores), strict=True)) if parts else {}
            spans = ((example.head, HEAD), (example.tail, TAIL))
            predictions.append(
                Prediction(example.id, bracketed_text(example.text, spans), example.label, best, by_label)
            )
        return predictions

    def score(self, predictions: Sequence[Prediction]) -> Score:
        """See `Task`."""
        return score(self.name, predictions)


def _words(example: RelationExample) -> list[Word] | None:
    if not example.tags:
        return None
    return tagged_words([(start, end) for start, end, _ in example.tags], [tag for _, _, tag in example.tags])


def make(name: str, options: TaskOptions) -> RelationTask:
    """The task of that name."""
    return RelationTask(name, options.markers)
