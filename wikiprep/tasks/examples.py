"""What the readers of `data/` give: one frozen class a kind of task, spans in characters of a text.

A `Span` is (start, end): text[start:end], code points, end exclusive, never empty. Ids are strings, unique in a split:
the benchmark's own where it has one, else the number of the example in its file, from 0.
"""

from collections import Counter
from collections.abc import Callable, Iterable, Sequence
from dataclasses import dataclass
from pathlib import Path
from typing import Any, Generic, TypeVar

Span = tuple[int, int]
Labels = Callable[[Sequence[Any]], Sequence[str]]


@dataclass(frozen=True, slots=True)
class TypingExample:
    """Entity typing: `labels` (sorted, without repeats, perhaps none) are the types of the mention at `span`."""

    id: str
    text: str
    span: Span
    labels: tuple[str, ...]


@dataclass(frozen=True, slots=True)
class RelationExample:
    """Relation classification: what `head` is to `tail`; which of them stands first in the text is not said.

    TACRED: head is the subject. SemEval-2010: head is <e1>, and `label` keeps its direction ("Cause-Effect(e2,e1)").
    FewRel: `label` is the property's id. `tags`: (start, end, part of speech) of words, where the file says.
    """

    id: str
    text: str
    head: Span
    tail: Span
    label: str
    tags: tuple[tuple[int, int, str], ...] = ()


@dataclass(frozen=True, slots=True)
class Mention:
    """text[start:end] of a sentence is an entity of this type. It begins and ends with words."""

    start: int
    end: int
    type: str


@dataclass(frozen=True, slots=True)
class TaggedSentence:
    """A sentence of named entity data.

    `text` is its words with a blank between; words[i] is the span of the i-th, tags[i] its tag as IOB2 (whatever the
    file has). Mentions are in order and do not overlap.
    """

    id: str
    text: str
    words: tuple[Span, ...]
    tags: tuple[str, ...]
    mentions: tuple[Mention, ...]


@dataclass(frozen=True, slots=True)
class TaggedDocument:
    """Neighbouring sentences, the context of each other. A file without document marks has a document a sentence."""

    id: str
    sentences: tuple[TaggedSentence, ...]


@dataclass(frozen=True, slots=True)
class ClozeAnswer:
    """A right answer of a cloze question: passage[start:end], and its text as the file has it."""

    text: str
    span: Span


@dataclass(frozen=True, slots=True)
class ClozeExample:
    """ReCoRD: which of the passage's `entities` stands at `placeholder` (a span of `query`: "@placeholder")?

    Texts are as published, with line breaks and "@highlight". `answers` is empty in a closed test set.
    """

    id: str
    passage: str
    query: str
    placeholder: Span
    entities: tuple[Span, ...]
    answers: tuple[ClozeAnswer, ...]


@dataclass(frozen=True, slots=True)
class Answer:
    """A right answer to a question: context[start:start + len(text)].

    `start` is None where the file's place does not hold the text: it counts in scoring and cannot be trained on.
    """

    text: str
    start: int | None


@dataclass(frozen=True, slots=True)
class EntitySpan:
    """A linked entity in a question or context, as `annotate-squad` writes it. `title` with redirects followed."""

    start: int
    end: int
    title: str
    qid: str | None


@dataclass(frozen=True, slots=True)
class QuestionExample:
    """SQuAD 1.1.

    `title` as in the file (percent-encoded, underscores). The entities are those of `annotate-squad`, none in the
    published file. `answers` is empty in a closed test set.
    """

    id: str
    title: str
    question: str
    context: str
    answers: tuple[Answer, ...]
    question_entities: tuple[EntitySpan, ...] = ()
    context_entities: tuple[EntitySpan, ...] = ()


@dataclass(frozen=True, slots=True)
class Triple:
    """A relation of a text, by the names of its ends.

    `subject` and `object` as they are scored: the text's own words where `head` and `tail` are their spans in it, else
    the names of the file, and None for what the text does not say.
    """

    subject: str
    relation: str
    object: str
    head: Span | None
    tail: Span | None

    @property
    def located(self) -> bool:
        """Whether both ends are in the text."""
        return self.head is not None and self.tail is not None


@dataclass(frozen=True, slots=True)
class JointExample:
    """A text with its entities and their relations.

    `form`: see `data/joint.py`. `entities`: a span of each entity, in order, each once, those in no triple too; they
    can overlap. `triples`: each once, in the order of the file.
    """

    id: str
    text: str
    entities: tuple[Span, ...]
    triples: tuple[Triple, ...]
    form: str


@dataclass(frozen=True, slots=True)
class SentenceExample:
    """A sentence, or a pair of two, with a label (GLUE).

    `label` is a number as text where the task asks for one, and None in a closed test set.
    """

    id: str
    text: str
    second: str | None
    label: str | None


@dataclass(frozen=True, slots=True)
class ChoiceExample:
    """COPA: which of two `alternatives` is the `asks_for` ("cause" or "effect") of the premise?

    `label` is "choice1" or "choice2", None in a closed test set.
    """

    id: str
    premise: str
    alternatives: tuple[str, str]
    asks_for: str
    label: str | None


ExampleT = TypeVar("ExampleT")


@dataclass(frozen=True, slots=True)
class ReadSplit(Generic[ExampleT]):
    """A split as read.

    `examples` in the order of the files; `left_out` counts by reason what of the files is not there (of the whole file,
    where splits are made of one); `files` are what was read; `notes` are lines for the user.
    """

    task: str
    split: str
    examples: tuple[ExampleT, ...]
    left_out: Counter[str]
    files: tuple[Path, ...]
    notes: tuple[str, ...] = ()


def labels_of(examples: Iterable[Any]) -> Counter[str]:
    """How often each label stands in examples of any kind: types, relations, types of mentions; none of questions."""
    counts: Counter[str] = Counter()
    for example in examples:
        if isinstance(example, TypingExample):
            counts.update(example.labels)
        elif isinstance(example, RelationExample):
            counts[example.label] += 1
        elif isinstance(example, JointExample):
            counts.update({triple.relation for triple in example.triples})
        elif isinstance(example, TaggedDocument):
            counts.update(mention.type for sentence in example.sentences for mention in sentence.mentions)
    return counts


def unseen_labels(known: Iterable[str], others: Iterable[Any], labels: Labels) -> Counter[str]:
    """Labels that `labels` finds in `others` and that are not `known`: in how many examples each stands.

    A model cannot predict them. `labels` is a task's own, so that this holds for tasks of a user's too.
    """
    seen = set(known)
    return Counter(label for example in others for label in labels([example]) if label not in seen)


def unseen_in_words(unseen: Counter[str], split: str) -> str:
    """A line for the user, "" where there is none."""
    if not unseen:
        return ""
    names = ", ".join(f"{label} ({count})" for label, count in sorted(unseen.items()))
    return f"{split} has labels that train lacks, and that cannot be predicted: {names}"
