from pathlib import Path

import pytest

from wikiprep.files import Store
from wikiprep.units.receipts import forget_stage, load_receipt, save_receipt
from wikiprep.units.unit import Result, Unit


def finished(store: Store, fingerprint: str = "f") -> Unit:
    unit = Unit("extract", "part-0", fingerprint, store.url, None)
    file = store.write("articles/part-0.parquet", b"text")
    save_receipt(store, unit, Result("part-0", [file], {"pages": 1}, {"lost": []}))
    return unit


def test_a_receipt_gives_the_result_back(tmp_path: Path) -> None:
    store = Store(str(tmp_path))
    result = load_receipt(store, finished(store))
    assert result is not None
    assert (result.unit, result.counts, result.facts) == ("part-0", {"pages": 1}, {"lost": []})
    assert [f.path for f in result.files] == ["articles/part-0.parquet"]


def test_another_fingerprint_is_not_finished(tmp_path: Path) -> None:
    store = Store(str(tmp_path))
    finished(store)
    assert load_receipt(store, Unit("extract", "part-0", "other", store.url, None)) is None


def test_a_missing_or_cut_file_is_not_finished(tmp_path: Path) -> None:
    store = Store(str(tmp_path))
    unit = finished(store)
    (tmp_path / "articles/part-0.parquet").write_bytes(b"te")
    assert load_receipt(store, unit) is None
    store.remove("articles/part-0.parquet")
    assert load_receipt(store, unit) is None


def test_a_forgotten_stage_leaves_nothing(tmp_path: Path) -> None:
    store = Store(str(tmp_path))
    finished(store)
    store.write("_state/extract/plan.json", b"{}")
    forget_stage(store, "extract")
    assert store.list() == []


@pytest.mark.parametrize("damage", [b"", b"garbage{", b"[]", b"{}", b'{"files": [1]}'])
def test_a_damaged_receipt_is_none(tmp_path: Path, damage: bytes) -> None:
    store = Store(str(tmp_path))
    unit = finished(store)
    store.write("_state/extract/units/part-0.json", damage)
    assert load_receipt(store, unit) is None
    forget_stage(store, "extract")
    assert store.list("_state") == []
