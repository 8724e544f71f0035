"""Weights & Biases gets the numbers of the log, by the interface that TensorBoard has (a stand-in of its module)."""

import json
import sys
from pathlib import Path
from types import SimpleNamespace
from typing import Any

import pytest

from wikiprep.errors import UsageError, WikiprepError
from wikiprep.pretrain.config import PretrainConfig
from wikiprep.pretrain.config_toml import dump_config, load_config
from wikiprep.pretrain.log import RunLog


class Wandb:
    """What `metric_boards.py` asks of the module; offline, as WANDB_MODE=offline makes it."""

    def __init__(self) -> None:
        self.begun: list[dict[str, Any]] = []
        self.logged: list[dict[str, float]] = []
        self.finished = 0

    def init(self, **words: Any) -> Any:
        self.begun.append(words)
        return SimpleNamespace(define_metric=lambda *_, **__: None, log=self.logged.append, finish=self._finish)

    def _finish(self) -> None:
        self.finished += 1


@pytest.fixture
def wandb(monkeypatch: pytest.MonkeyPatch) -> Wandb:
    made = Wandb()
    monkeypatch.setitem(sys.modules, "wandb", made)
    return made


def test_every_number_of_the_log_and_one_run_over_a_break(wandb: Wandb, tmp_path: Path) -> None:
    for step in (0, 2):
        log = RunLog(tmp_path, step, 4, wandb="wiki", quiet=True)
        log.event("begun", step, world=1, folder="no number", fine=True)
        log.event("train", step + 1, loss=1.5, records=16)
        log.close()
    first, second = wandb.begun
    assert first == second and first["project"] == "wiki" and first["name"] == tmp_path.name
    assert first["id"] == (tmp_path / "wandb" / "run-id").read_text() and first["resume"] == "allow"
    assert Path(first["dir"]) == tmp_path and wandb.finished == 2
    events = [json.loads(line) for line in (tmp_path / "log.jsonl").read_text().splitlines()]
    assert [line["step"] for line in wandb.logged] == [event["step"] for event in events] == [0, 1, 2, 3]
    assert wandb.logged[0] == {"begun/world": 1, "step": 0}
    assert wandb.logged[3] == {"train/loss": 1.5, "train/records": 16, "step": 3}


def test_a_run_without_it_is_read_again(tmp_path: Path) -> None:
    """Its config.toml says wandb = "", which is a value here."""
    (tmp_path / "config.toml").write_text(dump_config(PretrainConfig()))
    assert load_config(str(tmp_path / "config.toml")).log == PretrainConfig().log


def test_other_folders_are_other_runs(wandb: Wandb, tmp_path: Path) -> None:
    for name in "ab":
        RunLog(tmp_path / name, 0, 4, wandb="wiki", quiet=True).close()
    assert len({words["id"] for words in wandb.begun}) == 2


def test_what_keeps_it_from_beginning_is_told(wandb: Wandb, tmp_path: Path, monkeypatch: pytest.MonkeyPatch) -> None:
    def no_key(**words: Any) -> Any:
        raise RuntimeError("api_key not configured (no-tty)")

    monkeypatch.setattr(wandb, "init", no_key)
    with pytest.raises(WikiprepError, match=r"did not begin \(RuntimeError: api_key.*\n.*WANDB_MODE=offline"):
        RunLog(tmp_path, 0, 4, wandb="wiki", quiet=True)
    monkeypatch.setitem(sys.modules, "wandb", None)
    with pytest.raises(
        UsageError, match=r'log.wandb = "wiki", but .* not installed\n  pip install "wikiprep\[wandb\]"'
    ):
        RunLog(tmp_path, 0, 4, wandb="wiki", quiet=True)
