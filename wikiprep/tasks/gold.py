"""What is right, of each example, in the form of predictions.jsonl: with id, a text that shows it, and the labels."""

from collections.abc import Iterable, Iterator
from typing import Any

from wikiprep.tasks.data.locate import words_at
from wikiprep.tasks.examples import (
    ChoiceExample,
    ClozeExample,
    JointExample,
    QuestionExample,
    RelationExample,
    SentenceExample,
    Span,
    TaggedDocument,
    TypingExample,
)
from wikiprep.tasks.predictions import Extraction, Prediction


def gold_of(examples: Iterable[Any]) -> Iterator[Prediction]:
    """A prediction without `predicted` for each example (of documents: each sentence), in order.

    The text marks mentions: [the mention] of types, [H: head] and [T: tail] of relations; a question stands above its
    passage, the first text of a pair above the second. Sentences with tags are as they are, since mentions are their
    characters.
    """
    for example in examples:
        if isinstance(example, TypingExample):
            text = _mark_spans(example.text, [(example.span, "[", "]")])
            yield Prediction(example.id, text, example.labels, None)
        elif isinstance(example, RelationExample):
            text = _mark_spans(example.text, [(example.head, "[H: ", "]"), (example.tail, "[T: ", "]")])
            yield Prediction(example.id, text, example.label, None)
        elif isinstance(example, TaggedDocument):
            for sentence in example.sentences:
                yield Prediction(sentence.id, sentence.text, sentence.mentions, None)
        elif isinstance(example, JointExample):
            entities = tuple(dict.fromkeys(words_at(example.text, span) for span in example.entities))
            triples = dict.fromkeys((triple.subject, triple.relation, triple.object) for triple in example.triples)
            yield Prediction(example.id, example.text, Extraction(entities, tuple(triples)), None, form=example.form)
        elif isinstance(example, ClozeExample):
            answers = tuple(dict.fromkeys(answer.text for answer in example.answers))
            yield Prediction(example.id, f"{example.query}\n{example.passage}", answers or None, None)
        elif isinstance(example, QuestionExample):
            answers = tuple(dict.fromkeys(answer.text for answer in example.answers))
            yield Prediction(example.id, f"{example.question}\n{example.context}", answers or None, None)
        elif isinstance(example, SentenceExample):
            yield Prediction(example.id, pair_text(example), example.label, None)
        elif isinstance(example, ChoiceExample):
            yield Prediction(example.id, choice_text(example), example.label, None)
        else:
            raise TypeError(f"no example of a task: {type(example).__name__}")


def pair_text(example: SentenceExample) -> str:
    """Both texts of a pair, a line each."""
    return example.text if example.second is None else f"{example.text}\n{example.second}"


def choice_text(example: ChoiceExample) -> str:
    """The premise with its question, and below it the alternatives."""
    return f"{example.premise} ({example.asks_for}?)\n1: {example.alternatives[0]}\n2: {example.alternatives[1]}"


def _mark_spans(text: str, marks: list[tuple[Span, str, str]]) -> str:
    signs = [(end, 0, -start, close) for (start, end), _, close in marks]  # at one place ends come before starts
    signs += [(start, 1, -end, open_) for (start, end), open_, _ in marks]
    for place, _, _, sign in sorted(signs, reverse=True):
        text = text[:place] + sign + text[place:]
    return text
