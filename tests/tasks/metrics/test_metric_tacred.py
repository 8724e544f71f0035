import random

import pytest
from sklearn.metrics import precision_recall_fscore_support

from wikiprep.tasks.metrics.counts import Counts
from wikiprep.tasks.metrics.tacred import tacred_micro

NO = "no_relation"


def test_no_relation_is_left_out_on_both_sides() -> None:
    gold = ["per:age", "per:age", NO, NO, "org:founded", "per:title"]
    found = ["per:age", NO, NO, "per:age", "per:age", "per:title"]
    assert tacred_micro(gold, found) == Counts(correct=2, predicted=4, gold=4)


def test_only_no_relation_is_zero() -> None:
    assert tacred_micro([NO, NO], [NO, NO]).f1 == 0
    assert tacred_micro(["per:age"], [NO]) == Counts(0, 0, 1)
    assert tacred_micro([NO], ["per:age"]) == Counts(0, 1, 0)


def test_lengths() -> None:
    with pytest.raises(ValueError, match="2 gold labels and 1 predictions"):
        tacred_micro([NO, NO], [NO])


def test_equal_to_scikit_learn() -> None:
    draw = random.Random(3)
    labels = [NO, "a", "b", "c"]
    gold, found = ([draw.choice(labels) for _ in range(300)] for _ in range(2))
    counts = tacred_micro(gold, found)
    theirs = precision_recall_fscore_support(gold, found, labels=labels[1:], average="micro")
    assert (counts.precision, counts.recall, counts.f1) == pytest.approx(theirs[:3], abs=1e-12)
