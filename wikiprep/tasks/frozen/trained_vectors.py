"""Vectors of items by a trained encoder: each item is seen in its own text, with its own mentions alone.

A model with entities sees a mention as `[MASK]`, as `embed` does where a text links nothing.
"""

from collections import Counter
from collections.abc import Iterator, Sequence
from dataclasses import dataclass

import numpy as np

from wikiprep.pretrain.frozen import MasksMentions, OwnVectors
from wikiprep.pretrain.open_checkpoint import open_model
from wikiprep.pretrain.ranks import join_ranks
from wikiprep.pretrain.trained import ENTITIES, TOKENS, BadText, MarkedText, Trained, Vectors
from wikiprep.tasks.frozen.encoders import (
    AVERAGE,
    ENDPOINTS,
    ENTITY,
    MASK,
    MAX,
    OF_TOKENS,
    OWN,
    Floats,
    ItemVectors,
    Note,
    pool_states,
)
from wikiprep.tasks.frozen.items import TextItem

BATCH = 32  # items computed at once: neighbours in length
_LONG = 2000  # items
NOT_TAKEN = "items: the model cannot take their text ({})"


@dataclass(frozen=True)
class _Texts:
    """A batch. `orders[i]`: of item i the numbers of its mentions, head first, in the order of the text."""

    places: list[int]
    marked: list[MarkedText]
    orders: list[tuple[int, ...]]


class TrainedVectors:
    """See `Encoder`."""

    def __init__(self, trained: Trained, note: Note = lambda what: None) -> None:
        """`note`: tells how far a long work has come."""
        self._trained, self._note = trained, note
        kinds = [AVERAGE, ENDPOINTS, MAX]
        kinds += [MASK] if isinstance(trained, MasksMentions) else []
        kinds += [ENTITY] if trained.entities else []
        kinds += [OWN] if isinstance(trained, OwnVectors) else []
        self.kinds = tuple(kinds)

    def vectors(self, items: Sequence[TextItem], kinds: Sequence[str]) -> ItemVectors:
        """See `Encoder`. Which items share a batch depends on their texts alone, so that rounding does too."""
        rows: dict[str, Floats] = {}
        left_out: Counter[str] = Counter()
        usable = sorted(
            (place for place in range(len(items)) if self._takes(items[place], left_out)),
            key=lambda place: (len(items[place].text), items[place].text, items[place].spans),
        )
        row_of = {place: row for row, place in enumerate(sorted(usable))}
        for number, texts in enumerate(_batches(items, usable)):
            self._report_progress(number * BATCH, len(usable))
            for kind, kind_vectors in self._batch_vectors(texts, kinds):
                for place, vector in zip(texts.places, kind_vectors, strict=True):
                    table = rows.setdefault(kind, np.empty((len(row_of), len(vector)), np.float32))
                    table[row_of[place]] = vector
        return ItemVectors(sorted(usable), rows, left_out)

    def _report_progress(self, done: int, total: int) -> None:
        """At each tenth of a work that takes minutes. Long texts come last, so that it is no tenth of the time."""
        if total >= _LONG and done and done * 10 // total > (done - BATCH) * 10 // total:
            self._note(f"{done:,} of {total:,} items, the short ones first")

    def _takes(self, item: TextItem, left_out: Counter[str]) -> bool:
        try:
            self._trained.check(_mark(item)[0])
        except BadText as bad:
            reason = "too long" if "the model takes" in str(bad) else str(bad)
            left_out[NOT_TAKEN.format(reason)] += 1
            return False
        return True

    def _batch_vectors(self, texts: _Texts, kinds: Sequence[str]) -> Iterator[tuple[str, list[Floats]]]:
        token_kinds = [kind for kind in kinds if kind in OF_TOKENS]
        if token_kinds:
            states = [
                _tokens_of(vectors, marked)
                for vectors, marked in zip(self._trained.vectors(texts.marked, TOKENS), texts.marked, strict=True)
            ]
            for kind in token_kinds:
                yield kind, _join_mentions([np.stack([pool_states(s, kind) for s in own]) for own in states], texts)
        if ENTITY in kinds:
            yield (
                ENTITY,
                _join_mentions(
                    [entity_vectors.rows for entity_vectors in self._trained.vectors(texts.marked, ENTITIES)], texts
                ),
            )
        if MASK in kinds:
            assert isinstance(self._trained, MasksMentions)
            yield MASK, _join_mentions(self._trained.masked_spans(texts.marked), texts)
        if OWN in kinds:
            assert isinstance(self._trained, OwnVectors)
            if len(texts.orders[0]) == 2:
                pairs = [(order[0], order[1]) for order in texts.orders]
                yield OWN, self._trained.pair_vectors(texts.marked, pairs)
            else:
                yield OWN, _join_mentions(self._trained.span_vectors(texts.marked), texts)


def open_trained(model: str, language: str | None = None, note: Note = lambda what: None) -> TrainedVectors:
    """Of a run, a checkpoint, or a folder or name of Hugging Face's. Raises as `open_model`."""
    with join_ranks(timeout_minutes=1) as ranks:
        return TrainedVectors(open_model(model, ranks, language).trained, note)


def _batches(items: Sequence[TextItem], places: Sequence[int]) -> Iterator[_Texts]:
    for start in range(0, len(places), BATCH):
        part = list(places[start : start + BATCH])
        marked_items = [_mark(items[place]) for place in part]
        yield _Texts(part, [marked for marked, _ in marked_items], [order for _, order in marked_items])


def _mark(item: TextItem) -> tuple[MarkedText, tuple[int, ...]]:
    in_order = sorted(item.spans)
    marked = MarkedText(item.text, tuple(in_order), (None,) * len(in_order))
    return marked, tuple(in_order.index(span) for span in item.spans)


def _join_mentions(rows: Sequence[Floats], texts: _Texts) -> list[Floats]:
    """Of each item the vectors of its mentions, head first, in one."""
    return [np.concatenate([own[number] for number in order]) for own, order in zip(rows, texts.orders, strict=True)]


def _tokens_of(vectors: Vectors, marked: MarkedText) -> list[Floats]:
    """Of each mention the states of its tokens: a mention begins and ends with one, for text is cut at its ends."""
    token_states = []
    for start, end in marked.spans:
        inside = (vectors.starts >= start) & (vectors.ends <= end)
        token_states.append(vectors.rows[inside])
    return token_states
