import pytest
from engine_build import package

from wikiprep.errors import WikiprepError
from wikiprep.units.unit import Result

package("apache-beam", "beam")
from wikiprep.pipelines.graph import UnitDone, whole  # noqa: E402 - not where Beam is missing


def done(*indexes: int, total: int) -> list[UnitDone]:
    return [UnitDone(i, total, Result(f"part-{i}")) for i in indexes]


def test_results_come_in_the_order_of_the_units() -> None:
    assert [it.unit for it in whole("links", done(2, 0, 1, total=3))] == ["part-0", "part-1", "part-2"]


@pytest.mark.parametrize("found", [done(total=0), done(0, 2, total=3), done(0, 0, 1, total=3), done(0, 1, 1, total=2)])
def test_a_side_input_that_was_lost_or_doubled_is_an_error(found: list[UnitDone]) -> None:
    with pytest.raises(WikiprepError, match=f"stage links: {len(found)} results of"):
        whole("links", found)
