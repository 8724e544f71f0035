"""What a task is to the loop that trains and scores it: how it is read, what its inputs are, how scores are answers.

Also the reasons why an example cannot be asked, and how one is shown to people (`bracketed_text`).

One file a task; `registry.py` lists ours, and a user's own is a file with a function `make` (docs/finetune.md). Nothing
here imports torch: reading and scoring work without it.
"""

from collections import Counter
from collections.abc import Mapping, Sequence
from dataclasses import dataclass, field
from pathlib import Path
from typing import Any, Protocol

import numpy as np
import numpy.typing as npt

from wikiprep.tables.titles_to_vocabulary import Carrier
from wikiprep.tasks.examples import ReadSplit
from wikiprep.tasks.features import Features
from wikiprep.tasks.knowledge import Lookup
from wikiprep.tasks.pieces import Pieces
from wikiprep.tasks.predictions import Prediction
from wikiprep.tasks.scorers import Score

Split = ReadSplit[Any]
Scores = npt.NDArray[np.float32]
LONG_MENTION = "mentions of more subwords than task.max_mention (further ones have no position)"
CUT_QUESTION = "questions that were cut"
TOO_LONG = "mentions lie further apart than the model's longest input"


@dataclass(frozen=True)
class Inputs:
    """What a task makes its sequences with.

    `labels`: classes by name; `most`: words of a sequence at most, special tokens included; `mention`: words of a
    mention at most (further ones lose their position); `entities`: False for words alone; `rows`: of the encoder's own
    entities by title, for a task that looks them up, and `carrier`, which finds their titles by those of other dumps;
    `carried` counts links by what was found (tables/titles_to_vocabulary.py); `lookup`: of a knowledge graph's entities
    by words, where the run has one (`--knowledge`), for tasks that fill `Features.knowledge`.
    """

    pieces: Pieces
    labels: Mapping[str, int]
    most: int
    mention: int
    entities: bool
    rows: Mapping[str, int] = field(default_factory=dict)
    carrier: Carrier | None = None
    carried: Counter[str] = field(default_factory=Counter)
    lookup: Lookup | None = None


@dataclass(frozen=True)
class Head:
    """`kind`: see heads.py; `vectors` that are concatenated with entities, and without; whether there is a bias."""

    kind: str
    vectors: int
    vectors_without: int
    bias: bool = True


@dataclass(frozen=True)
class OwnHead:
    """A head that is no linear layer on given places.

    `module` has a function `make_head(task, labels, config)`, which gives a `TaskHead` (`finetune/task_head.py`). It is
    named here, since a task is read without torch.
    """

    module: str


class Task(Protocol):
    """One task. Can be pickled. One whose class has `knowledge = True` fills `Features.knowledge` where it is asked."""

    name: str
    head: Head | OwnHead
    markers: Mapping[str, str]  # word tokens of the task's own, and the token whose row each begins as
    entities: Sequence[str]  # special entities of the task's own, as copies of [MASK]; () where [MASK] will do
    vocabulary: bool  # whether it looks Wikipedia's entities up: the table is then kept whole, and frozen

    def splits(self, folder: Path) -> Mapping[str, Split]:
        """The parts there are, of "train", "dev", "test". Raises WikiprepError for what is missing or damaged."""
        ...

    def labels(self, train: Sequence[Any]) -> Sequence[str]:
        """The classes that these examples show, or those that the task has, in order."""
        ...

    def features(self, example: Any, number: int, inputs: Inputs, left_out: Counter[str]) -> list[Features]:
        """The sequences of example `number`; none where it cannot be asked, which is then counted with its reason."""
        ...

    def predictions(
        self, examples: Sequence[Any], outputs: Sequence[Sequence[tuple[Any, Any]]], labels: Sequence[str]
    ) -> list[Prediction]:
        """What the scores of each example's sequences come to; of one without any too, in the same order.

        A pair is `Features` with `Scores` (logits), of a head of the task's own with what that gives.
        """
        ...

    def score(self, predictions: Sequence[Prediction]) -> Score:
        """The figures; `main` names the one that chooses the best epoch."""
        ...


def bracketed_text(text: str, spans: Sequence[tuple[tuple[int, int], str]]) -> str:
    """The text with each span in brackets under its name: `[HEAD Bill Gates] founded [TAIL Microsoft]`.

    Brackets of one place are closed before others are opened, whichever spans meet there.
    """
    cuts: list[tuple[int, int, int, str]] = []
    for (start, end), name in spans:
        cuts += [(start, 1, start - end, f"[{name.strip('[]')} "), (end, 0, end - start, "]")]
    parts, last_place = [], 0
    for place, _, _, mark in sorted(cuts):
        parts += [text[last_place:place], mark]
        last_place = place
    return "".join([*parts, text[last_place:]])
