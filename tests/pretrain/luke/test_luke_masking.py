"""Which words and entities are masked: shares, whole words, and chance that is the record's own."""

from collections import Counter

import numpy as np
import pytest
from hypothesis import assume, given, settings
from hypothesis import strategies as st
from luke_cases import random_record, words

from wikiprep.errors import UsageError
from wikiprep.pretrain.luke.config import Objective
from wikiprep.pretrain.luke.masking import MASK, UNK, MaskedRecord, mask
from wikiprep.records.record import Record

WORDS = words()
seeds = st.integers(0, 2**32 - 1)


def masked(record: Record, objective: Objective, seed: int = 0, **weights: np.ndarray) -> MaskedRecord:
    return mask(record, WORDS, objective, np.random.default_rng(seed), **weights)


def record_of(
    word_ids: list[int], entities: list[tuple[int, int, int]] = (), sentences: tuple[int, ...] = (0,)
) -> Record:
    """Entities as (id, start, end)."""
    columns = np.array(entities, np.int64).reshape(-1, 3)
    return Record(
        1,
        1,
        0,
        np.array(word_ids, np.int32),
        columns[:, 0].astype(np.int32),
        columns[:, 1].astype(np.int16),
        columns[:, 2].astype(np.int16),
        np.zeros(len(columns), np.int8),
        np.array(sentences, np.int16),
    )


@settings(max_examples=200, deadline=None)
@given(seeds, seeds, st.sampled_from(["whole-word", "subword"]), st.booleans(), st.floats(0, 1), st.floats(0, 1))
def test_what_always_holds(
    record_seed: int, seed: int, kind: str, under: bool, words_share: float, share: float
) -> None:
    assume(words_share or share)  # both 0 are refused
    record = random_record(np.random.default_rng(record_seed))
    objective = Objective(word_masking=kind, mask_entity_words=under, word_share=words_share, entity_share=share)
    made = masked(record, objective, seed)
    again = masked(record, objective, seed)
    for one, other in zip(vars_of(made), vars_of(again), strict=True):
        assert np.array_equal(one, other)
    # Nothing but targets changes, and each target stands once.
    for ids, before, targets in (
        (made.word_ids, record.word_ids, made.word_targets),
        (made.entity_ids, record.entity_ids, made.entity_targets),
    ):
        assert list(targets) == sorted(set(targets.tolist()))
        others = np.setdiff1d(np.arange(len(ids)), targets)
        assert np.array_equal(ids[others], before[others])
    assert (made.entity_ids[made.entity_targets] == MASK).all()
    count = len(record.entity_ids)
    expected = max(1, int(share * count + 0.5)) if share else 0
    assert len(made.entity_targets) == min(count, expected)
    if not under:
        # Words are passed over where they do not fit, so there may be fewer; one word at least, whatever its length.
        budget = max(1, int(words_share * len(record.word_ids) + 0.5)) if words_share else 0
        longest = np.diff(first_tokens(record, kind), append=len(record.word_ids)).max()
        assert len(made.word_targets) <= max(budget, longest if words_share else 0)
        assert bool(len(made.word_targets)) == bool(words_share)


def vars_of(made: MaskedRecord) -> list[np.ndarray]:
    return [made.word_ids, made.word_targets, made.entity_ids, made.entity_targets]


def first_tokens(record: Record, kind: str) -> np.ndarray:
    begins = WORDS.begins[record.word_ids] | (kind == "subword")
    begins[[0, *record.sentence_starts]] = True
    return np.flatnonzero(begins)


@settings(max_examples=100, deadline=None)
@given(seeds, seeds)
def test_words_are_taken_whole_and_treated_alike(record_seed: int, seed: int) -> None:
    record = random_record(np.random.default_rng(record_seed))
    made = masked(record, Objective(), seed)
    first = first_tokens(record, "whole-word")
    chosen = np.isin(np.arange(len(record.word_ids)), made.word_targets)
    for tokens in np.split(np.arange(len(record.word_ids)), first[1:]):
        assert chosen[tokens].all() or not chosen[tokens].any()
        is_mask = made.word_ids[tokens] == WORDS.mask
        assert is_mask.all() or not is_mask.any()


def test_shares_of_many_records() -> None:
    rng = np.random.default_rng(1)
    outcomes: Counter[str] = Counter()
    tokens = targets = 0
    for seed in range(3000):
        record = random_record(rng)
        made = masked(record, Objective(word_masking="subword"), seed)
        tokens += len(record.word_ids)
        targets += len(made.word_targets)
        now, before = made.word_ids[made.word_targets], record.word_ids[made.word_targets]
        outcomes["mask"] += int((now == WORDS.mask).sum())
        outcomes["kept"] += int((now == before).sum())
    assert targets / tokens == pytest.approx(0.15, abs=0.02)  # records of three words have a third of them masked
    assert outcomes["mask"] / targets == pytest.approx(0.8, abs=0.02)
    assert outcomes["kept"] / targets == pytest.approx(0.1 + 0.1 / len(WORDS.plain), abs=0.02)


def test_random_tokens_are_no_special_ones() -> None:
    record = record_of(list(range(4, 44)))
    made = masked(record, Objective(word_share=1.0, mask_share=0.0, random_share=1.0))
    assert not np.isin(made.word_ids, [0, 1, 2, 3, WORDS.mask]).any()
    assert (made.word_ids != record.word_ids).mean() > 0.8


