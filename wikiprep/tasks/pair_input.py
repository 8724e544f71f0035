"""A text, or two behind each other, as one sequence: `[CLS] A [SEP] B [SEP]` (RoBERTa: two separators between)."""

from collections import Counter
from collections.abc import Sequence

import numpy as np

from wikiprep.knowledge.text_words import Word
from wikiprep.tasks.features import NO_WORD, Features, Ints
from wikiprep.tasks.pieces import Span
from wikiprep.tasks.task import Inputs

CUT = "texts that were cut at the end, being too long"


def pair_input(
    number: int, first: str, second: str | None, inputs: Inputs, label: object, kind: type, left_out: Counter[str]
) -> Features:
    """One decision on the first token, of one label of this type.

    What is too long is cut at its end, a subword at a time, of the longer text; such are counted.
    """
    pieces = inputs.pieces
    texts = [first] if second is None else [first, second]
    encoded = [pieces.located(text, 0, len(text)) for text in texts]
    between = pieces.between if second is not None else []
    kept_lengths = _kept_lengths([len(ids) for ids, _ in encoded], inputs.most - 2 - len(between))
    left_out[CUT] += int(any(len(ids) > keep for (ids, _), keep in zip(encoded, kept_lengths, strict=True)))
    ids, rows = [pieces.words.first], [NO_WORD]
    second_start = 0
    for place, (text, (text_ids, offsets), keep) in enumerate(zip(texts, encoded, kept_lengths, strict=True)):
        if place:
            ids, rows = ids + between, rows + [NO_WORD] * len(between)
            second_start = len(ids)
        ids, rows = ids + text_ids[:keep], rows + _rows(inputs, text, offsets)[:keep]
    ids, rows = [*ids, pieces.words.last], [*rows, NO_WORD]
    no_entities = np.zeros(0, np.int64)
    return Features(
        example=number,
        part=0,
        word_ids=np.array(ids, np.int64),
        second=second_start or len(ids),
        entity_ids=no_entities,
        entity_starts=no_entities,
        entity_ends=no_entities,
        places=np.array([[0]], np.int64),
        labels=np.array([label], kind),
        origins=np.zeros(1, np.int64),
        knowledge=None if inputs.lookup is None else np.array(rows, np.int64),
    )


def window_rows(
    inputs: Inputs, text: str, offsets: list[Span], window: Span, words: Sequence[Word] | None = None
) -> Ints | None:
    """Of a sequence that is a window of a marked text the entities of its subwords; None without a graph.

    `words`: as the data set brings them, with parts of speech."""
    if inputs.lookup is None:
        return None
    rows = inputs.lookup.rows(text, offsets, words)
    rows = np.where([start == end for start, end in offsets], NO_WORD, rows)
    return np.concatenate([[NO_WORD], rows[slice(*window)], [NO_WORD]]).astype(np.int64)


def _rows(inputs: Inputs, text: str, offsets: list[Span]) -> list[int]:
    if inputs.lookup is None:
        return [0] * len(offsets)
    rows: list[int] = inputs.lookup.rows(text, offsets).tolist()
    return rows


def _kept_lengths(lengths: list[int], most: int) -> list[int]:
    """How much stays of each: the longest loses first, of equal ones the second."""
    remaining = list(lengths)
    while sum(remaining) > most:
        longest = max(range(len(remaining)), key=lambda place: (remaining[place], place))
        others = max((remaining[place] for place in range(len(remaining)) if place != longest), default=0)
        remaining[longest] -= max(1, min(sum(remaining) - most, remaining[longest] - others))
    return remaining
