"""Standard errors of shares, where answers of one page go together."""

import numpy as np
import pytest

from wikiprep.apply.evaluation.shares import Share, share_of

RIGHT = np.array([True, True, False, True, False, False])


def test_one_answer_a_page_is_the_usual_error_of_a_mean() -> None:
    share = share_of(RIGHT, np.arange(6))
    assert share is not None and share.error == pytest.approx(RIGHT.std(ddof=1) / 6**0.5)


def test_answers_of_a_page_count_as_one_where_they_are_alike() -> None:
    once, thrice = share_of(RIGHT, np.arange(6)), share_of(np.repeat(RIGHT, 3), np.repeat(np.arange(6), 3))
    assert once is not None and thrice is not None
    assert (thrice.value, thrice.error) == pytest.approx((once.value, once.error))


def test_by_hand() -> None:
    # Pages of 2 and 1 answers: p = 2/3, sums of differences 2/3 and -2/3; sqrt(2 / 1 * 8/9) / 3.
    share = share_of(np.array([True, True, False]), np.array([7, 7, 3]))
    assert share is not None and share.error == pytest.approx((16 / 9) ** 0.5 / 3)


def test_too_little_for_an_error_or_a_share() -> None:
    assert share_of(RIGHT, np.zeros(6, np.int64)) == Share(0.5, None)
    assert share_of(RIGHT[:0], np.zeros(0, np.int64)) is None
