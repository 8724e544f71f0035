import pytest

from wikiprep.counts import Count, Equation, Reasons
from wikiprep.errors import WikiprepError
from wikiprep.units.count_equations import must_close, sum_counts
from wikiprep.units.unit import Result

READ, ARTICLE, REJECTS = Count("pages.read"), Count("pages.article"), Reasons("rejects.", "Pages left out.")
EQUATION = Equation("pages", READ, (ARTICLE, REJECTS))


def test_a_sum_that_closes_passes() -> None:
    must_close("extract", {READ: 6, ARTICLE: 3, REJECTS.of("crash"): 1, REJECTS.of("too large"): 2}, [EQUATION])


def test_a_sum_that_does_not_close_fails() -> None:
    with pytest.raises(WikiprepError, match=r"pages\.read is 2.*sum to 1"):
        must_close("extract", {READ: 2, ARTICLE: 1}, [EQUATION])


def test_counts_are_added_over_units() -> None:
    assert sum_counts([Result("a", counts={"y": 1, "x": 1}), Result("b", counts={"x": 2})]) == {"x": 3, "y": 1}
