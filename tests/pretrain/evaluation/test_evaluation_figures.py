"""Shares by band, by hand."""

import numpy as np

from wikiprep.pretrain.evaluation.figures import Answers, Row, rows_of


def test_by_hand() -> None:
    answers = Answers(
        entities=np.array([5, 5, 6, 7]),
        seen=np.array([0, 3, 0, 50]),
        hidden=np.array([9, 10, 0, 0]),
        prior=np.array([5, 6, 6, 5]),
        name_known=np.array([True, True, True, False]),
        trained=np.array([20, 20, 9, 0]),
        commonest=5,
    )
    every, none, few, some = rows_of(answers)
    assert every == Row("all", 4, 0.5, 0.75, 0.5, 0.75, 0.5, 0.5, 0.75)
    assert none == Row("0", 1, 0.0, 0.0, 1.0, 1.0, 0.0, 0.0, 0.0)
    assert few == Row("1 to 9", 1, 1.0, 1.0, 1.0, 1.0, 1.0, 0.0, 1.0)
    assert some == Row("10 to 99", 2, 0.5, 1.0, 0.0, 0.5, 0.5, 1.0, 1.0)


def test_no_target() -> None:
    nothing = np.zeros(0, np.int64)
    (row,) = rows_of(Answers(nothing, nothing, nothing, nothing, nothing.astype(bool), nothing, 1))
    assert row == Row("all", 0, *[None] * 7)
