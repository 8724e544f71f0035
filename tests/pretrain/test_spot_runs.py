"""SPOT under the trainer: gone on, on two ranks, sharded, packed and nearly in bf16 it is the same run."""

import json
import shutil
from pathlib import Path
from typing import Any

import pytest
from running import events, start

CONFIG = """
family = "spot"
[model]
size = "tiny"
dropout = 0.1
attention_dropout = 0.0
pair_heads = 4
entity_cutoffs = [20, 60]
[data]
global_batch = 8
micro_batch_tokens = 300
held_out = 0.1
workers = 0
[training]
precision = "float32"
[checkpoints]
every = 2
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
STILL = ("model.dropout=0.0",)  # dropout depends on how a batch is cut


def ran(folder: Path, corpus: Path, *settings: str, world: int = 1, max_steps: int | None = None) -> Path:
    """A run of CONFIG, in this process where it has one rank."""
    pytest.importorskip("torch", reason="torch is not installed: pip install '.[train]'")
    from wikiprep.pretrain.start_training import Command, pretrain

    folder.mkdir(exist_ok=True)
    config = folder / "spot.toml"
    config.write_text(CONFIG)
    if world > 1:
        start(folder / "run", corpus, *settings, world=world, config=str(config)).wait()
    else:
        pretrain(
            Command(
                corpora=(str(corpus),),
                config=str(config),
                output=str(folder / "run"),
                settings=settings,
                max_steps=max_steps,
                quiet=True,
            )
        )
    return folder / "run"


def losses(run: Path) -> list[float]:
    """Of all steps, each loss of its own, and of the evaluations."""
    names = ("loss.mlm", "loss.entity", "loss.relation")
    lines = events(run, "train") + events(run, "evaluate")
    assert [line["step"] for line in lines] == [1, 2, 3, 4, 5, 6, 2, 6]
    return [line[name] for line in lines for name in names]


@pytest.fixture(scope="module")
def whole(sample_spot: Path, tmp_path_factory: pytest.TempPathFactory) -> Path:
    """One rank to the end, without dropout."""
    return ran(tmp_path_factory.mktemp("whole"), sample_spot, *STILL)


def test_a_run_learns_and_says_what_it_is(whole: Path) -> None:
    found = losses(whole)
    assert sum(found[15:18]) < sum(found[:3]) - 0.5
    (model,) = events(whole, "model")
    assert {*model["modules"]} == {"text", "word_head", "spans", "pairs", "entities", "relations"}
    assert sum(model["modules"].values()) == model["parameters"]
    line: dict[str, Any] = events(whole, "train")[0]
    counted = [line[f"counted.{name}"] for name in ("cut_spans", "pairs_left_out", "records_without_pair")]
    assert counted == [0, 0, 0]
    verdict = events(whole, "evaluate")[-1]
    for name in ("entity_top1", "entity_top10.visible", "no_entity_top1", "relation_top1", "entity_prior"):
        assert 0 <= verdict[name] <= 1
    about = json.loads((whole / "about" / "spot.json").read_text())
    assert about["model"]["entity_cutoffs"] == [20, 60]


@pytest.mark.parametrize(
    ("settings", "world", "tolerance"),
    [
        ((), 2, 1e-5),
        (('training.parallel="fsdp"', "training.recompute=true", "data.pack=120"), 2, 1e-5),
        (("data.pack=120", "training.recompute=true"), 1, 1e-5),
        (('training.precision="bf16"', "data.pack=120"), 1, 3e-2),
    ],
    ids=["ddp", "fsdp-recompute-packed", "packed-recompute", "bf16-packed"],
)
def test_spot_losses_are_those_of_one_rank(
    whole: Path, sample_spot: Path, tmp_path: Path, settings: tuple[str, ...], world: int, tolerance: float
) -> None:
    run = ran(tmp_path / "run", sample_spot, *STILL, *settings, world=world)
    assert losses(run) == pytest.approx(losses(whole), rel=tolerance)


def test_a_run_that_was_killed_goes_on_as_if_nothing_had_been(sample_spot: Path, tmp_path: Path) -> None:
    """With dropout, in the middle of a stage: to the last digit. What a kill leaves is a log behind its checkpoint."""
    expected = ran(tmp_path / "whole", sample_spot)
    run = ran(tmp_path / "killed", sample_spot, max_steps=5)
    shutil.rmtree(run / "checkpoints" / "step-00000005")
    assert [event["step"] for event in events(run, "train")] == [1, 2, 3, 4, 5]
    ran(tmp_path / "killed", sample_spot)
    assert [event["step"] for event in events(run, "resumed")] == [4]
    assert losses(run) == losses(expected)
