import pytest

from wikiprep.errors import WikiprepError
from wikiprep.units.accounts import Equation, must_close, summed
from wikiprep.units.unit import Result

EQUATION = Equation("pages", "pages.read", ("pages.article", "rejects."))


def test_a_prefix_stands_for_all_its_counts() -> None:
    counts = {"pages.read": 6, "pages.article": 3, "rejects.crash": 1, "rejects.too large": 2, "rejected": 9}
    assert EQUATION.terms(counts) == {"pages.article": 3, "rejects.crash": 1, "rejects.too large": 2}
    must_close("extract", counts, [EQUATION])


def test_a_sum_that_does_not_close_fails() -> None:
    with pytest.raises(WikiprepError, match=r"pages\.read is 2.*sum to 1"):
        must_close("extract", {"pages.read": 2, "pages.article": 1}, [EQUATION])


def test_counts_are_added_over_units() -> None:
    assert summed([Result("a", counts={"y": 1, "x": 1}), Result("b", counts={"x": 2})]) == {"x": 3, "y": 1}
