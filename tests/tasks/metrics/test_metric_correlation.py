import math

import pytest
from hypothesis import given
from hypothesis import strategies as st
from scipy import stats

from wikiprep.tasks.metrics.correlation import pearson, spearman


def test_by_hand() -> None:
    assert pearson([1, 2, 3], [2, 4, 6]) == pytest.approx(1)
    assert pearson([1, 2, 3], [6, 4, 2]) == pytest.approx(-1)
    assert spearman([1, 2, 3, 4], [1, 10, 100, 1000]) == pytest.approx(1)
    assert spearman([1, 2, 2, 4], [1, 2, 3, 4]) == pytest.approx(4.5 / math.sqrt(4.5 * 5))  # ties share 2.5


def test_what_does_not_vary_is_zero() -> None:
    assert pearson([0.1] * 3, [1, 2, 3]) == 0
    assert spearman([], []) == 0
    with pytest.raises(ValueError, match="1 gold"):
        pearson([1], [])


@given(st.lists(st.tuples(st.integers(-50, 50), st.integers(-50, 50)), min_size=2, max_size=30))
def test_equal_to_scipy(pairs: list[tuple[int, int]]) -> None:
    gold, found = [a / 8 for a, _ in pairs], [b / 8 for _, b in pairs]
    if len(set(gold)) > 1 and len(set(found)) > 1:
        assert pearson(gold, found) == pytest.approx(stats.pearsonr(gold, found)[0], abs=1e-9)
        assert spearman(gold, found) == pytest.approx(stats.spearmanr(gold, found)[0], abs=1e-9)
