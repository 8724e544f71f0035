"""benchmarks/finetune_sides.py: transformers' side of the comparison begins with our very model."""

import importlib.util
import sys
from pathlib import Path

import pytest
from made_data import MAKERS

torch = pytest.importorskip("torch")
BENCHMARKS = Path(__file__).parents[2] / "benchmarks"


def test_both_sides_begin_with_the_same_loss(roberta: Path, tmp_path: Path, monkeypatch: pytest.MonkeyPatch) -> None:
    pytest.importorskip("transformers", reason="transformers is not installed: pip install '.[dev]'")
    spec = importlib.util.spec_from_file_location("finetune_sides", BENCHMARKS / "finetune_sides.py")
    assert spec is not None and spec.loader is not None
    sides = importlib.util.module_from_spec(spec)
    monkeypatch.setitem(sys.modules, "finetune_sides", sides)
    spec.loader.exec_module(sides)
    MAKERS["fewrel"](tmp_path)
    plain = sides.plain_side("fewrel", tmp_path, str(roberta), ("model.dropout=0.0",), 3)
    batch = plain.collate(plain.prepared.splits["train"].features[:4])
    ours = plain.prepared.family.build_model(3).eval()
    theirs = plain.model.eval()
    # The classifier of theirs is drawn with BERT's deviation, 0.02; ours with the encoder's.
    theirs.classifier.load_state_dict(ours.classifier.state_dict())
    with torch.no_grad():
        loss, count = ours(batch)
        told = theirs(**batch)["loss"]
    assert float(told) == pytest.approx(float(loss) / int(count), abs=1e-5)
    assert {one.id for one in plain.predictions("test")} == {str(e.id) for e in plain.prepared.splits["test"].examples}
