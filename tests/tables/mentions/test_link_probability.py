"""Ratios of counts: what they are at their ends, and that they never leave [0, 1]."""

import math

import pytest
from hypothesis import given
from hypothesis import strategies as st

from wikiprep.tables.mentions.link_probability import commonness, entropy, link_probability, prior

COUNTS = st.integers(0, 1 << 40)


def test_by_hand() -> None:
    assert link_probability(3, 12) == 0.25
    assert prior(9, 10) == commonness(9, 10) == 0.9
    assert entropy([5, 5]) == 1.0
    assert entropy([1, 1, 2]) == pytest.approx(1.5 / math.log2(3))


def test_nothing_of_nothing_is_zero() -> None:
    assert link_probability(0, 0) == prior(0, 0) == entropy([]) == entropy([0, 7]) == entropy([0]) == 0.0


@pytest.mark.parametrize(("part", "whole"), [(2, 1), (-1, 3), (1, 0)])
def test_counts_of_two_corpora_are_refused(part: int, whole: int) -> None:
    with pytest.raises(ValueError, match="not a part of a whole"):
        link_probability(part, whole)
    with pytest.raises(ValueError, match="not a part of a whole"):
        prior(part, whole)


@given(COUNTS, COUNTS)
def test_a_part_of_a_whole_is_a_share(one: int, two: int) -> None:
    part, whole = sorted((one, two))
    assert 0 <= link_probability(part, whole) <= 1


@given(st.lists(COUNTS, max_size=20))
def test_entropy_is_a_share_whatever_the_order(counts: list[int]) -> None:
    found = entropy(counts)
    assert 0 <= found <= 1
    assert entropy(reversed(counts)) == pytest.approx(found)
    if len(set(counts)) == 1 and len(counts) > 1 and counts[0]:
        assert found == pytest.approx(1)


@given(st.lists(st.integers(1, 1000), min_size=1, max_size=8))
def test_priors_of_a_name_sum_to_one(counts: list[int]) -> None:
    assert sum(prior(count, sum(counts)) for count in counts) == pytest.approx(1)
