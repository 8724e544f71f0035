"""TACRED's by hand; SemEval's by hand and on a confusion matrix that its official scorer printed itself."""

import random

import pytest
from sklearn.metrics import precision_recall_fscore_support

from wikiprep.tasks.metrics.counts import Counts
from wikiprep.tasks.metrics.relations import semeval2010_official, tacred_micro

NO = "no_relation"
# Printed by version 1.2 of the scorer for the predictions of a small network: rows gold, columns predicted; then how
# many of a row had the right relation and the wrong direction. Other is last.
NAMES = (
    *("Cause-Effect", "Component-Whole", "Content-Container", "Entity-Destination", "Entity-Origin"),
    *("Instrument-Agency", "Member-Collection", "Message-Topic", "Product-Producer", "Other"),
)
MATRIX = """
296 0 0 0 9 1 0 1 2 15
2 209 5 3 1 9 13 5 2 32
0 4 160 10 2 0 0 1 0 11
0 2 10 260 0 0 0 2 1 16
2 1 0 12 221 1 0 1 3 16
0 4 1 2 2 101 1 3 9 31
0 6 0 0 2 3 195 4 2 20
1 2 0 2 0 0 3 228 3 19
4 4 2 1 9 10 0 5 167 24
20 25 25 25 32 20 39 39 26 203
"""
WRONG_WAY = (4, 31, 4, 1, 1, 2, 1, 3, 5, 0)


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


def printed_labels() -> tuple[list[str], list[str]]:
    gold, found = [], []
    one_way = [f"{name}(e1,e2)" if name != "Other" else name for name in NAMES]
    rows = [[int(n) for n in line.split()] for line in MATRIX.strip().splitlines()]
    for name, row, wrong in zip(one_way, rows, WRONG_WAY, strict=True):
        for guess, count in zip(one_way, row, strict=True):
            gold += [name] * count
            found += [guess] * count
        gold += [name] * wrong
        found += [name.replace("e1,e2", "e2,e1")] * wrong
    return gold, found


def test_what_the_official_scorer_printed() -> None:
    gold, found = printed_labels()
    assert len(gold) == 2717
    scores = semeval2010_official(gold, found)
    assert [round(100 * x, 2) for x in (scores.precision, scores.recall, scores.f1)] == [77.93, 80.37, 79.05]
    whole = scores.by_relation["Component-Whole"]
    assert whole == Counts(209, 257 + 31, 312)
    assert (round(100 * whole.precision, 2), round(100 * whole.recall, 2), round(100 * whole.f1, 2)) == (
        72.57,
        66.99,
        69.67,
    )
    assert scores.by_relation["Other"] == Counts(203, 387, 454)
    micro = sum((its for name, its in scores.by_relation.items() if name != "Other"), Counts())
    assert micro == Counts(1837, 2330, 2263)


def test_the_wrong_direction_is_wrong_and_was_predicted() -> None:
    scores = semeval2010_official(["Cause-Effect(e1,e2)"] * 2, ["Cause-Effect(e1,e2)", "Cause-Effect(e2,e1)"])
    assert scores.by_relation == {"Cause-Effect": Counts(1, 2, 2)}
    assert scores.f1 == 0.5


def test_other_is_left_out_of_the_mean_and_hurts_precision() -> None:
    gold = ["Other", "Other", "Cause-Effect(e1,e2)", "Entity-Origin(e1,e2)"]
    found = ["Other", "Cause-Effect(e1,e2)", "Cause-Effect(e1,e2)", "Other"]
    scores = semeval2010_official(gold, found)
    assert scores.by_relation["Cause-Effect"] == Counts(1, 2, 1)
    assert scores.f1 == pytest.approx((2 / 3 + 0) / 2)  # the mean of F1s, not F1 of the means
    assert (scores.precision, scores.recall) == (0.25, 0.5)


def test_left_out_answers_are_wrong_and_not_predicted() -> None:
    scores = semeval2010_official(["Cause-Effect(e1,e2)"] * 2, ["Cause-Effect(e1,e2)", None])
    assert scores.by_relation == {"Cause-Effect": Counts(1, 1, 2)}


def test_relations_that_gold_lacks_are_in_no_mean() -> None:
    scores = semeval2010_official(["Cause-Effect(e1,e2)"], ["Message-Topic(e1,e2)"])
    assert scores.by_relation["Message-Topic"] == Counts(0, 1, 0) and scores.f1 == 0
    assert semeval2010_official(["Other"], ["Other"]).f1 == 0
    assert semeval2010_official([], []).f1 == 0


def test_lengths_of_semeval() -> None:
    with pytest.raises(ValueError, match="1 gold labels"):
        semeval2010_official(["Other"], [])
