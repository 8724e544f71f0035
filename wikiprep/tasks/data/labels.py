"""The labels of examples, and those that training never showed."""

from collections import Counter
from collections.abc import Iterable
from typing import Any

from wikiprep.tasks.examples import RelationExample, TaggedDocument, TypingExample


def labels_of(examples: Iterable[Any]) -> Counter[str]:
    """How often each label stands in examples of any kind: types, relations, types of mentions; none of questions."""
    found: Counter[str] = Counter()
    for example in examples:
        if isinstance(example, TypingExample):
            found.update(example.labels)
        elif isinstance(example, RelationExample):
            found[example.label] += 1
        elif isinstance(example, TaggedDocument):
            found.update(mention.type for sentence in example.sentences for mention in sentence.mentions)
    return found


def unseen_labels(train: Iterable[Any], others: Iterable[Any]) -> Counter[str]:
    """Labels of `others` that `train` lacks, with their counts: a model cannot predict them."""
    known = labels_of(train)
    return Counter({label: count for label, count in labels_of(others).items() if label not in known})


def told(unseen: Counter[str], split: str) -> str:
    """A line for the user, "" where there is none."""
    if not unseen:
        return ""
    names = ", ".join(f"{label} ({count})" for label, count in sorted(unseen.items()))
    return f"{split} has labels that train lacks, and that cannot be predicted: {names}"
