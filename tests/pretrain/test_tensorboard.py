"""`log.tensorboard`: the numbers of log.jsonl as event files, each step once, also over a resume."""

import json
import shutil
import sys
from pathlib import Path

import pytest

from wikiprep.errors import UsageError
from wikiprep.pretrain.start_training import Command, pretrain

SETTINGS = ("log.tensorboard=true", "data.global_batch=4", "log.every=1", "checkpoints.every=2", "log.evaluate_every=2")


def test_the_event_files_say_what_the_log_says(sample_corpus: Path, tmp_path: Path) -> None:
    pytest.importorskip("tensorboard", reason="TensorBoard is not installed (pip install tensorboard)")
    from tensorboard.backend.event_processing.event_accumulator import EventAccumulator

    run = tmp_path / "run"
    pretrain(
        Command(
            corpora=(str(sample_corpus),), config="tiny", output=str(run), settings=SETTINGS, max_steps=4, quiet=True
        )
    )
    shutil.rmtree(run / "checkpoints" / "step-00000004")  # as if killed while it was written
    pretrain(
        Command(
            corpora=(str(sample_corpus),), config="tiny", output=str(run), settings=SETTINGS, max_steps=5, quiet=True
        )
    )
    board = EventAccumulator(str(run / "tensorboard"))
    board.Reload()
    logged = [json.loads(line) for line in (run / "log.jsonl").read_text().splitlines()]
    for name in ("loss", "learning_rate", "tokens_per_second", "data_wait", "loss.entity"):
        seen = {event.step: event.value for event in board.Scalars(f"train/{name}")}
        assert len(seen) == len(board.Scalars(f"train/{name}")) == 5
        told = {event["step"]: event[name] for event in logged if event["event"] == "train"}
        assert seen == pytest.approx(told, rel=1e-6)  # float32 there
    evaluated = {event["step"]: event["entity_top1"] for event in logged if event["event"] == "evaluate"}
    shown = {event.step: event.value for event in board.Scalars("evaluate/entity_top1")}
    assert shown == pytest.approx(evaluated, rel=1e-6) and set(shown) == {2, 4, 5}


def test_where_it_is_not_installed(sample_corpus: Path, tmp_path: Path, monkeypatch: pytest.MonkeyPatch) -> None:
    monkeypatch.setitem(sys.modules, "tensorboard", None)
    for name in [name for name in sys.modules if name.startswith("torch.utils.tensorboard")]:
        monkeypatch.delitem(sys.modules, name)
    with pytest.raises(UsageError, match=r"TensorBoard is not installed\n  pip install tensorboard"):
        pretrain(
            Command(
                corpora=(str(sample_corpus),),
                config="tiny",
                output=str(tmp_path / "run"),
                settings=SETTINGS,
                max_steps=1,
                quiet=True,
            )
        )
