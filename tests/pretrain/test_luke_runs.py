"""LUKE under the trainer: the same losses on one rank and two, sharded, packed, recomputed, and nearly in bf16."""

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
