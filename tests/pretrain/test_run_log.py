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
        "step 110 loss 1.0 0:19:20 left",  # 290 steps at 4 s
        "step 400 loss 0.5 0:00:00 left",
    ]
