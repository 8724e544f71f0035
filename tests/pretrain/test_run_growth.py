"""A run that is finished goes on: to more steps of its last stage, or to further stages."""

import json
from pathlib import Path

import numpy as np
import pytest
from running import CONFIG, events

from wikiprep.errors import UsageError
from wikiprep.pretrain.checkpoint.folder import checkpoints_of
from wikiprep.pretrain.checkpoint.load import read_weights
from wikiprep.pretrain.config import StageConfig
from wikiprep.pretrain.optimizer import learning_rate
from wikiprep.pretrain.run_identity import is_longer_run
from wikiprep.pretrain.start_training import Command, pretrain

HEAD = CONFIG.partition("[[stages]]")[0].replace("evaluate_every = 20", "evaluate_every = 0")
FIRST = {"parameters": "new", "steps": 4, "learning_rate": 0.01, "warmup_steps": 2}
SECOND = {"parameters": "all", "steps": 4, "learning_rate": 0.02}


def train(folder: Path, corpus: Path, *stages: dict[str, object], **words: object) -> None:
    folder.parent.mkdir(parents=True, exist_ok=True)
    config = folder.parent / f"{folder.name}.toml"
    lines = ("\n".join(["[[stages]]", *(f"{name} = {json.dumps(value)}" for name, value in s.items())]) for s in stages)
    config.write_text("\n".join((HEAD, *lines)))
    pretrain(Command(corpora=(str(corpus),), config=str(config), output=str(folder), quiet=True, **words))  # type: ignore[arg-type]


def weights(folder: Path) -> dict[str, np.ndarray]:
    return {name: t.numpy() for name, t in read_weights(checkpoints_of(folder / "checkpoints")[0]).items()}


def test_a_stage_more_is_as_if_it_had_been_asked_for_at_once(
    sample_corpus: Path, tmp_path: Path, capfd: pytest.CaptureFixture[str]
) -> None:
    train(tmp_path / "at-once", sample_corpus, FIRST, SECOND)
    train(tmp_path / "grown", sample_corpus, FIRST)
    capfd.readouterr()
    train(tmp_path / "grown", sample_corpus, FIRST, SECOND)
    assert f"{tmp_path / 'grown'}: was begun for 4 steps and goes on to 8" in capfd.readouterr().err
    there, here = weights(tmp_path / "at-once"), weights(tmp_path / "grown")
    assert there.keys() == here.keys() and all(np.array_equal(there[name], here[name]) for name in there)
    train(tmp_path / "grown", sample_corpus, FIRST, SECOND)  # it is that run now
    assert [event["step"] for event in events(tmp_path / "grown", "train")] == list(range(1, 9))


def test_more_steps_have_the_rates_of_the_longer_stage(sample_corpus: Path, tmp_path: Path) -> None:
    train(tmp_path / "run", sample_corpus, SECOND)
    train(tmp_path / "run", sample_corpus, SECOND | {"steps": 7})
    logged = events(tmp_path / "run", "train")
    short, long = (StageConfig(**(SECOND | {"steps": steps})) for steps in (4, 7))  # type: ignore[arg-type]
    rates = [learning_rate(short, step) for step in range(4)] + [learning_rate(long, step) for step in range(4, 7)]
    assert [event["learning_rate"] for event in logged] == pytest.approx(rates)
    assert [event["position"] for event in logged] == [16 * step for step in range(1, 8)]
    assert "steps = 7" in (tmp_path / "run" / "config.toml").read_text()
    for other in (SECOND, SECOND | {"steps": 9, "learning_rate": 0.01}, SECOND | {"steps": 9, "parameters": "new"}):
        with pytest.raises(UsageError, match="holds a run with stages"):
            train(tmp_path / "run", sample_corpus, other)
    with pytest.raises(UsageError, match="holds a run with stages"):
        train(tmp_path / "run", sample_corpus, FIRST, SECOND | {"steps": 7})


def test_what_is_a_longer_run() -> None:
    assert is_longer_run([FIRST, SECOND], [FIRST, SECOND, SECOND]) and is_longer_run(
        [FIRST], [FIRST | {"steps": 9}, SECOND]
    )
    assert is_longer_run([FIRST], [FIRST | {"steps": 9, "warmup_steps": 3}])  # a rise that is a share of the steps
    assert not is_longer_run([FIRST, SECOND], [FIRST | {"steps": 9}, SECOND])  # the second has begun, or will elsewhere
    assert not is_longer_run([FIRST, SECOND], [FIRST]) and not is_longer_run([FIRST], [FIRST | {"warmup_steps": 3}])
    assert not is_longer_run([FIRST], [FIRST | {"steps": 3}])


def test_a_run_of_an_earlier_version_goes_on(sample_corpus: Path, tmp_path: Path) -> None:
    """Its run.json lacks the options that came since, and has what may change at the default of then."""
    train(tmp_path / "run", sample_corpus, FIRST, max_steps=2)
    path = tmp_path / "run" / "run.json"
    today = json.loads(path.read_text())
    options = dict(today["options"])
    for name in ("data.shuffle_shards", "data.cache_gb", "data.cache_folder", "data.held_out_by", "optimizer.beta2"):
        del options[name]
    for name in ("training.replicas", "training.shard_entities", "checkpoints.asynchronous", "log.wandb"):
        del options[name]
    options |= {"training.compile": False, "checkpoints.every": 7, "data.micro_batch_tokens": 4711}
    options["stages"] = [
        {k: v for k, v in stage.items() if k not in ("epochs", "warmup_ratio")} for stage in options["stages"]
    ]
    path.write_text(json.dumps(today | {"options": options}))
    for settings, told in (
        (("data.shuffle_shards=2",), r"data\.shuffle_shards = 0, and this one has 2"),
        (("optimizer.beta2=0.5",), r"optimizer\.beta2 = 0\.999, and this one has 0\.5"),
        (('training.loss_mean="micro-batch"',), r"training\.loss_mean = \"global\""),
    ):
        with pytest.raises(UsageError, match=told):
            train(tmp_path / "run", sample_corpus, FIRST, settings=settings)
    train(tmp_path / "run", sample_corpus, FIRST | {"steps": 5}, settings=("checkpoints.asynchronous=true",))
    assert [event["step"] for event in events(tmp_path / "run", "train")] == [1, 2, 3, 4, 5]
    written = json.loads(path.read_text())["options"]
    assert {**written, "stages": 0} == {**today["options"], "stages": 0} and written["stages"][0]["steps"] == 5
    # Where losses are means over micro-batches, how they are cut decides the result.
    means = tmp_path / "means"
    train(means, sample_corpus, FIRST, max_steps=1, settings=('training.loss_mean="micro-batch"',))
    with pytest.raises(UsageError, match=r"data\.micro_batch_tokens = 600, and this one has 500"):
        again = ('training.loss_mean="micro-batch"', "data.micro_batch_tokens=500")
        train(means, sample_corpus, FIRST, settings=again)
