"""Cloze questions: which of a passage's entities a question lacks (ReCoRD; Yamada et al. 2020, section 4.4, and code).

Input: question and passage, each entity of the passage between two `[ENTITY]`, the missing one as `[PLACEHOLDER]`; an
entity `[MASK]` at the placeholder and one at each entity of the passage that lies wholly in the window. One logit for
the concatenated vectors of placeholder and entity; the highest one of all windows answers. Without entities: the
vectors of the placeholder and of the entity's first marker.
"""

from collections import Counter
from collections.abc import Mapping, Sequence
from dataclasses import dataclass
from pathlib import Path

import numpy as np

from wikiprep.tasks.data.sets import read, splits_of
from wikiprep.tasks.examples import ClozeExample
from wikiprep.tasks.features import Features
from wikiprep.tasks.options import TaskOptions
from wikiprep.tasks.pieces import question_room, windows_of
from wikiprep.tasks.predictions import Prediction
from wikiprep.tasks.scorers import Score, score
from wikiprep.tasks.task import CUT_QUESTION, LONG_MENTION, Head, Inputs, Scores, Split

ENTITY, PLACEHOLDER, HIGHLIGHT = "[ENTITY]", "[PLACEHOLDER]", "[HIGHLIGHT]"
_MARKS = {"@placeholder": PLACEHOLDER, "@highlight": HIGHLIGHT}
QUESTION, STRIDE, MOST_ENTITIES = 90, 128, 128
NO_PLACEHOLDER = "questions whose placeholder is not in the part that is read: 90 tokens, half of a shorter sequence"
OUTSIDE = "passage entities that lie wholly in no window"


@dataclass(frozen=True)
class ClozeTask:
    """See `Task`. Markers of entities can be left out; that of the placeholder stays."""

    name: str
    marked: bool
    head = Head("tags", vectors=2, vectors_without=2)
    entities = ()
    vocabulary = False

    @property
    def markers(self) -> Mapping[str, str]:
        """See `Task`."""
        markers = {PLACEHOLDER: "#", HIGHLIGHT: "@"}
        return markers | {ENTITY: "*"} if self.marked else markers

    def splits(self, folder: Path) -> Mapping[str, Split]:
        """See `Task`."""
        return {part: read(self.name, folder, part) for part in splits_of(self.name)}

    def labels(self, train: Sequence[ClozeExample]) -> Sequence[str]:
        """See `Task`: one logit."""
        return ["answer"]

    def features(self, example: ClozeExample, number: int, inputs: Inputs, left_out: Counter[str]) -> list[Features]:
        """See `Task`."""
        pieces = inputs.pieces
        query = pieces.marked(example.query, (), (), spaced=False, replaced=_MARKS).ids
        question_length = question_room(QUESTION, inputs.most)
        left_out[CUT_QUESTION] += int(len(query) > question_length)
        query = query[:question_length]
        blank = next((n for n, token in enumerate(query) if token == pieces.markers[PLACEHOLDER]), None)
        if blank is None:
            left_out[NO_PLACEHOLDER] += 1
            return []
        spans = sorted(set(example.entities))
        marks = [ENTITY if self.marked else None] * len(spans)
        passage = pieces.marked(example.passage, spans, marks, spaced=False, replaced=_MARKS)
        head = [pieces.words.first, *query, *pieces.between]
        room = inputs.most - len(head) - 1
        answers = {answer.span for answer in example.answers}
        features: list[Features] = []
        seen: set[int] = set()
        for start, end in windows_of(len(passage.ids), room, STRIDE):
            inside = [n for n, (a, b) in enumerate(passage.spans) if start <= a and b <= end and a < b]
            for chunk in _chunks(inside, MOST_ENTITIES - 1):
                seen.update(chunk)
                places = np.array([passage.spans[n] for n in chunk], np.int64) - start + len(head)
                starts = np.concatenate([[blank + 1], places[:, 0]])
                ends = np.concatenate([[blank + 2], np.minimum(places[:, 1], places[:, 0] + inputs.mention)])
                candidates = -2 - np.arange(len(chunk)) if inputs.entities else places[:, 0]
                first = np.full(len(chunk), -1 if inputs.entities else blank + 1)
                ids = [*head, *passage.ids[start:end], pieces.words.last]
                features.append(
                    Features(
                        number,
                        len(features),
                        np.array(ids, np.int64),
                        len(head),
                        np.ones(len(starts), np.int64),
                        starts,
                        ends,
                        np.stack([first, candidates], axis=1).astype(np.int64),
                        np.array([[spans[n] in answers] for n in chunk], np.float32),
                        np.array(chunk, np.int64),
                    )
                )
        left_out[OUTSIDE] += len(spans) - len(seen)
        left_out[LONG_MENTION] += sum(passage.spans[n][1] - passage.spans[n][0] > inputs.mention for n in seen)
        return features

    def predictions(
        self,
        examples: Sequence[ClozeExample],
        outputs: Sequence[Sequence[tuple[Features, Scores]]],
        labels: Sequence[str],
    ) -> list[Prediction]:
        """See `Task`. Scores are those of the passage's entities by name, the highest of each."""
        predictions = []
        for example, parts in zip(examples, outputs, strict=True):
            spans = sorted(set(example.entities))
            scores: dict[str, float] = {}
            for sequence, rows in parts:
                for candidate, logit in zip(sequence.origins.tolist(), rows[:, 0].tolist(), strict=True):
                    name = example.passage[slice(*spans[candidate])]
                    scores[name] = max(logit, scores.get(name, -np.inf))
            best = max(scores, key=lambda name: scores[name]) if scores else None
            text = f"{example.query} || {example.passage}"
            predictions.append(
                Prediction(example.id, text, tuple(answer.text for answer in example.answers), best, scores)
            )
        return predictions

    def score(self, predictions: Sequence[Prediction]) -> Score:
        """See `Task`."""
        return score(self.name, predictions)


def _chunks(numbers: list[int], most: int) -> list[list[int]]:
    return [numbers[at : at + most] for at in range(0, len(numbers), most)]


def make(name: str, options: TaskOptions) -> ClozeTask:
    """The task of that name."""
    return ClozeTask(name, options.markers)
