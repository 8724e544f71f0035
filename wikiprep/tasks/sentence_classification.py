"""GLUE's tasks: a class, or a number, of a sentence or of a pair. The head stands on the first token."""

from collections import Counter
from collections.abc import Mapping, Sequence
from dataclasses import dataclass, field
from pathlib import Path

import numpy as np

from wikiprep.tasks.data.glue import GLUE
from wikiprep.tasks.data.sets import read, splits_there
from wikiprep.tasks.examples import SentenceExample
from wikiprep.tasks.features import Features
from wikiprep.tasks.gold import pair_text
from wikiprep.tasks.options import TaskOptions
from wikiprep.tasks.pair_input import pair_input
from wikiprep.tasks.predictions import Prediction
from wikiprep.tasks.scorers import Score, score
from wikiprep.tasks.task import Head, Inputs, Scores, Split

NUMBER = "number"  # the one "label" of a task that asks for a number


@dataclass(frozen=True)
class SentenceTask:
    """See `Task`. A closed test is asked too, where its file is there."""

    name: str
    markers: Mapping[str, str] = field(default_factory=dict)
    entities = ()
    vocabulary = False
    knowledge = True

    @property
    def head(self) -> Head:
        """See `Task`."""
        return Head("choice" if GLUE[self.name].labels else "number", vectors=1, vectors_without=1)

    def splits(self, folder: Path) -> Mapping[str, Split]:
        """See `Task`."""
        return {part: read(self.name, folder, part) for part in splits_there(self.name, folder)}

    def labels(self, train: Sequence[SentenceExample]) -> Sequence[str]:
        """See `Task`: those of the task, whichever training shows."""
        return GLUE[self.name].labels or (NUMBER,)

    def features(self, example: SentenceExample, number: int, inputs: Inputs, left_out: Counter[str]) -> list[Features]:
        """See `Task`."""
        label: object = example.label or "0"
        kind: type = np.float32
        if GLUE[self.name].labels:
            label, kind = inputs.labels.get(str(label), 0), np.int64
        return [pair_input(number, example.text, example.second, inputs, label, kind, left_out)]

    def predictions(
        self,
        examples: Sequence[SentenceExample],
        outputs: Sequence[Sequence[tuple[Features, Scores]]],
        labels: Sequence[str],
    ) -> list[Prediction]:
        """See `Task`. A number is kept within 0 and 5, the ends of its scale."""
        predictions = []
        for example, [(_, rows)] in zip(examples, outputs, strict=True):
            scores = dict(zip(labels, map(float, rows[0]), strict=True))
            if GLUE[self.name].labels:
                best = max(scores, key=lambda label: scores[label])
            else:
                best, scores = f"{min(5.0, max(0.0, scores[NUMBER])):.4f}", {}
            predictions.append(Prediction(example.id, pair_text(example), example.label, best, scores))
        return predictions

    def score(self, predictions: Sequence[Prediction]) -> Score:
        """See `Task`."""
        return score(self.name, predictions)


def make(name: str, options: TaskOptions) -> SentenceTask:
    """The task of that name."""
    return SentenceTask(name)
