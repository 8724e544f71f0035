"""Shares by band, by hand."""

from dataclasses import replace

import numpy as np
import pytest

from wikiprep.apply.evaluation.figures import Answers, Row, rows_of


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
    assert every == Row("all", 4, 0.5, 0.75, 0.5, 0.75, 0.5, 0.5, 0.75)
    assert none == Row("0", 1, 0.0, 0.0, 1.0, 1.0, 0.0, 0.0, 0.0)
    assert few == Row("1 to 9", 1, 1.0, 1.0, 1.0, 1.0, 1.0, 0.0, 1.0)
    assert some == Row("10 to 99", 2, 0.5, 1.0, 0.0, 0.5, 0.5, 1.0, 1.0)


def test_no_target() -> None:
    nothing = np.zeros(0, np.int64)
    (row,) = rows_of(Answers(nothing, nothing, nothing, nothing, nothing.astype(bool), nothing, 1, nothing))
    assert replace(row, errors={}) == Row("all", 0, *[None] * 7)
    assert set(row.errors.values()) == {None}
