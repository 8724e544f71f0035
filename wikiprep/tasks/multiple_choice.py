"""COPA: premise and alternative as a pair, a logit each on the first token, softmax over the two."""

from collections import Counter
from collections.abc import Mapping, Sequence
from dataclasses import dataclass, field, replace
from pathlib import Path

import numpy as np

from wikiprep.tasks.data.copa import LABELS
from wikiprep.tasks.data.sets import read, splits_of
from wikiprep.tasks.examples import ChoiceExample
from wikiprep.tasks.features import Features
from wikiprep.tasks.gold import choice_text
from wikiprep.tasks.options import TaskOptions
from wikiprep.tasks.pair_input import pair_input
from wikiprep.tasks.predictions import Prediction
from wikiprep.tasks.scorers import Score, score
from wikiprep.tasks.task import Head, Inputs, Scores, Split


@dataclass(frozen=True)
class ChoiceTask:
    """See `Task`. `in_time`: the cause stands before the effect, whichever is asked for."""

    name: str
    in_time: bool
    head = Head("alternatives", vectors=1, vectors_without=1)
    markers: Mapping[str, str] = field(default_factory=dict)
    entities = ()
    vocabulary = False
    knowledge = True

    def splits(self, folder: Path) -> Mapping[str, Split]:
        """See `Task`."""
        return {part: read(self.name, folder, part) for part in splits_of(self.name)}

    def labels(self, train: Sequence[ChoiceExample]) -> Sequence[str]:
        """See `Task`."""
        return LABELS

    def features(self, example: ChoiceExample, number: int, inputs: Inputs, left_out: Counter[str]) -> list[Features]:
        """See `Task`: both alternatives as one item, since their logits are compared."""
        label = LABELS.index(example.label) if example.label else 0
        swapped = self.in_time and example.asks_for == "cause"
        first, *further = (
            pair_input(
                number,
                *((other, example.premise) if swapped else (example.premise, other)),
                inputs,
                label,
                np.int64,
                left_out,
            )
            for other in example.alternatives
        )
        return [replace(first, further=tuple(further))]

    def predictions(
        self,
        examples: Sequence[ChoiceExample],
        outputs: Sequence[Sequence[tuple[Features, Scores]]],
        labels: Sequence[str],
    ) -> list[Prediction]:
        """See `Task`. Of equal logits the first alternative is taken."""
        predictions = []
        for example, [(_, rows)] in zip(examples, outputs, strict=True):
            scores = dict(zip(labels, map(float, rows[0]), strict=True))
            best = labels[int(rows[0].argmax())]
            predictions.append(Prediction(example.id, choice_text(example), example.label, best, scores))
        return predictions

    def score(self, predictions: Sequence[Prediction]) -> Score:
        """See `Task`."""
        return score(self.name, predictions)


def make(name: str, options: TaskOptions) -> ChoiceTask:
    """The task of that name."""
    return ChoiceTask(name, options.order == "cause-first")
