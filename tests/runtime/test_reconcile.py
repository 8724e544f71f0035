from pathlib import Path
from types import SimpleNamespace
from typing import Any

import orjson
import pytest

from wikiprep.errors import UsageError
from wikiprep.files import Store
from wikiprep.runtime.reconcile import Policy, already_complete, reconcile, refuse_foreign
from wikiprep.units.fingerprint import Plan, differences, save_plan

STAGES: Any = [SimpleNamespace(name="extract", needs=()), SimpleNamespace(name="records", needs=("extract",))]


def plans(extract: int = 1, records: int = 1) -> dict[str, Plan]:
    return {
        "extract": Plan("extract", {"options": {"captions": extract}}, f"e{extract}"),
        "records": Plan("records", {"options": {"text": records}}, f"r{extract}{records}"),
    }


@pytest.fixture
def store(tmp_path: Path) -> Store:
    store = Store(str(tmp_path))
    for plan in plans().values():
        save_plan(store, plan)
        store.write(f"_state/{plan.stage}/units/u.json", orjson.dumps({"files": [{"path": f"{plan.stage}/u"}]}))
        store.write(f"{plan.stage}/u", b"")
    fingerprints = {n: p.fingerprint for n, p in plans().items()}
    card = store.write("README.md", b"card")
    files = [{"path": card.path, "sha256": card.sha256}]
    store.write("manifest.json", orjson.dumps({"fingerprints": fingerprints, "files": files}))
    return store


def test_the_same_options_go_on(store: Store) -> None:
    before = store.list()
    reconcile(store, STAGES, plans(), Policy.REFUSE, print)
    assert store.list() == before
    assert already_complete(store, plans())


def test_other_options_are_refused_with_the_difference(store: Store) -> None:
    with pytest.raises(UsageError) as caught:
        reconcile(store, STAGES, plans(extract=2), Policy.REFUSE, print)
    assert "options.captions: 1 before, 2 now" in caught.value.what
    assert "records: reads extract" in caught.value.what
    assert "--update" in caught.value.hint


def test_a_stage_that_comes_or_goes_is_said_to_be_what_later_ones_read(store: Store) -> None:
    new = SimpleNamespace(name="used", needs=("extract",))
    records = SimpleNamespace(name="records", needs=("extract", "used"))
    now = plans() | {
        "used": Plan("used", {}, "u1"),
        "records": Plan("records", {"options": {"text": 1}}, "r of used"),
    }
    with pytest.raises(UsageError) as caught:
        reconcile(store, [STAGES[0], new, records], now, Policy.REFUSE, print)
    assert "records: reads used" in caught.value.what
    save_plan(store, now["used"])
    save_plan(store, now["records"])
    with pytest.raises(UsageError) as caught:
        reconcile(store, STAGES, plans(), Policy.REFUSE, print)
    assert "records: reads other stages than before" in caught.value.what


def test_update_redoes_what_is_touched_and_no_more(store: Store) -> None:
    said: list[str] = []
    reconcile(store, STAGES, plans(records=2), Policy.UPDATE, said.append)
    assert "records" in said[0]
    assert "text: 1 before, 2 now" in said[0]
    left = store.list()
    assert "extract/u" in left
    assert not any("records" in path or path == "manifest.json" for path in left)


def test_update_of_an_early_stage_takes_later_ones_that_are_not_wanted_now(store: Store) -> None:
    reconcile(store, STAGES[:1], {"extract": plans(extract=2)["extract"]}, Policy.UPDATE, print)
    assert store.list() == []


def test_overwrite_begins_anew(store: Store) -> None:
    reconcile(store, STAGES, plans(), Policy.OVERWRITE, print)
    assert store.list() == []


def test_a_folder_of_something_else_is_never_touched(tmp_path: Path) -> None:
    store = Store(str(tmp_path))
    store.write("thesis.tex", b"years of work")
    with pytest.raises(UsageError, match=r"thesis\.tex"):
        refuse_foreign(store)
    assert store.list() == ["thesis.tex"]
    assert store.read("thesis.tex") == b"years of work"


def test_differences_name_the_leaf() -> None:
    assert differences({"a": {"b": [1, 2]}, "c": None}, {"a": {"b": [1, 3]}, "c": None}) == ["a.b[1]: 2 before, 3 now"]
    assert differences({"a": 1}, {}) == ["a: 1 before, null now"]


@pytest.mark.parametrize("damage", [b"", b"garbage{", b"[]", b"{}"])
def test_a_damaged_plan_is_other_options(store: Store, damage: bytes) -> None:
    store.write("_state/records/plan.json", damage)
    with pytest.raises(UsageError, match=r"records: _state/records/plan\.json is damaged"):
        reconcile(store, STAGES, plans(), Policy.REFUSE, print)
    reconcile(store, STAGES, plans(), Policy.UPDATE, print)
    assert "extract/u" in store.list()
    assert "records/u" not in store.list()


@pytest.mark.parametrize("damage", [b"", b"garbage{", b"[]", b"{}"])
def test_a_damaged_manifest_is_no_complete_output(store: Store, damage: bytes) -> None:
    store.write("manifest.json", damage)
    assert not already_complete(store, plans())


def test_a_changed_or_missing_card_is_no_complete_output(store: Store) -> None:
    store.write("README.md", b"Card")
    assert not already_complete(store, plans())
    store.remove("README.md")
    assert not already_complete(store, plans())
