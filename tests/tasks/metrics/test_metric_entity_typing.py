"""Hand-made cases, and scikit-learn on random label sets."""

import numpy as np
import pytest
from sklearn.metrics import precision_recall_fscore_support

from wikiprep.tasks.metrics.counts import Counts
from wikiprep.tasks.metrics.entity_typing import typing_by_label, typing_scores

GOLD = [["entity", "person"], ["place"], ["time"], []]
FOUND = [["person"], ["place", "location"], [], ["event"]]


def test_by_hand() -> None:
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


def test_equal_to_scikit_learn() -> None:
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
