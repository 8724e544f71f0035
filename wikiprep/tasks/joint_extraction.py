"""Joint extraction of entities and relations (WebNLG, NYT24; Li et al., SPOT): the triples that a text says.

Every span of at most five words is a candidate. A head of its own (`finetune/joint_head.py`) says which are entities,
and which relations each ordered pair of those has; a text's triples are the words of the two spans and the relation.
"""

from collections import Counter
from collections.abc import Mapping, Sequence
from dataclasses import dataclass, field, replace
from pathlib import Path

import numpy as np
import numpy.typing as npt

from wikiprep.tasks.data.joint import ENRICHED, FULL, STARRED, of_sizes
from wikiprep.tasks.data.locate import words_at, words_of
from wikiprep.tasks.data.sets import read, splits_of
from wikiprep.tasks.examples import JointExample, Span
from wikiprep.tasks.features import Features, Ints
from wikiprep.tasks.gold import gold_of
from wikiprep.tasks.options import JointOptions
from wikiprep.tasks.predictions import Extraction, Prediction
from wikiprep.tasks.scorers import LEFT_OUT, REACHABLE, Score, score
from wikiprep.tasks.task import Inputs, OwnHead, Split

OPTIONS = JointOptions  # those of `[task]`; see registry.py
NO_ENTITY, ENTITY, IGNORED = 0, 1, -1  # labels of candidates
CUT_WORDS = "words behind the longest input: nothing is looked for there"
NOT_WORDS = "entities that do not begin and end with words: cannot be found"
OTHER_SIZES = "texts with another number of triples: not chosen"
MANY = "entities beyond max_spans of a text: not trained on"
SHORTENED = "candidate spans of more tokens than span_tokens: their first ones count"


@dataclass(frozen=True, slots=True, eq=False)
class JointFeatures(Features):
    """One text.

    `places` [S, 2] are its candidate spans, tokens [start, end), `labels` [S] ENTITY, NO_ENTITY or IGNORED (words that
    are an entity's elsewhere in the text), `origins` [S, 2] their characters.

    `relations` [T, 3]: a triple that is trained on, its head and tail as candidates, and its label.
    """

    relations: Ints

    def model_inputs(self) -> tuple[npt.NDArray[np.generic], ...]:
        """See `Features`."""
        return (*Features.model_inputs(self), self.relations)


@dataclass(frozen=True, slots=True, eq=False)
class ExtractedTriples:
    """What a model finds in a text.

    `spans` [E]: candidates that are entities, with their `logits` [E]. `triples` [K, 3]: candidates of head and tail,
    label, with their `certainty` [K] (logits). `left_out`: further entities, whose pairs were not looked at.
    """

    spans: Ints
    logits: npt.NDArray[np.float32]
    triples: Ints
    certainty: npt.NDArray[np.float32]
    left_out: int


