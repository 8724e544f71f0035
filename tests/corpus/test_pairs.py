"""Ordered pairs within groups: as a plain loop makes them, in that order, whatever the size of the pieces."""

import numpy as np
from hypothesis import given
from hypothesis import strategies as st

from wikiprep.corpus.relations import count_pairs, ordered_pairs


@given(st.lists(st.integers(0, 6), max_size=25), st.integers(1, 12))
def test_pairs_are_those_of_a_plain_loop(groups: list[int], most: int) -> None:
    group = np.array(sorted(groups), np.int64)
    expected = [(i, j) for i in range(len(group)) for j in range(len(group)) if i != j and group[i] == group[j]]
    pieces = list(ordered_pairs(group, most))
    assert [pair for heads, tails in pieces for pair in zip(heads.tolist(), tails.tolist(), strict=True)] == expected
    assert count_pairs(group) == len(expected)


def test_a_piece_is_bounded_but_for_one_place() -> None:
    group = np.repeat(np.arange(50), 8)
    sizes = [len(heads) for heads, _ in ordered_pairs(group, 100)]
    assert max(sizes) <= 100
    assert sum(sizes) == 50 * 8 * 7
    assert [len(heads) for heads, _ in ordered_pairs(np.zeros(30, np.int64), 1)] == [29] * 30
