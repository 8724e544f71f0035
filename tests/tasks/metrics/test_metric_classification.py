import pytest
from hypothesis import given, settings
from hypothesis import strategies as st
from sklearn.metrics import accuracy_score, f1_score, matthews_corrcoef

from wikiprep.tasks.metrics.classification import accuracy, class_counts, macro_f1, matthews


def test_by_hand() -> None:
    gold, found = [1, 1, 1, 0, 0], [1, 0, 1, 0, 1]
    assert accuracy(gold, found) == 0.6
    assert class_counts(gold, found, 1).f1 == pytest.approx(2 / 3)
    assert matthews(gold, found) == pytest.approx((2 * 1 - 1 * 1) / 6)  # (TP TN - FP FN) / sqrt(3 x 3 x 2 x 2)
    assert matthews([1, 0], [0, 1]) == -1


def test_nothing_divides_by_zero() -> None:
    assert (accuracy([], []), macro_f1([], []), matthews([], [])) == (0, 0, 0)
    assert matthews([1, 0], [1, 1]) == 0
    assert class_counts([0], [0], 1).f1 == 0
    with pytest.raises(ValueError, match="1 gold labels and 2"):
        accuracy([1], [1, 1])


@settings(max_examples=40)
@given(st.lists(st.tuples(st.integers(0, 3), st.integers(0, 3)), min_size=1, max_size=30))
def test_equal_to_scikit_learn(pairs: list[tuple[int, int]]) -> None:
    gold, found = [a for a, _ in pairs], [b for _, b in pairs]
    assert accuracy(gold, found) == pytest.approx(accuracy_score(gold, found), abs=1e-12)
    assert macro_f1(gold, found) == pytest.approx(f1_score(gold, found, average="macro", zero_division=0), abs=1e-12)
    if len({*gold, *found}) > 1:  # of a single label scikit-learn warns
        assert matthews(gold, found) == pytest.approx(matthews_corrcoef(gold, found), abs=1e-12)
