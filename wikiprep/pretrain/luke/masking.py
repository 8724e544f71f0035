"""Which words and entities of a record are masked, and what stands in their place. All chance comes from `rng`.

Units (words or entities) are drawn without replacement, each with a chance that grows with its weight: exponential
clocks, the unit whose clock rings first comes first (Efraimidis and Spirakis, 2006). Equal weights: a plain shuffle.
"""

from dataclasses import dataclass

import numpy as np
import numpy.typing as npt

from wikiprep.pretrain.luke.config import Objective
from wikiprep.pretrain.luke.word_table import WordTable
from wikiprep.pretrain.luke.words import Words, word_starts
from wikiprep.records.record import Record

Ints = npt.NDArray[np.int64]
Weights = npt.NDArray[np.float32]
WordWeights = Weights | WordTable  # a number a token id, or a number a word

UNK, MASK = 1, 2


@dataclass(frozen=True, eq=False)
class MaskedRecord:
    """A record as the model sees it; `*_targets` are places in the record, of tokens without `<s>` and of entities."""

    word_ids: npt.NDArray[np.int32]
    word_targets: Ints
    entity_ids: npt.NDArray[np.int32]
    entity_targets: Ints


def mask(
    record: Record,
    words: Words,
    objective: Objective,
    rng: np.random.Generator,
    *,
    entities: bool = True,
    word_weights: WordWeights | None = None,
    entity_weights: Weights | None = None,
    others: npt.NDArray[np.int32] | None = None,
) -> MaskedRecord:
    """Mask a record: entities first, then words.

    `entities` False: words alone. `others`: ids of all entities but the special ones, of which `random_entity_prob`
    draws.
    """
    hidden = np.zeros(0, np.int64)
    entity_ids = record.entity_ids.copy()
    if entities:
        hidden = _choose_entities(record.entity_ids, objective, rng, entity_weights)
        entity_ids[hidden] = _replace_entities(record.entity_ids[hidden], objective, rng, others)
    entity_words = np.zeros(len(record.word_ids), np.bool_)
    if objective.mask_entity_words:
        for entity in hidden:
            entity_words[record.entity_starts[entity] : record.entity_ends[entity]] = True
    word_ids, targets = _mask_words(record, entity_words, words, objective, rng, word_weights)
    return MaskedRecord(word_ids, targets, entity_ids, hidden)


def _choose_entities(
    ids: npt.NDArray[np.int32], objective: Objective, rng: np.random.Generator, weights: Weights | None
) -> Ints:
    """Places of the entities to mask, in order; at least one where there is one that may be."""
    if not len(ids) or not objective.entity_share:
        return np.zeros(0, np.int64)
    order = _draw_order(rng, np.ones(len(ids)) if weights is None else weights[ids])
    if not objective.unk_targets:
        order = order[ids[order] != UNK]
    return np.sort(order[: max(1, _round_share(objective.entity_share, len(ids)))])


def _replace_entities(
    ids: npt.NDArray[np.int32], objective: Objective, rng: np.random.Generator, others: npt.NDArray[np.int32] | None
) -> npt.NDArray[np.int32]:
    """What stands in the place of chosen entities: [MASK], another entity, or themselves, as the released trainer."""
    new_ids = np.full(len(ids), MASK, np.int32)
    if not (objective.random_entity_prob or objective.unmasked_entity_prob):
        return new_ids
    draw = rng.random(len(ids))
    new_ids = np.where(draw < objective.unmasked_entity_prob, ids, new_ids).astype(np.int32)
    is_random = draw >= 1 - objective.random_entity_prob
    if others is not None and len(others):
        new_ids[is_random] = others[rng.integers(len(others), size=int(is_random.sum()))]
    return new_ids


def _mask_words(
    record: Record,
    entity_words: npt.NDArray[np.bool_],
    words: Words,
    objective: Objective,
    rng: np.random.Generator,
    weights: WordWeights | None,
) -> tuple[npt.NDArray[np.int32], Ints]:
    ids = record.word_ids.copy()
    if not len(ids) or not objective.word_share:
        ids[entity_words] = words.mask
        return ids, np.flatnonzero(entity_words)
    starts = word_starts(record, words)
    unit_starts = np.arange(len(ids)) if objective.word_masking == "subword" else starts
    lengths = np.diff(unit_starts, append=len(ids))
    unit_weights = np.where(
        np.add.reduceat(entity_words, unit_starts), 0.0, _unit_weights(weights, ids, unit_starts, starts)
    )
    budget = max(1, _round_share(objective.word_share, len(ids)))
    chosen_words = _choose_within_budget(
        _draw_order(rng, unit_weights), lengths, budget - int(entity_words.sum()), at_least_one=not entity_words.any()
    )
    draw = rng.random(len(chosen_words))
    targets = [np.flatnonzero(entity_words)]
    ids[entity_words] = words.mask
    for word, chance in zip(chosen_words, draw, strict=True):
        tokens = np.arange(unit_starts[word], unit_starts[word] + lengths[word])
        targets.append(tokens)
        if chance < objective.mask_share:
            ids[tokens] = words.mask
        elif chance < objective.mask_share + objective.random_share:
            ids[tokens] = words.plain[rng.integers(len(words.plain), size=len(tokens))]
    return ids, np.sort(np.concatenate(targets))


def _unit_weights(
    weights: WordWeights | None, ids: npt.NDArray[np.int32], units: Ints, starts: Ints
) -> npt.NDArray[np.floating]:
    """Of each unit, a word or a token: weights of tokens are averaged; those of words hold for all their tokens."""
    if weights is None:
        return np.ones(len(units))
    if not isinstance(weights, WordTable):
        return np.asarray(np.add.reduceat(weights[ids], units) / np.diff(units, append=len(ids)))
    word_weights = weights.of_words(ids, starts, np.diff(starts, append=len(ids)))
    return word_weights if len(units) == len(starts) else np.repeat(word_weights, np.diff(starts, append=len(ids)))


def _draw_order(rng: np.random.Generator, weights: npt.NDArray[np.floating]) -> Ints:
    """Units in the order they are drawn; those of weight 0 are not drawn."""
    clocks = rng.exponential(size=len(weights))
    is_drawable = weights > 0
    order = np.argsort(np.divide(clocks, weights, out=np.full(len(weights), np.inf), where=is_drawable), kind="stable")
    return order[: int(is_drawable.sum())]


def _choose_within_budget(order: Ints, lengths: Ints, budget: int, at_least_one: bool) -> list[int]:
    """Words in order while their tokens fit; one that does not is skipped. `at_least_one`: the first, if none fits."""
    chosen_words, remaining = [], budget
    for word in order.tolist():
        if lengths[word] <= remaining:
            chosen_words.append(word)
            remaining -= int(lengths[word])
            if not remaining:
                break
    return chosen_words if chosen_words or not at_least_one else order[:1].tolist()


def _round_share(share: float, whole: int) -> int:
    return int(share * whole + 0.5)
