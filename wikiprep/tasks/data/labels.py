"""The labels of examples, and those that training never showed."""

from collections import Counter
from collections.abc import Callable, Iterable, Sequence
from typing import Any

from wikiprep.tasks.examples import JointExample, RelationExample, TaggedDocument, TypingExample

Labels = Callable[[Sequence[Any]], Sequence[str]]


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


def in_words(unseen: Counter[str], split: str) -> str:
    """A line for the user, "" where there is none."""
    if not unseen:
        return ""
    names = ", ".join(f"{label} ({count})" for label, count in sorted(unseen.items()))
    return f"{split} has labels that train lacks, and that cannot be predicted: {names}"
