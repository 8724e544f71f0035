"""What is clustered or drawn: a mention with its type, or a pair of mentions with its relation."""

from collections import Counter, defaultdict
from collections.abc import Iterable, Iterator, Sequence
from dataclasses import dataclass, field
from pathlib import Path

from wikiprep.tasks.examples import RelationExample, Span, TypingExample

OVERLAP = "pairs: one mention within the other"
TWICE = "pairs: the same as one before, with its relation"


@dataclass(frozen=True, slots=True)
class TextItem:
    """One mention of `text` (spans of one), or a pair (head, tail). Ids are unique in a set."""

    id: str
    text: str
    spans: tuple[Span, ...]
    label: str

    @property
    def words(self) -> str:
        """The words of its mentions, of a pair with an arrow between."""
        return " → ".join(" ".join(self.text[start:end].split()) for start, end in self.spans)


@dataclass(frozen=True, slots=True)
class ReadItems:
    """A set as read: `read` counts what there was, `left_out` by reason what is not among the items."""

    items: tuple[TextItem, ...]
    read: Counter[str] = field(default_factory=Counter)
    left_out: Counter[str] = field(default_factory=Counter)
    files: tuple[Path, ...] = ()


def mention_items(examples: Iterable[TypingExample], prefix: str) -> Iterator[TextItem]:
    """Of mentions with one type each."""
    for example in examples:
        yield TextItem(prefix + example.id, example.text, (example.span,), example.labels[0])


def pair_items(examples: Iterable[RelationExample], prefix: str, left_out: Counter[str]) -> Iterator[TextItem]:
    """Of pairs; one that comes again with the same relation, or whose mentions overlap, is counted in `left_out`."""
    seen: set[tuple[str, Span, Span, str]] = set()
    for example in examples:
        (a, b), (c, d) = example.head, example.tail
        pair_key = (example.text, example.head, example.tail, example.label)
        if max(a, c) < min(b, d):
            left_out[OVERLAP] += 1
        elif pair_key in seen:
            left_out[TWICE] += 1
        else:
            seen.add(pair_key)
            yield TextItem(prefix + example.id, example.text, (example.head, example.tail), example.label)


def find_ambiguous_texts(items: Sequence[TextItem]) -> set[str]:
    """The texts in which one and the same pair has several labels."""
    labels: dict[tuple[str, tuple[Span, ...]], set[str]] = defaultdict(set)
    for item in items:
        labels[item.text, item.spans].add(item.label)
    return {text for (text, _), text_labels in labels.items() if len(text_labels) > 1}
