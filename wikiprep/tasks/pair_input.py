"""A text, or two behind each other, as one sequence: `[CLS] A [SEP] B [SEP]` (RoBERTa: two separators between)."""

from collections import Counter
from collections.abc import Sequence

import numpy as np

from wikiprep.knowledge.words import Word
from wikiprep.tasks.features import NO_WORD, Features, Ints
from wikiprep.tasks.pieces import Span
from wikiprep.tasks.task import Inputs

CUT = "texts that were cut at the end, being too long"


def pair_input(
    number: int, first: str, second: str | None, inputs: Inputs, label: object, kind: type, left_out: Counter[str]
) -> Features:
    """One decision on the first token, of one label of this type. What is too long is cut at its end, a subword at a
    time, of the longer text; such are counted."""
    pieces = inputs.pieces
    texts = [first] if second is None else [first, second]
    made = [pieces.located(text, 0, len(text)) for text in texts]
    between = pieces.between if second is not None else []
    kept = _kept([len(ids) for ids, _ in made], inputs.most - 2 - len(between))
    left_out[CUT] += int(any(len(ids) > keep for (ids, _), keep in zip(made, kept, strict=True)))
    ids, rows = [pieces.words.first], [NO_WORD]
    begins = 0
    for place, (text, (its, offsets), keep) in enumerate(zip(texts, made, kept, strict=True)):
        if place:
            ids, rows = ids + between, rows + [NO_WORD] * len(between)
            begins = len(ids)
        ids, rows = ids + its[:keep], rows + _rows(inputs, text, offsets)[:keep]
    ids, rows = [*ids, pieces.words.last], [*rows, NO_WORD]
    none = np.zeros(0, np.int64)
    return Features(
        example=number,
        part=0,
        word_ids=np.array(ids, np.int64),
        second=begins or len(ids),
        entity_ids=none,
        entity_starts=none,
        entity_ends=none,
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


def _kept(lengths: list[int], most: int) -> list[int]:
    """How much stays of each: the longest loses first, of equal ones the second."""
    kept = list(lengths)
    while sum(kept) > most:
        longest = max(range(len(kept)), key=lambda place: (kept[place], place))
        others = max((kept[place] for place in range(len(kept)) if place != longest), default=0)
        kept[longest] -= max(1, min(sum(kept) - most, kept[longest] - others))
    return kept
