"""Named entities as classified spans (CoNLL-2003 and its kind; Yamada et al. 2020, section 4.3, and their code).

Every span of at most 16 subwords (`task.max_span_subwords`) that begins and ends at word boundaries of a sentence is a
candidate, an entity `[MASK]` at its subwords. Its class comes of the vectors of its first and last subword and of its
entity, concatenated; without entities, of the first two. The sentence stands in as much of its document as fits.
Candidates beyond the number that one sequence takes are spread evenly over several. Spans are then taken greedily, best
logit first, none over another.
"""

from collections import Counter
from collections.abc import Mapping, Sequence
from dataclasses import dataclass, field, replace
from pathlib import Path

import numpy as np

from wikiprep.tasks.data.sets import read, splits_of
from wikiprep.tasks.examples import Mention, TaggedDocument, TaggedSentence
from wikiprep.tasks.features import Features, Ints
from wikiprep.tasks.options import NerOptions
from wikiprep.tasks.pieces import Pieces, window
from wikiprep.tasks.predictions import Prediction
from wikiprep.tasks.scorers import Score, score
from wikiprep.tasks.task import Head, Inputs, Scores, Split

NONE = "O"  # the class of a span that is no name
MOST_CANDIDATES = 128  # of one sequence
LONG_MENTION = "mentions of more subwords than task.max_span_subwords, or behind a cut: cannot be found"
OPTIONS = NerOptions
CUT_WORDS = "words behind the longest input: no names are looked for there"
_APOSTROPHES = ("'", "’")


@dataclass(frozen=True)
class NerTask:
    """See `Task`."""

    name: str
    options: NerOptions = field(default_factory=NerOptions)
    head = Head("choice", vectors=3, vectors_without=2)
    markers: Mapping[str, str] = field(default_factory=dict)
    entities = ()
    vocabulary = False

    def splits(self, folder: Path) -> Mapping[str, Split]:
        """See `Task`: sentences, each with its place in its document."""
        return {part: _sentences(read(self.name, folder, part)) for part in splits_of(self.name)}

    def labels(self, train: Sequence["PlacedSentence"]) -> Sequence[str]:
        """See `Task`."""
        return [NONE, *sorted({mention.type for placed in train for mention in placed.sentence.mentions})]

    def features(
        self, example: "PlacedSentence", number: int, inputs: Inputs, left_out: Counter[str]
    ) -> list[Features]:
        """See `Task`."""
        most = inputs.most - 2
        subwords = _subwords(inputs.pieces, example.sentence)
        firsts = np.cumsum([0, *map(len, subwords)])
        sentence_tokens = [token for word in subwords for token in word][:most]
        left, right = example.around(inputs.pieces, most - len(sentence_tokens))
        start, end = window(
            len(left) + len(sentence_tokens) + len(right), [(len(left), len(left) + len(sentence_tokens))], most
        ) or (0, 0)
        ids = [inputs.pieces.words.first, *[*left, *sentence_tokens, *right][start:end], inputs.pieces.words.last]
        candidates = _candidates(firsts, most, self.options.max_span_subwords)
        gold = {(first, last): kind for first, last, kind in example.gold()}
        left_out[CUT_WORDS] += int((firsts[1:] > most).sum())
        left_out[LONG_MENTION] += len(gold.keys() - set(map(tuple, candidates.tolist())))
        offset = 1 + len(left) - start
        features = []
        for part, chunk in enumerate(_passes(candidates)):
            labels = [inputs.labels.get(gold.get((a, b), NONE), 0) for a, b in chunk.tolist()]
            starts, ends = firsts[chunk[:, 0]] + offset, firsts[chunk[:, 1]] + offset
            columns = [starts, ends - 1, *([-1 - np.arange(len(chunk))] if inputs.entities else [])]
            features.append(
                Features(
                    number,
                    part,
                    np.array(ids, np.int64),
                    len(ids),
                    np.ones(len(chunk), np.int64),
                    starts,
                    ends,
                    np.stack(columns, axis=1).astype(np.int64),
                    np.array(labels, np.int64),
                    chunk,
                )
            )
        return features

    def predictions(
        self,
        examples: Sequence["PlacedSentence"],
        outputs: Sequence[Sequence[tuple[Features, Scores]]],
        labels: Sequence[str],
    ) -> list[Prediction]:
        """See `Task`."""
        predictions = []
        for example, parts in zip(examples, outputs, strict=True):
            spans = [
                ((first, last), row)
                for sequence, rows in parts
                for (first, last), row in zip(sequence.origins.tolist(), rows, strict=True)
            ]
            names = greedy(spans)
            sentence, words = example.sentence, example.sentence.words
            predicted = tuple(
                Mention(words[first][0], words[last - 1][1], labels[kind]) for (first, last), kind, _ in names
            )
            scores = {f"{m.start} {m.end} {m.type}": logit for m, (_, _, logit) in zip(predicted, names, strict=True)}
            predictions.append(Prediction(sentence.id, sentence.text, sentence.mentions, predicted, scores))
        return predictions

    def score(self, predictions: Sequence[Prediction]) -> Score:
        """See `Task`."""
        return score(self.name, predictions)


