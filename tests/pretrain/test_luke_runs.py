"""LUKE under the trainer: the same losses on one rank and two, sharded, packed, recomputed, and nearly in bf16."""

import shutil
from pathlib import Path

import pytest
from running import events, start

CONFIG = """
family = "luke"
[model]
size = "tiny"
dropout = 0.0
attention_dropout = 0.0
[data]
global_batch = 8
micro_batch_tokens = 700
held_out = 0.1
workers = 0
[training]
precision = "float32"
[log]
every = 1
evaluate_every = 6
evaluate_records = 8
[[stages]]
parameters = "new"
steps = 2
learning_rate = 0.003
[[stages]]
parameters = "all"
steps = 4
learning_rate = 0.003
"""


def losses(folder: Path, corpus: Path, *settings: str, world: int = 1) -> list[float]:
    pytest.importorskip("torch", reason="torch is not installed: pip install '.[train]'")
    folder.mkdir()
    (folder / "luke.toml").write_text(CONFIG)
    run = start(folder / "run", corpus, *settings, world=world, config=str(folder / "luke.toml"))
    run.wait()
    evaluation = events(run.folder, "evaluate")[-1]
    assert evaluation["records"] == 8 and 0 <= evaluation["entity_top10"] <= 1
    return [event["loss"] for event in events(run.folder, "train")] + [evaluation["loss.mlm"]]


@pytest.fixture(scope="module")
def expected(sample_corpus: Path, tmp_path_factory: pytest.TempPathFactory) -> list[float]:
    found = losses(tmp_path_factory.mktemp("luke") / "one", sample_corpus)
    assert found[5] < found[0] - 0.5
    return found


@pytest.mark.parametrize(
    ("settings", "world", "tolerance"),
    [
        ((), 2, 1e-5),
        (('training.parallel="fsdp"', "training.recompute=true"), 2, 1e-5),
        (("data.pack=400", "training.recompute=true"), 1, 1e-5),
        (('training.precision="bf16"', "data.pack=400"), 1, 2e-2),
    ],
    ids=["ddp", "fsdp-recompute", "packed-recompute", "bf16-packed"],
)
def test_losses_are_those_of_one_rank(
    expected: list[float], sample_corpus: Path, tmp_path: Path, settings: tuple[str, ...], world: int, tolerance: float
) -> None:
    found = losses(tmp_path / "run", sample_corpus, *settings, world=world)
    assert found == pytest.approx(expected, rel=tolerance)


@pytest.mark.slow
@pytest.mark.skipif(shutil.which("g++") is None, reason="torch.compile on a CPU needs g++")
@pytest.mark.parametrize(
    ("settings", "world"),
    [
        ((), 1),
        (("data.pack=400", "training.recompute=true"), 1),
        (('training.parallel="fsdp"', "training.recompute=true"), 2),
        (("model.entity_aware_attention=true",), 2),
    ],
    ids=["alone", "packed-recompute", "fsdp-recompute", "ddp-entity-aware"],
)
def test_compiled_layers_lose_nothing(
    sample_corpus: Path, tmp_path: Path, settings: tuple[str, ...], world: int
) -> None:
    plain = losses(tmp_path / "plain", sample_corpus, *settings[-1:] if "entity" in str(settings) else ())
    found = losses(tmp_path / "run", sample_corpus, *settings, "training.compile=true", world=world)
    assert found == pytest.approx(plain, rel=1e-5)
