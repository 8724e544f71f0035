"""What a run shows while it goes: where it stands, and the time left, however seldom a step is logged."""

import re
from pathlib import Path
from types import SimpleNamespace

import pytest

from wikiprep.pretrain import log as log_module
from wikiprep.pretrain.log import RunLog


def test_the_time_left_is_told_from_the_first_step_on(
    tmp_path: Path, monkeypatch: pytest.MonkeyPatch, capsys: pytest.CaptureFixture[str]
) -> None:
    now = 1000.0
    monkeypatch.setattr(log_module, "time", SimpleNamespace(monotonic=lambda: now))
    log = RunLog(tmp_path, 100, 400)  # gone on with at step 100
    now += 40
    log.show(110, "loss 1.0")
    now += 3600
    log.show(400, "loss 0.5")
    log.close()
    lines = capsys.readouterr().err.splitlines()
    assert [re.sub(" +", " ", line) for line in lines] == [
        "step 110 of 400 28% 0:19:20 left loss 1.0",  # 290 steps at 4 s
        "step 400 of 400 100% 0:00:00 left loss 0.5",
    ]


def test_a_notebook_has_one_line_for_all_steps(
    tmp_path: Path, monkeypatch: pytest.MonkeyPatch, capsys: pytest.CaptureFixture[str]
) -> None:
    monkeypatch.setenv("WIKIPREP_PROGRESS", "notebook")
    log = RunLog(tmp_path, 0, 400)
    log.show(200, "loss 1.0")
    log.say("checkpoint-200")
    log.show(400, "loss 0.5")
    log.close()
    lines = [line.split("\r") for line in capsys.readouterr().err.split("\n")]
    assert [len(line) for line in lines] == [4, 2, 1]
    assert lines[0][1].startswith("step 200 of 400  50%")
    assert lines[0][3] == "checkpoint-200"
    assert lines[1][1].endswith("loss 0.5")


def test_a_narrow_terminal_shows_step_share_and_time_left_whole(
    tmp_path: Path, monkeypatch: pytest.MonkeyPatch, capsys: pytest.CaptureFixture[str]
) -> None:
    """A terminal of 80 columns, as a person has it; losses are folded below."""
    losses = "  ".join(f"loss {name} 1.2345" for name in ("one", "two", "three", "four", "five", "six", "seven"))
    monkeypatch.setenv("WIKIPREP_PROGRESS", "bar")
    monkeypatch.setenv("COLUMNS", "80")
    log = RunLog(tmp_path, 0, 20_000)
    log.show(1_500, losses)
    log.close()
    plain = re.sub(r"\x1b\[[0-9;?]*[A-Za-z]", "", capsys.readouterr().err).replace("\r", "\n")
    shown = [line.rstrip() for line in plain.split("\n")]
    at = max(i for i, line in enumerate(shown) if line.startswith("step 1,500 of 20,000  8%"))
    assert shown[at].endswith("left")
    assert "loss seven 1.2345" in " ".join(" ".join(shown[at + 1 : at + 4]).split())
    assert all(len(line) <= 80 for line in shown)