def greedy(spans: Sequence[tuple[tuple[int, int], Scores]]) -> list[tuple[tuple[int, int], int, float]]:
    """Of candidates [start, end) with their logits those that are names: (span, class, logit), in order of the text.

    A span whose best class is 0 is none; others are taken by the logit of their best class, highest first (then the
    earlier, then the shorter one), if they overlap none taken. The order of `spans` changes nothing.
    """
    candidates = [(span, int(row.argmax()), float(row.max())) for span, row in spans if row.argmax()]
    selected: list[tuple[tuple[int, int], int, float]] = []
    for span, kind, logit in sorted(candidates, key=lambda one: (-one[2], one[0])):
        if all(span[1] <= other[0] or other[1] <= span[0] for other, _, _ in selected):
            selected.append((span, kind, logit))
    return sorted(selected)


@dataclass(frozen=True, eq=False)
class PlacedSentence:
    """A sentence and its document."""

    document: TaggedDocument
    number: int

    @property
    def sentence(self) -> TaggedSentence:
        """The sentence itself."""
        return self.document.sentences[self.number]

    def gold(self) -> list[tuple[int, int, str]]:
        """Its mentions as words [start, end) with their types."""
        starts = {start: word for word, (start, _) in enumerate(self.sentence.words)}
        ends = {end: word + 1 for word, (_, end) in enumerate(self.sentence.words)}
        return [(starts[m.start], ends[m.end], m.type) for m in self.sentence.mentions]

    def around(self, pieces: Pieces, most: int) -> tuple[list[int], list[int]]:
        """At most `most` subwords before it in its document, and as many behind it, those that are nearest."""
        before: list[int] = []
        for sentence in reversed(self.document.sentences[: self.number]):
            if len(before) >= most:
                break
            before = [token for word in _subwords(pieces, sentence) for token in word] + before
        behind: list[int] = []
        for sentence in self.document.sentences[self.number + 1 :]:
            if len(behind) >= most:
                break
            behind += [token for word in _subwords(pieces, sentence) for token in word]
        return before[max(0, len(before) - most) :], behind[:most]


def _sentences(split: Split) -> Split:
    sentences = [PlacedSentence(document, n) for document in split.examples for n in range(len(document.sentences))]
    return replace(split, examples=tuple(sentences))


def _subwords(pieces: Pieces, sentence: TaggedSentence) -> list[list[int]]:
    """Of each word; behind a space, unless it begins with an apostrophe or is a sign of punctuation (their code)."""
    words = [sentence.text[start:end] for start, end in sentence.words]
    is_glued = [word.startswith(_APOSTROPHES) or (len(word) == 1 and not word.isalnum()) for word in words]
    return [pieces.encode(word, space=not g) or [pieces.unknown] for word, g in zip(words, is_glued, strict=True)]


def _candidates(firsts: Ints, most: int, longest: int) -> Ints:
    """[n, 2]: words [start, end) with at most `longest` subwords, within `most` subwords of the sentence, in order."""
    candidates = []
    for start in range(len(firsts) - 1):
        for end in range(start + 1, len(firsts)):
            if firsts[end] > most or firsts[end] - firsts[start] > longest:
                break
            candidates.append((start, end))
    return np.array(candidates, np.int64).reshape(-1, 2)


def _passes(candidates: Ints) -> list[Ints]:
    """As even parts as can be, none larger than one sequence takes."""
    count = -(-len(candidates) // MOST_CANDIDATES)
    return np.array_split(candidates, count) if count else []


def make(name: str, options: NerOptions) -> NerTask:
    """The task of that name."""
    return NerTask(name, options)
