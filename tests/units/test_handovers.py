"""Facts travel as JSON and come back as the dataclass that they were."""

from dataclasses import dataclass

import orjson
import pytest

from wikiprep.units.handovers import Folder, Warnings, folder_of, from_json, to_json
from wikiprep.units.stage import Commit


@dataclass(frozen=True, kw_only=True)
class Found(Folder):
    merged: str | None = None
    dates: dict[str, str | None]


@dataclass(frozen=True, kw_only=True)
class Several:
    first: Folder
    rest: list[Folder]
    rows: list[list[int]]


@pytest.mark.parametrize("merged", [None, "tables/merged"])
def test_they_come_back_as_they_were(merged: str | None) -> None:
    facts = Found(folder="tables", merged=merged, dates={"dump": "20260101", "page_props": None})
    written = orjson.dumps(to_json(facts))
    assert (b"merged" in written) is (merged is not None)  # as receipts of all versions have it
    assert from_json(Found, orjson.loads(written)) == facts


def test_facts_within_facts_come_back_too() -> None:
    facts = Several(first=Folder(folder="a"), rest=[Folder(folder="b")], rows=[[1]])
    written = orjson.dumps(to_json(facts))
    assert written == b'{"first":{"folder":"a"},"rest":[{"folder":"b"}],"rows":[[1]]}'
    assert from_json(Several, orjson.loads(written)) == facts
    with pytest.raises(TypeError, match="file"):
        from_json(Several, {"first": {"file": "a"}, "rest": [], "rows": []})


def test_facts_of_another_stage_are_refused() -> None:
    with pytest.raises(TypeError, match="folder"):
        from_json(Warnings, to_json(Folder(folder="tables")))


def test_a_stage_that_is_no_part_of_the_build_has_no_folder() -> None:
    earlier = {"wikidata": Commit((), {}, to_json(Found(folder="_state/wikidata", dates={})))}
    assert folder_of(earlier, "wikidata") == "_state/wikidata"
    assert folder_of(earlier, "definitions") is None
