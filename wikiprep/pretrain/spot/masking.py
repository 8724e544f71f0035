"""Which tokens of a record are hidden: all those of some mentions, and single ones beside them. Chance is of `rng`.

Shares hold over a corpus, where a record has two mentions or three: 0.2 · 3 mentions are one in 60 % of the draws and
none in 40 %. So no rounding favours short records or long ones.
"""

from dataclasses import dataclass

import numpy as np
import numpy.typing as npt

from wikiprep.pretrain.luke.words import Words
from wikiprep.pretrain.spot.config import PER_TOKEN, Objective
from wikiprep.records.record import Record

Ints = npt.NDArray[np.int64]


@dataclass(frozen=True, eq=False)
class MaskedRecord:
    """`word_ids` as the model sees them; `targets`: chosen tokens, rising; `mentions`: those chosen whole, rising."""

    word_ids: npt.NDArray[np.int32]
    targets: Ints
    mentions: Ints


def mask(record: Record, words: Words, objective: Objective, rng: np.random.Generator) -> MaskedRecord:
    """Choose mentions, then single tokens that none of these has; at least one token of a record that has one.

    `token_share` is of all tokens of the record; those of chosen mentions do not count towards it.
    """
    length, mentions = len(record.word_ids), len(record.entity_ids)
    chosen_mentions = np.sort(rng.permutation(mentions)[: about(objective.entity_share * mentions, rng)])
    unit_of = np.full(length, -1)  # the chosen mention that a token is under; of two that overlap, the last
    for unit, number in enumerate(chosen_mentions.tolist()):
        unit_of[record.entity_starts[number] : record.entity_ends[number]] = unit
    mention_tokens = np.flatnonzero(unit_of >= 0)
    is_excluded = unit_of >= 0 if objective.single_tokens_in_mentions else in_mentions(record)
    single_count = about(objective.token_share * length, rng)
    if length and not (single_count or len(mention_tokens)):
        single_count = 1
    free_tokens = np.flatnonzero(~is_excluded)
    if not (len(free_tokens) or len(mention_tokens)):
        free_tokens = np.arange(length)  # mentions are all there is
    tokens = np.sort(rng.permutation(free_tokens)[:single_count])
    word_ids = record.word_ids.copy()
    units = np.arange(len(mention_tokens)) if objective.replacement_unit == PER_TOKEN else unit_of[mention_tokens]
    _hide(word_ids, mention_tokens, units, words, objective, rng)
    _hide(word_ids, tokens, np.arange(len(tokens)), words, objective, rng)
    return MaskedRecord(word_ids, np.sort(np.concatenate([mention_tokens, tokens])), chosen_mentions)


def about(expected: float, rng: np.random.Generator) -> int:
    """`expected` rounded down or up, so that it is the mean over many draws."""
    return int(expected + rng.random())


def in_mentions(record: Record) -> npt.NDArray[np.bool_]:
    """Which tokens are in one."""
    inside = np.zeros(len(record.word_ids), np.bool_)
    for start, end in zip(record.entity_starts, record.entity_ends, strict=True):
        inside[start:end] = True
    return inside


def _hide(
    ids: npt.NDArray[np.int32], tokens: Ints, units: Ints, words: Words, objective: Objective, rng: np.random.Generator
) -> None:
    """Mask, exchange or leave: one draw a unit, `units[i]` being that of `tokens[i]`."""
    draws = rng.random(int(units.max(initial=-1)) + 1)[units]
    ids[tokens[draws < objective.mask_share]] = words.mask
    random_tokens = tokens[(draws >= objective.mask_share) & (draws < objective.mask_share + objective.random_share)]
    ids[random_tokens] = words.plain[rng.integers(len(words.plain), size=len(random_tokens))]
