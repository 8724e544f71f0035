"""Shares with their errors, and by band."""

from dataclasses import replace

import numpy as np
import pytest

from wikiprep.inference.evaluation.accuracy import AccuracyRow, Answers, EstimatedShare, rows_of, share_of

RIGHT = np.array([True, True, False, True, False, False])


def test_by_hand() -> None:
    answers = Answers(
        entities=np.array([5, 5, 6, 7]),
        seen=np.array([0, 3, 0, 50]),
        hidden=np.array([9, 10, 0, 0]),
        prior=np.array([5, 6, 6, 5]),
        name_known=np.array([True, True, True, False]),
        trained=np.array([20, 20, 9, 0]),
        commonest=5,
        pages=np.arange(4),
    )
    rows = rows_of(answers)
    assert rows[0].errors["visible_top1"] == pytest.approx((0.25 / 3) ** 0.5)  # p (1 - p) / (n - 1)
    assert rows[1].errors["visible_top1"] is None  # one target
    every, none, few, some = (replace(row, errors={}) for row in rows)
    assert every == AccuracyRow("all", 4, 0.5, 0.75, 0.5, 0.75, 0.5, 0.5, 0.75)
    assert none == AccuracyRow("0", 1, 0.0, 0.0, 1.0, 1.0, 0.0, 0.0, 0.0)
    assert few == AccuracyRow("1 to 9", 1, 1.0, 1.0, 1.0, 1.0, 1.0, 0.0, 1.0)
    assert some == AccuracyRow("10 to 99", 2, 0.5, 1.0, 0.0, 0.5, 0.5, 1.0, 1.0)


def test_no_target() -> None:
    nothing = np.zeros(0, np.int64)
    (row,) = rows_of(Answers(nothing, nothing, nothing, nothing, nothing.astype(bool), nothing, 1, nothing))
    assert replace(row, errors={}) == AccuracyRow("all", 0, *[None] * 7)
    assert set(row.errors.values()) == {None}


def test_one_answer_a_page_is_the_usual_error_of_a_mean() -> None:
    share = share_of(RIGHT, np.arange(6))
    assert share is not None and share.error == pytest.approx(RIGHT.std(ddof=1) / 6**0.5)


def test_answers_of_a_page_count_as_one_where_they_are_alike() -> None:
    once, thrice = share_of(RIGHT, np.arange(6)), share_of(np.repeat(RIGHT, 3), np.repeat(np.arange(6), 3))
    assert once is not None and thrice is not None
    assert (thrice.value, thrice.error) == pytest.approx((once.value, once.error))


def test_a_share_and_its_error_by_hand() -> None:
    # Pages of 2 and 1 answers: p = 2/3, sums of differences 2/3 and -2/3; sqrt(2 / 1 * 8/9) / 3.
    share = share_of(np.array([True, True, False]), np.array([7, 7, 3]))
    assert share is not None and share.error == pytest.approx((16 / 9) ** 0.5 / 3)


def test_too_little_for_an_error_or_a_share() -> None:
    assert share_of(RIGHT, np.zeros(6, np.int64)) == EstimatedShare(0.5, None)
    assert share_of(RIGHT[:0], np.zeros(0, np.int64)) is None
