"""Hand-made cases, and scikit-learn on random labels and sets of labels."""

import numpy as np
import pytest
from hypothesis import given, settings
from hypothesis import strategies as st
from sklearn.metrics import accuracy_score, f1_score, matthews_corrcoef, precision_recall_fscore_support

from wikiprep.tasks.metrics.classification import (
    accuracy,
    class_counts,
    macro_f1,
    matthews,
    typing_by_label,
    typing_scores,
)
from wikiprep.tasks.metrics.counts import Counts

GOLD = [["entity", "person"], ["place"], ["time"], []]
FOUND = [["person"], ["place", "location"], [], ["event"]]


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


def test_sets_of_types_by_hand() -> None:
    scores = typing_scores(GOLD, FOUND)
    assert scores.micro == Counts(2, 4, 4)  # person and place of person, place, location, event
    assert scores.macro_precision == pytest.approx((1 + 1 / 2 + 0 + 0) / 4)
    assert scores.macro_recall == pytest.approx((1 / 2 + 1 + 0 + 0) / 4)
    assert scores.macro_f1 == pytest.approx(0.375)
    assert scores.strict == 0
    assert typing_by_label(GOLD, FOUND)["place"] == Counts(1, 1, 1)
    assert typing_by_label(GOLD, FOUND)["event"] == Counts(0, 1, 0)


def test_empty_predictions_and_no_examples() -> None:
    assert typing_scores([["place"]], [[]]).micro == Counts(0, 0, 1)
    assert typing_scores([["place"]], [[]]).micro.f1 == 0
    assert typing_scores([], []).strict == 0
    assert typing_scores([[]], [[]]).strict == 1  # nothing is right where nothing is
    with pytest.raises(ValueError, match="1 gold labels and 0 predictions"):
        typing_scores([["place"]], [])


def test_a_label_said_twice_counts_once() -> None:
    assert typing_scores([["place", "place"]], [["place"]]).micro == Counts(1, 1, 1)


def test_sets_equal_to_scikit_learn() -> None:
    draw = np.random.default_rng(1)
    names = ["a", "b", "c", "d"]
    gold, found = (draw.random((200, 4)) < share for share in (0.4, 0.3))
    as_sets = [[[names[j] for j in np.flatnonzero(row)] for row in rows] for rows in (gold, found)]
    scores = typing_scores(*as_sets)
    for average, ours in (
        ("micro", (scores.micro.precision, scores.micro.recall, scores.micro.f1)),
        ("samples", (scores.macro_precision, scores.macro_recall)),
    ):
        theirs = precision_recall_fscore_support(gold, found, average=average, zero_division=0)
        assert ours == pytest.approx(theirs[: len(ours)], abs=1e-12)
    by_label = typing_by_label(*as_sets)
    theirs = precision_recall_fscore_support(gold, found, average=None, zero_division=0)
    assert [by_label[name].f1 for name in names] == pytest.approx(theirs[2], abs=1e-12)
