"""Whole words with weights of their own: which are masked, and that equal weights change nothing."""

import numpy as np
import pytest
from hypothesis import given, settings
from hypothesis import strategies as st
from luke_cases import random_record, words

from wikiprep.errors import WikiprepError
from wikiprep.pretrain.luke.config import Objective
from wikiprep.pretrain.luke.masking import mask
from wikiprep.pretrain.luke.word_table import LONGEST, table_of
from wikiprep.pretrain.luke.words import word_starts

WORDS = words()
seeds = st.integers(0, 2**32 - 1)


def pieces(record) -> list[tuple[int, ...]]:
    return [tuple(piece.tolist()) for piece in np.split(record.word_ids, word_starts(record, WORDS)[1:])]


@settings(max_examples=50, deadline=None)
@given(seeds, st.sampled_from(["whole-word", "subword"]), st.floats(0.01, 1000))
def test_equal_weights_are_no_weights_bit_for_bit(seed: int, kind: str, weight: float) -> None:
    record = random_record(np.random.default_rng(seed))
    known = sorted({word for word in pieces(record) if len(word) <= LONGEST})[::2] if len(record.word_ids) else []
    table = table_of(known, [weight] * len(known), weight)
    objective = Objective(word_masking=kind)
    one = mask(record, WORDS, objective, np.random.default_rng(seed), word_weights=table)
    other = mask(record, WORDS, objective, np.random.default_rng(seed))
    assert np.array_equal(one.word_ids, other.word_ids) and np.array_equal(one.word_targets, other.word_targets)


@settings(max_examples=50, deadline=None)
@given(seeds, st.sampled_from(["whole-word", "subword"]))
def test_of_weights_0_and_1_those_of_1_are_masked(seed: int, kind: str) -> None:
    record = random_record(np.random.default_rng(seed))
    if not len(record.word_ids):
        return
    all_words = pieces(record)
    able = {word for word in all_words if len(word) <= LONGEST and word[0] % 2}
    table = table_of(sorted(able), [1.0] * len(able), 0.0)
    made = mask(record, WORDS, Objective(word_masking=kind), np.random.default_rng(seed), word_weights=table)
    starts = word_starts(record, WORDS)
    of_token = np.repeat(np.arange(len(starts)), np.diff(starts, append=len(record.word_ids)))
    assert {all_words[of_token[token]] for token in made.word_targets} <= able
    room = sum(len(word) for word in all_words if word in able)
    budget = max(1, int(0.15 * len(record.word_ids) + 0.5))
    assert len(made.word_targets) <= max(budget, max((len(word) for word in able), default=0))
    if kind == "subword":  # one token at a time: as many as in a run without weights, while there are such
        assert len(made.word_targets) == min(budget, room)


def test_words_beyond_the_longest_have_the_weight_of_unknown_ones() -> None:
    table = table_of([(5, 6), (5,)], [2.0, 4.0], 1.0)
    ids = np.array([5, 6, 5, *range(5, 5 + LONGEST + 1), 6, 5])
    first = np.array([0, 2, 3, 3 + LONGEST + 1])
    lengths = np.diff(first, append=len(ids))
    assert table.of_words(ids, first, lengths).tolist() == [0.5, 1.0, 0.25, 0.25]


def test_a_table_that_is_none() -> None:
    for rows, weights, unknown in (
        ([(1,), (1,)], [1.0, 2.0], 1.0),
        ([(1,)], [-1.0], 1.0),
        ([(1,)], [1.0], float("nan")),
        ([()], [1.0], 1.0),
        ([tuple(range(LONGEST + 1))], [1.0], 1.0),
    ):
        with pytest.raises(WikiprepError):
            table_of(rows, weights, unknown)
    assert table_of([], [], 3.0).of_words(np.array([1, 2]), np.array([0, 1]), np.array([1, 1])).tolist() == [1.0, 1.0]
