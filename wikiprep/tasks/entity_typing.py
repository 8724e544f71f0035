"""Entity typing: any number of types of one marked mention (Open Entity; Yamada et al. 2020, section 4.1; their code).

Input: the text with `[ENTITY]` around the mention, and one entity `[MASK]` on mention and markers. Its vector goes
through a linear layer with one logit a type; a type is predicted where its logit is above 0. Without entities: the
vector of the first marker.

FIGER likewise, with `[ENT]` for the marker (SPOT, section 4.4); there the type with the highest logit is predicted too,
so that no mention stays without one, as in the code of Zhang et al. 2019.
"""

from collections import Counter
from collections.abc import Mapping, Sequence
from dataclasses import dataclass
from pathlib import Path

import numpy as np

from wikiprep.tasks.data.sets import read, splits_of
from wikiprep.tasks.examples import TypingExample
from wikiprep.tasks.features import Features
from wikiprep.tasks.options import TaskOptions
from wikiprep.tasks.pair_input import window_rows
from wikiprep.tasks.pieces import window
from wikiprep.tasks.predictions import Prediction
from wikiprep.tasks.scorers import Score, score
from wikiprep.tasks.task import LONG_MENTION, TOO_LONG, Head, Inputs, Scores, Split, bracketed_text

ENTITY, ENT = "[ENTITY]", "[ENT]"
FIGER = "figer"


@dataclass(frozen=True)
class TypingTask:
    """See `Task`. `marker` stands around the mention; `at_least_one`: the best type is always predicted."""

    name: str
    marked: bool
    marker: str = ENTITY
    at_least_one: bool = False
    head = Head("tags", vectors=1, vectors_without=1)
    entities = ()
    vocabulary = False
    knowledge = True

    @property
    def markers(self) -> Mapping[str, str]:
        """See `Task`."""
        return {self.marker: "@"} if self.marked else {}

    def splits(self, folder: Path) -> Mapping[str, Split]:
        """See `Task`."""
        return {part: read(self.name, folder, part) for part in splits_of(self.name)}

    def labels(self, train: Sequence[TypingExample]) -> Sequence[str]:
        """See `Task`."""
        return sorted({label for example in train for label in example.labels})

    def features(self, example: TypingExample, number: int, inputs: Inputs, left_out: Counter[str]) -> list[Features]:
        """See `Task`."""
        encoded = inputs.pieces.marked(example.text, (example.span,), (self.marker if self.marked else None,))
        bounds = window(len(encoded.ids), encoded.spans, inputs.most - 2)
        if bounds is None:
            left_out[TOO_LONG] += 1
            return []
        words = inputs.pieces.words
        start, end = (place - bounds[0] + 1 for place in encoded.spans[0])
        left_out[LONG_MENTION] += int(end - start > inputs.mention)
        ids = [words.first, *encoded.ids[bounds[0] : bounds[1]], words.last]
        targets = np.zeros((1, len(inputs.labels)), np.float32)
        targets[0, [inputs.labels[label] for label in example.labels if label in inputs.labels]] = 1
        return [
            Features(
                number,
                0,
                np.array(ids, np.int64),
                len(ids),
                np.array([1], np.int64),
                np.array([start], np.int64),
                np.array([min(end, start + inputs.mention)], np.int64),
                np.array([[-1 if inputs.entities else start]], np.int64),
                targets,
                np.zeros(1, np.int64),
                knowledge=window_rows(inputs, example.text, encoded.offsets, bounds),
            )
        ]

    def predictions(
        self,
        examples: Sequence[TypingExample],
        outputs: Sequence[Sequence[tuple[Features, Scores]]],
        labels: Sequence[str],
    ) -> list[Prediction]:
        """See `Task`."""
        predictions = []
        for example, parts in zip(examples, outputs, strict=True):
            scores = dict(zip(labels, map(float, parts[0][1][0]), strict=True)) if parts else {}
            predicted = tuple(label for label, logit in scores.items() if logit > 0)
            if self.at_least_one and scores and not predicted:
                predicted = (max(scores, key=lambda label: scores[label]),)
            text = bracketed_text(example.text, ((example.span, self.marker),))
            predictions.append(Prediction(example.id, text, example.labels, predicted, scores))
        return predictions

    def score(self, predictions: Sequence[Prediction]) -> Score:
        """See `Task`."""
        return score(self.name, predictions)


def make(name: str, options: TaskOptions) -> TypingTask:
    """The task of that name."""
    figer = name == FIGER
    return TypingTask(name, options.markers, ENT if figer else ENTITY, at_least_one=figer)
