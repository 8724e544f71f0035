"""Which words and entities of a record are masked, and what stands in their place. All chance comes from `rng`.

Units (words or entities) are drawn without replacement, each with a chance that grows with its weight: exponential
clocks, the unit whose clock rings first comes first (Efraimidis and Spirakis, 2006). Equal weights: a plain shuffle.
"""

from dataclasses import dataclass

import numpy as np
import numpy.typing as npt

from wikiprep.pretrain.luke.objective import Objective
from wikiprep.pretrain.luke.word_table import WordTable
from wikiprep.pretrain.luke.words import Words, word_starts
from wikiprep.records.record import Record

Ints = npt.NDArray[np.int64]
Weights = npt.NDArray[np.float32]
WordWeights = Weights | WordTable  # a number a token id, or a number a word

UNK, MASK = 1, 2


@dataclass(frozen=True, eq=False)
class Masked:
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
) -> Masked:
    """Mask a record: entities first, then words. `entities` False: words alone. `others`: ids of all entities but the
    special ones, of which `random_entity_prob` draws."""
    hidden = np.zeros(0, np.int64)
    entity_ids = record.entity_ids.copy()
    if entities:
        hidden = _choose_entities(record.entity_ids, objective, rng, entity_weights)
        entity_ids[hidden] = _seen_instead(record.entity_ids[hidden], objective, rng, others)
    under = np.zeros(len(record.word_ids), np.bool_)
    if objective.mask_entity_words:
        for entity in hidden:
            under[record.entity_starts[entity] : record.entity_ends[entity]] = True
    word_ids, targets = _mask_words(record, under, words, objective, rng, word_weights)
    return Masked(word_ids, targets, entity_ids, hidden)


def _choose_entities(
    ids: npt.NDArray[np.int32], objective: Objective, rng: np.random.Generator, weights: Weights | None
) -> Ints:
    """Places of the entities to mask, in order; at least one where there is one that may be."""
    if not len(ids) or not objective.entity_share:
        return np.zeros(0, np.int64)
    order = _drawn(rng, np.ones(len(ids)) if weights is None else weights[ids])
    if not objective.unk_targets:
        order = order[ids[order] != UNK]
    return np.sort(order[: max(1, _share(objective.entity_share, len(ids)))])


def _seen_instead(
    ids: npt.NDArray[np.int32], objective: Objective, rng: np.random.Generator, others: npt.NDArray[np.int32] | None
) -> npt.NDArray[np.int32]:
    """What stands in the place of chosen entities: [MASK], another entity, or themselves, as the released trainer."""
    made = np.full(len(ids), MASK, np.int32)
    if not (objective.random_entity_prob or objective.unmasked_entity_prob):
        return made
    draw = rng.random(len(ids))
    made = np.where(draw < objective.unmasked_entity_prob, ids, made).astype(np.int32)
    swapped = draw >= 1 - objective.random_entity_prob
    if others is not None and len(others):
        made[swapped] = others[rng.integers(len(others), size=int(swapped.sum()))]
    return made


def _mask_words(
    record: Record,
    under: npt.NDArray[np.bool_],
    words: Words,
    objective: Objective,
    rng: np.random.Generator,
    weights: WordWeights | None,
) -> tuple[npt.NDArray[np.int32], Ints]:
    ids = record.word_ids.copy()
    if not len(ids) or not objective.word_share:
        ids[under] = words.mask
        return ids, np.flatnonzero(under)
    starts = word_starts(record, words)
    first = np.arange(len(ids)) if objective.word_masking == "subword" else starts
    lengths = np.diff(first, append=len(ids))
    of_words = np.where(np.add.reduceat(under, first), 0.0, _weights_of(weights, ids, first, starts))
    budget = max(1, _share(objective.word_share, len(ids)))
    chosen = _fill(_drawn(rng, of_words), lengths, budget - int(under.sum()), least=not under.any())
    draw = rng.random(len(chosen))
    targets = [np.flatnonzero(under)]
    ids[under] = words.mask
    for word, chance in zip(chosen, draw, strict=True):
        tokens = np.arange(first[word], first[word] + lengths[word])
        targets.append(tokens)
        if chance < objective.mask_share:
            ids[tokens] = words.mask
        elif chance < objective.mask_share + objective.random_share:
            ids[tokens] = words.plain[rng.integers(len(words.plain), size=len(tokens))]
    return ids, np.sort(np.concatenate(targets))


def _weights_of(
    weights: WordWeights | None, ids: npt.NDArray[np.int32], units: Ints, starts: Ints
) -> npt.NDArray[np.floating]:
    """Of each unit, a word or a token: weights of tokens are averaged; those of words hold for all their tokens."""
    if weights is None:
        return np.ones(len(units))
    if not isinstance(weights, WordTable):
        return np.asarray(np.add.reduceat(weights[ids], units) / np.diff(units, append=len(ids)))
    of_words = weights.of_words(ids, starts, np.diff(starts, append=len(ids)))
    return of_words if len(units) == len(starts) else np.repeat(of_words, np.diff(starts, append=len(ids)))


def _drawn(rng: np.random.Generator, weights: npt.NDArray[np.floating]) -> Ints:
    """Units in the order they are drawn; those of weight 0 are not drawn."""
    clocks = rng.exponential(size=len(weights))
    able = weights > 0
    order = np.argsort(np.divide(clocks, weights, out=np.full(len(weights), np.inf), where=able), kind="stable")
    return order[: int(able.sum())]


def _fill(order: Ints, lengths: Ints, budget: int, least: bool) -> list[int]:
    """Words in order while their tokens fit; one that does not is passed over. `least`: the first, if none fits."""
    chosen, left = [], budget
    for word in order.tolist():
        if lengths[word] <= left:
            chosen.append(word)
            left -= int(lengths[word])
            if not left:
                break
    return chosen if chosen or not least else order[:1].tolist()


def _share(share: float, whole: int) -> int:
    return int(share * whole + 0.5)
