"""Masks and negative spans: the published shares over a corpus, whole mentions, and chance that is the record's own."""

from dataclasses import replace

import numpy as np
import pytest
from hypothesis import given, settings
from hypothesis import strategies as st
from spot_cases import random_record, record_of, words

from wikiprep.errors import UsageError
from wikiprep.pretrain.spot.config import Objective
from wikiprep.pretrain.spot.example import candidates, negative_spans
from wikiprep.pretrain.spot.masking import in_mentions, mask
from wikiprep.records.record import Record

WORDS, PLAIN = words(), Objective()
seeds = st.integers(0, 2**32 - 1)


def rng(seed: int) -> np.random.Generator:
    return np.random.default_rng(seed)


def corpus(records: int) -> list[Record]:
    """Sentences of 40 to 80 tokens with 4 to 8 mentions."""
    made = []
    for number in range(records):
        chance = rng(number)
        length = int(chance.integers(40, 81))
        starts = np.arange(1, length - 4, 6)[: int(chance.integers(4, 9))]
        made.append(record_of(length, [(5, s, s + int(chance.integers(1, 5))) for s in starts.tolist()]))
    return made


@pytest.fixture(scope="module")
def counted() -> dict[str, float]:
    """What was masked in 10,000 sentences, and into what."""
    sums = dict.fromkeys(("tokens", "single", "mentions", "whole", "masked", "other", "same", "entity_masked"), 0.0)
    for number, record in enumerate(corpus(10_000)):
        made = mask(record, WORDS, PLAIN, rng(number))
        under = np.zeros(len(record.word_ids), bool)
        for mention in made.mentions:
            under[record.entity_starts[mention] : record.entity_ends[mention]] = True
        single = np.setdiff1d(made.targets, np.flatnonzero(under))
        sums["tokens"] += len(record.word_ids)
        sums["single"] += len(single)
        sums["mentions"] += len(record.entity_ids)
        sums["whole"] += len(made.mentions)
        sums["masked"] += (made.word_ids[single] == WORDS.mask).sum()
        # Another token is the same one by chance, once in 92.
        sums["other"] += ((made.word_ids != record.word_ids) & (made.word_ids != WORDS.mask))[single].sum() * 92 / 91
        sums["entity_masked"] += (made.word_ids[record.entity_starts[made.mentions]] == WORDS.mask).sum()
    return sums


@pytest.mark.parametrize(
    ("part", "whole", "share", "within"),
    [
        ("single", "tokens", 0.10, 0.002),
        ("whole", "mentions", 0.20, 0.002),
        ("masked", "single", 0.80, 0.008),
        ("other", "single", 0.10, 0.006),
        ("entity_masked", "whole", 0.80, 0.01),
    ],
)
def test_shares_over_a_corpus(counted: dict[str, float], part: str, whole: str, share: float, within: float) -> None:
    """Within 0.2 points of what is published; shares of the fewer masked ones within four standard errors."""
    assert abs(counted[part] / counted[whole] - share) < within


@settings(max_examples=150, deadline=None)
@given(seeds, seeds, st.sampled_from(["entity", "token"]), st.booleans(), st.floats(0, 1), st.floats(0, 1))
def test_what_masks_always_hold(
    record_seed: int, seed: int, unit: str, anywhere: bool, tokens: float, entities: float
) -> None:
    record = random_record(rng(record_seed))
    objective = Objective(
        token_share=tokens, entity_share=entities, replacement_unit=unit, single_tokens_in_mentions=anywhere
    )
    made, again = mask(record, WORDS, objective, rng(seed)), mask(record, WORDS, objective, rng(seed))
    for name in ("word_ids", "targets", "mentions"):
        assert np.array_equal(getattr(made, name), getattr(again, name))
    assert len(made.targets) and made.targets.tolist() == sorted({*made.targets.tolist()})
    others = np.setdiff1d(np.arange(len(record.word_ids)), made.targets)
    assert np.array_equal(made.word_ids[others], record.word_ids[others])
    targets = {*made.targets.tolist()}
    for number, (start, end) in enumerate(zip(record.entity_starts.tolist(), record.entity_ends.tolist(), strict=True)):
        hidden = [token in targets for token in range(start, end)]
        if number in made.mentions:
            assert all(hidden)
            if unit == "entity":  # one unit: all are the mask, or none
                assert len({int(made.word_ids[token]) == WORDS.mask for token in range(start, end)}) == 1
        elif not anywhere and not in_mentions(record).all():
            assert not any(hidden)
    expected = tokens * len(record.word_ids)
    single = len(made.targets) - int(sum((record.entity_ends - record.entity_starts)[made.mentions]))
    assert single <= max(1, int(expected) + 1)


