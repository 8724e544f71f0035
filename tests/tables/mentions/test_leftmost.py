"""Spans chosen from left to right, against the loop that says it."""

import numpy as np
import pytest
from hypothesis import given, settings
from hypothesis import strategies as st

from wikiprep.tables.mentions import finder as module
from wikiprep.tables.mentions.finder import leftmost_spans


def one_by_one(lengths: list[int]) -> list[int]:
    taken, place = [], 0
    for token, length in enumerate(lengths):
        if length and token >= place:
            taken.append(token)
            place = token + length
    return taken


def cut(lengths: list[int]) -> list[int]:
    """No span beyond the last token."""
    return [min(length, len(lengths) - token) for token, length in enumerate(lengths)]


@settings(deadline=None)
@given(st.lists(st.integers(0, 4)).map(cut), st.sampled_from((1, 2, 64)))
def test_as_one_by_one(lengths: list[int], few: int) -> None:
    with pytest.MonkeyPatch.context() as patch:
        patch.setattr(module, "_FEW", few)
        assert leftmost_spans(np.array(lengths, np.int64)).tolist() == one_by_one(lengths)


def test_many_clusters_and_one_long_one() -> None:
    rng = np.random.default_rng(0)
    lengths = cut(rng.choice(5, 20_000, p=(0.5, 0.2, 0.1, 0.1, 0.1)).tolist() + [3] * 20_000)
    assert leftmost_spans(np.array(lengths)).tolist() == one_by_one(lengths)