def test_a_sentence_begins_a_word() -> None:
    # 4 and 5 begin no word (see `words`), but 5 stands first in the second sentence.
    record = record_of([3, 4, 4, 5, 5], sentences=(0, 3))
    kinds = {tuple(masked(record, Objective(word_share=0.3), seed).word_targets) for seed in range(40)}
    assert kinds == {(3, 4)}  # the budget is 2: the word of three never fits


def test_unk_is_a_target_only_where_asked_for() -> None:
    record = record_of([4] * 9, [(UNK, 0, 1), (UNK, 2, 3), (7, 4, 5)])
    hit = {int(masked(record, Objective(), seed).entity_targets[0]) for seed in range(50)}
    assert hit == {0, 1, 2}
    assert {int(masked(record, Objective(unk_targets=False), seed).entity_targets[0]) for seed in range(50)} == {2}
    only = record_of([4] * 9, [(UNK, 0, 1)])
    assert not len(masked(only, Objective(unk_targets=False)).entity_targets)


def test_words_of_a_masked_entity_are_masked_and_predicted() -> None:
    record = record_of(list(range(4, 24)), [(7, 2, 6), (8, 10, 12)])
    for seed in range(30):
        made = masked(record, Objective(mask_entity_words=True), seed)
        entity = int(made.entity_targets[0])
        span = np.arange(record.entity_starts[entity], record.entity_ends[entity])
        assert (made.word_ids[span] == WORDS.mask).all()
        assert np.isin(span, made.word_targets).all()
        assert len(made.word_targets) <= max(3, len(span))  # 15 % of 20, of which the span is taken first
    none = masked(record, Objective(mask_entity_words=True, word_share=0.0))
    assert len(none.word_targets) in (2, 4)


def test_weights_decide_how_often() -> None:
    record = record_of([4] * 30, [(entity, place, place + 1) for place, entity in enumerate([3, 4, 5, 6])])
    weights = np.array([0, 0, 0, 1, 2, 5, 0], np.float32)
    hits = Counter(
        int(masked(record, Objective(), seed, entity_weights=weights).entity_targets[0]) for seed in range(4000)
    )
    assert [hits[place] / 4000 for place in range(4)] == pytest.approx([1 / 8, 2 / 8, 5 / 8, 0], abs=0.03)
    words_record = record_of([9, 12, 15, 18])  # four words of one token
    by_token = np.zeros(97, np.float32)
    by_token[[9, 12, 15]] = 1, 1, 2
    hits = Counter(
        int(masked(words_record, Objective(), seed, word_weights=by_token).word_targets[0]) for seed in range(4000)
    )
    assert [hits[place] / 4000 for place in range(4)] == pytest.approx([1 / 4, 1 / 4, 1 / 2, 0], abs=0.03)


@pytest.mark.parametrize(
    ("options", "said"),
    [
        ({"word_share": 1.5}, r"\[objective\] word_share = 1.5"),
        ({"mask_share": 0.9, "random_share": 0.2}, "mask_share + random_share"),
        ({"word_masking": "span"}, "takes whole-word or subword"),
    ],
)
def test_options_out_of_range(options: dict[str, object], said: str) -> None:
    with pytest.raises(UsageError, match=said.replace("+", r"\+")):
        Objective(**options)


def test_entities_may_be_others_or_stay_as_they_are() -> None:
    rng = np.random.default_rng(2)
    objective = Objective(entity_share=0.5, random_entity_prob=0.3, unmasked_entity_prob=0.2)
    others = np.arange(1000, 2000, dtype=np.int32)
    outcomes: Counter[str] = Counter()
    for seed in range(3000):
        record = random_record(rng)
        made = mask(record, WORDS, objective, np.random.default_rng(seed), others=others)
        plain = masked(record, Objective(entity_share=0.5), seed)
        assert np.array_equal(made.entity_targets, plain.entity_targets)  # which are chosen is another matter
        now, before = made.entity_ids[made.entity_targets], record.entity_ids[made.entity_targets]
        outcomes["all"] += len(now)
        outcomes["mask"] += int((now == MASK).sum())
        outcomes["other"] += int((now >= 1000).sum())
        outcomes["kept"] += int((now == before).sum())
    assert outcomes["mask"] + outcomes["other"] + outcomes["kept"] == outcomes["all"] > 3000
    for draw, share in (("mask", 0.5), ("other", 0.3), ("kept", 0.2)):
        assert outcomes[draw] / outcomes["all"] == pytest.approx(share, abs=0.03), draw


def test_all_chosen_entities_are_others_or_all_stay() -> None:
    record = record_of([4] * 9, [(5, 0, 1), (6, 2, 3), (7, 4, 5)])
    every = {"word_share": 0.2, "entity_share": 1.0}
    made = mask(record, WORDS, Objective(**every, unmasked_entity_prob=1.0), np.random.default_rng(0))
    assert made.entity_ids.tolist() == [5, 6, 7] and made.entity_targets.tolist() == [0, 1, 2]
    others = np.array([50, 51], np.int32)
    made = mask(record, WORDS, Objective(**every, random_entity_prob=1.0), np.random.default_rng(0), others=others)
    assert set(made.entity_ids.tolist()) <= {50, 51}
    with pytest.raises(UsageError, match="random_entity_prob"):
        Objective(random_entity_prob=0.6, unmasked_entity_prob=0.6)