def test_a_short_record_has_a_masked_token() -> None:
    record = record_of(3)
    assert {len(mask(record, WORDS, PLAIN, rng(seed)).targets) for seed in range(50)} == {1}
    assert not len(mask(record_of(0), WORDS, PLAIN, rng(0)).targets)
    all_mention = record_of(2, [(5, 0, 2)])
    closed = replace(PLAIN, single_tokens_in_mentions=False, entity_share=0.0)
    assert len(mask(all_mention, WORDS, closed, rng(0)).targets) == 1


@settings(max_examples=150, deadline=None)
@given(seeds, seeds, st.integers(1, 9), st.booleans(), st.integers(0, 3))
def test_what_negatives_always_hold(record_seed: int, seed: int, width: int, overlap: bool, times: int) -> None:
    record = random_record(rng(record_seed))
    objective = Objective(negatives=times, negative_width=width, negatives_overlap=overlap)
    starts, ends = negative_spans(record, objective, rng(seed))
    again = negative_spans(record, objective, rng(seed))
    assert np.array_equal(starts, again[0]) and np.array_equal(ends, again[1])
    drawn = list(zip(starts.tolist(), ends.tolist(), strict=True))
    gold = list(zip(record.entity_starts.tolist(), record.entity_ends.tolist(), strict=True))
    length = len(record.word_ids)
    able = [
        (start, end)
        for start in range(length)
        for end in range(start + 1, min(length, start + width) + 1)
        if (start, end) not in gold and (overlap or all(end <= a or b <= start for a, b in gold))
    ]
    assert drawn == sorted({*drawn}) and {*drawn} <= {*able}
    assert len(drawn) == min(len(able), times * len(gold))
    assert list(zip(*(side.tolist() for side in candidates(record, objective)), strict=True)) == able


def test_negatives_stay_in_their_sentence_and_are_drawn_evenly() -> None:
    record = record_of(6, [(5, 0, 1), (1, 3, 5)], sentences=(0, 3))
    spans = [(0, 2), (0, 3), (1, 2), (1, 3), (2, 3), (3, 4), (3, 6), (4, 5), (4, 6), (5, 6)]
    times = dict.fromkeys(spans, 0)
    for seed in range(4000):
        drawn = list(zip(*(side.tolist() for side in negative_spans(record, PLAIN, rng(seed))), strict=True))
        assert len(drawn) == 2
        for span in drawn:
            times[span] += 1  # a KeyError for a mention, [UNK] or not, and for a span over the border
    assert all(abs(count / 4000 - 0.2) < 0.026 for count in times.values())  # four standard errors


def test_too_few_spans_are_all_taken() -> None:
    record = record_of(2, [(5, 0, 1), (6, 1, 2)])
    assert [side.tolist() for side in negative_spans(record, PLAIN, rng(0))] == [[0], [2]]
    none = negative_spans(record_of(1, [(5, 0, 1)]), PLAIN, rng(0))
    assert [side.tolist() for side in none] == [[], []]


@pytest.mark.parametrize(
    ("options", "said"),
    [
        ({"token_share": 1.5}, r"\[objective\] token_share = 1.5"),
        ({"mask_share": 0.9, "random_share": 0.2}, "together they take at most 1"),
        ({"several_properties": "all"}, "drawn or mean"),
        ({"replacement_unit": "word"}, "entity or token"),
        ({"negatives": -1}, r"\[objective\] negatives = -1"),
        ({"pairs_of_record": 0}, "the least is 1"),
    ],
)
def test_options_that_cannot_be_are_refused(options: dict[str, object], said: str) -> None:
    with pytest.raises(UsageError, match=said):
        Objective(**options)
