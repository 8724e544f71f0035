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
    folder.mkdir()
    (folder / "luke.toml").write_text(CONFIG)
    run = start(folder / "run", corpus, *settings, world=world, config=str(folder / "luke.toml"))
    run.wait()
    evaluation = events(run.folder, "evaluate")[-1]
    assert evaluation["records"] == 8 and 0 <= evaluation["entity_top10"] <= 1
    return figures(run.folder)


def figures(folder: Path) -> list[float]:
    """Losses and norms of gradients by step, and what evaluation found at the end."""
    steps, last = events(folder, "train"), events(folder, "evaluate")[-1]
    made = [event[name] for name in ("loss", "gradient_norm") for event in steps]
    return made + [last[name] for name in ("loss.mlm", "loss.entity", "entity_top10")]


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
        (("data.pack=400", "training.recompute=true", 'training.attention="varlen"'), 1, 1e-5),
        (('training.precision="bf16"', "data.pack=400"), 1, 2e-2),
    ],
    ids=["ddp", "fsdp-recompute", "packed-recompute-unpadded", "bf16-packed"],
)
def test_losses_are_those_of_one_rank(
    expected: list[float], sample_corpus: Path, tmp_path: Path, settings: tuple[str, ...], world: int, tolerance: float
) -> None:
    found = losses(tmp_path / "run", sample_corpus, *settings, world=world)
    assert found == pytest.approx(expected, rel=tolerance)


def test_a_run_goes_on_on_any_mesh(expected: list[float], sample_corpus: Path, tmp_path: Path) -> None:
    """Four ranks as two copies of two shares, one rank, two ranks: with the entity table spread over ranks or not."""
    (tmp_path / "luke.toml").write_text(CONFIG)
    for steps, world, settings in (
        (3, 4, ('training.parallel="fsdp"', "training.replicas=2", "training.shard_entities=true")),
        (4, 1, ()),
        (6, 2, ("training.shard_entities=true",)),
    ):
        run = start(
            tmp_path / "run",
            sample_corpus,
            *settings,
            world=world,
            config=str(tmp_path / "luke.toml"),
            max_steps=steps,
        )
        run.wait()
    assert figures(run.folder) == pytest.approx(expected, rel=1e-5)


def test_ranks_that_cannot_be_shared_out_are_told(sample_corpus: Path, tmp_path: Path) -> None:
    for settings, message in (
        (("training.replicas=2",), 'training.replicas = 2 with training.parallel = "ddp"'),
        (('training.parallel="fsdp"', "training.replicas=2"), "there are 1 ranks"),
        (("training.shard_entities=true",), "the family toy has no table that it can spread"),
    ):
        (said,) = start(tmp_path / "run", sample_corpus, *settings).wait(2)
        assert message in said and not (tmp_path / "run").exists()


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