@dataclass(frozen=True)
class JointTask:
    """See `Task`."""

    name: str
    options: JointOptions
    head = OwnHead("wikiprep.tasks.finetune.joint_head")
    markers: Mapping[str, str] = field(default_factory=dict)
    entities = ()
    vocabulary = False

    def splits(self, folder: Path) -> Mapping[str, Split]:
        """See `Task`: of JSON all parts have the form that they have together."""
        parts = {part: read(self.name, folder, part) for part in splits_of(self.name)}
        forms = {example.form for split in parts.values() for example in split.examples}
        form = {"full": FULL, "starred": STARRED}.get(self.options.form)
        if form is None:
            form = next(iter(forms)) if len(forms) == 1 else FULL
        return {
            part: self._choose_examples(split, ENRICHED if ENRICHED in forms else form) for part, split in parts.items()
        }

    def _choose_examples(self, split: Split, form: str) -> Split:
        examples = of_sizes(split.examples, str(self.options.triples))
        examples = [replace(example, form=form) for example in examples]
        triples = sum(len(example.triples) for example in examples)
        located = sum(triple.located for example in examples for triple in example.triples)
        reachable_count = sum(len(reachable(example, self.options.max_span_words)) for example in examples)
        note = (
            f"{form}: {len(examples):,} texts with {triples:,} triples; both ends are in the text of "
            f"{_share(located, triples)}, and spans of at most {self.options.max_span_words} words in "
            f"{_share(reachable_count, triples)}: recall can be no more"
        )
        # What a reader left out is of all texts: where some are chosen, the shares above are what holds of them.
        others = Counter({OTHER_SIZES: len(split.examples) - len(examples)})
        left_out = split.left_out if len(examples) == len(split.examples) else others
        return replace(split, examples=tuple(examples), left_out=left_out, notes=(*split.notes, note))

    def labels(self, train: Sequence[JointExample]) -> Sequence[str]:
        """See `Task`: the relations."""
        return sorted({triple.relation for example in train for triple in example.triples})

    def features(self, example: JointExample, number: int, inputs: Inputs, left_out: Counter[str]) -> list[Features]:
        """See `Task`."""
        pieces, most = inputs.pieces, self.options.max_span_words
        ids, offsets = pieces.encode_with_offsets(example.text)
        words = words_of(example.text)
        tokens = _tokens_of(words, offsets[: inputs.most - 2])
        left_out[CUT_WORDS] += sum(span is None for span in tokens)
        candidates = [
            ((words[a][0], words[b - 1][1]), (first[0] + 1, last[1] + 1))
            for a in range(len(words))
            for b in range(a + 1, min(a + most, len(words)) + 1)
            if (first := tokens[a]) is not None and (last := tokens[b - 1]) is not None
        ]
        left_out[SHORTENED] += sum(end - start > self.options.span_tokens for _, (start, end) in candidates)
        numbers = {span: n for n, (span, _) in enumerate(candidates)}
        gold = self._gold(example, words, numbers, left_out)
        names = {words_at(example.text, span) for span in example.entities}
        labels = [
            ENTITY if span in gold else IGNORED if words_at(example.text, span) in names else NO_ENTITY
            for span, _ in candidates
        ]
        relations = [
            (numbers[triple.head], numbers[triple.tail], inputs.labels[triple.relation])
            for triple in example.triples
            if triple.head in gold and triple.tail in gold and triple.head != triple.tail
            if triple.head is not None and triple.tail is not None and triple.relation in inputs.labels
        ]
        no_ids = np.zeros(0, np.int64)
        word_ids = [pieces.words.first, *ids[: inputs.most - 2], pieces.words.last]
        return [
            JointFeatures(
                number,
                0,
                np.array(word_ids, np.int64),
                len(word_ids),
                no_ids,
                no_ids,
                no_ids,
                np.array([place for _, place in candidates], np.int64).reshape(-1, 2),
                np.array(labels, np.int64),
                np.array([span for span, _ in candidates], np.int64).reshape(-1, 2),
                np.array(relations, np.int64).reshape(-1, 3),
            )
        ]

    def _gold(
        self, example: JointExample, words: Sequence[Span], numbers: Mapping[Span, int], left_out: Counter[str]
    ) -> set[Span]:
        """The entities that are candidates."""
        starts, ends = {start for start, _ in words}, {end for _, end in words}
        spans = []
        for span in example.entities:
            if span in numbers:
                spans.append(span)
            elif span[0] not in starts or span[1] not in ends:
                left_out[NOT_WORDS] += 1
            elif sum(span[0] <= start < span[1] for start, _ in words) > self.options.max_span_words:
                left_out[f"entities of more than {self.options.max_span_words} words: cannot be found"] += 1
        left_out[MANY] += max(0, len(spans) - self.options.max_spans)
        return set(spans[: self.options.max_spans])

    def predictions(
        self,
        examples: Sequence[JointExample],
        outputs: Sequence[Sequence[tuple[JointFeatures, ExtractedTriples]]],
        labels: Sequence[str],
    ) -> list[Prediction]:
        """See `Task`. Scores: the logit of each triple, and what the limits cost, under names of `scorers.py`."""
        predictions = []
        for example, parts in zip(examples, outputs, strict=True):
            text = example.text
            (gold,) = gold_of([example])
            entities: dict[str, None] = {}
            scores: dict[str, float] = {REACHABLE: float(len(reachable(example, self.options.max_span_words)))}
            triples: dict[tuple[str, str, str], float] = {}
            for sequence, extracted in parts:
                names = [words_at(text, (int(start), int(end))) for start, end in sequence.origins[extracted.spans]]
                entities |= dict.fromkeys(names)
                if extracted.left_out:
                    scores[LEFT_OUT] = scores.get(LEFT_OUT, 0.0) + extracted.left_out
                for (head, tail, label), logit in zip(
                    extracted.triples.tolist(), extracted.certainty.tolist(), strict=True
                ):
                    ends = [
                        words_at(text, (int(sequence.origins[n][0]), int(sequence.origins[n][1]))) for n in (head, tail)
                    ]
                    triple = (ends[0], labels[label], ends[1])
                    triples[triple] = max(logit, triples.get(triple, -np.inf))
            scores |= {" | ".join(triple): logit for triple, logit in triples.items()}
            predicted = Extraction(tuple(entities), tuple(triples))
            predictions.append(replace(gold, predicted=predicted, scores=scores))
        return predictions

    def score(self, predictions: Sequence[Prediction]) -> Score:
        """See `Task`."""
        return score(self.name, predictions)


def reachable(example: JointExample, most: int) -> set[tuple[str, str, str]]:
    """The triples that can be found: both ends are in the text, two spans of at most so many whole words."""
    words = words_of(example.text)
    starts = {start: n for n, (start, _) in enumerate(words)}
    ends = {end: n + 1 for n, (_, end) in enumerate(words)}

    def fits(span: Span | None) -> bool:
        if span is None or span[0] not in starts or span[1] not in ends:
            return False
        return ends[span[1]] - starts[span[0]] <= most

    return {
        (triple.subject, triple.relation, triple.object)
        for triple in example.triples
        if fits(triple.head) and fits(triple.tail) and triple.head != triple.tail
    }


def _tokens_of(words: Sequence[Span], offsets: Sequence[Span]) -> list[Span | None]:
    """Of each word its tokens [first, behind the last), those that have a character of it; None where there is none."""
    token_spans: list[Span | None] = []
    first = 0
    for start, end in words:
        while first < len(offsets) and offsets[first][1] <= start:
            first += 1
        last = first
        while last < len(offsets) and offsets[last][0] < end:
            last += 1
        token_spans.append((first, last) if last > first else None)
    return token_spans


def _share(part: int, whole: int) -> str:
    return f"{part:,} ({100 * part / whole:.1f} %)" if whole else "none"


def make(name: str, options: JointOptions) -> JointTask:
    """The task of that name."""
    return JointTask(name, options)
