"""What the sample's build holds, against tests/data/sample_golden.json (`make_golden.py` there renews it)."""

import importlib.util
from pathlib import Path
from types import ModuleType

import orjson
import pytest
from building import DATA


@pytest.fixture(scope="module")
def maker() -> ModuleType:
    spec = importlib.util.spec_from_file_location("make_golden", DATA / "make_golden.py")
    assert spec is not None and spec.loader is not None
    module = importlib.util.module_from_spec(spec)
    spec.loader.exec_module(module)
    return module


def test_the_sample_holds_what_it_held(maker: ModuleType, sample_corpus: Path) -> None:
    golden = orjson.loads((DATA / "sample_golden.json").read_bytes())
    found = maker.content_of(sample_corpus)
    assert {e["name"]: e for e in found["equations"]} == {e["name"]: e for e in golden["equations"]}
    different = [name for name in golden if golden[name] != found[name]]
    assert not different, "if this is meant: python tests/data/make_golden.py"
