"""Under torchrun every rank says what is wrong with a command: whichever goes first ends the others unheard."""

import os
from pathlib import Path

import pytest

pytest.importorskip("torch", reason="torch is not installed: pip install '.[train]'")

from wikiprep.errors import UsageError
from wikiprep.pretrain.start_training import Command, pretrain
from wikiprep.tasks.finetune.run import FinetuneCommand as TaskCommand
from wikiprep.tasks.finetune.run import finetune


class Ended(Exception):
    """In the place of the end of a process."""


@pytest.mark.parametrize("rank", ["0", "1"])
def test_each_rank_of_pretrain_tells_it_and_ends(
    rank: str, tmp_path: Path, monkeypatch: pytest.MonkeyPatch, capsys: pytest.CaptureFixture[str]
) -> None:
    def ended(code: int) -> None:
        raise Ended(code)

    monkeypatch.setenv("RANK", rank)
    monkeypatch.setenv("WORLD_SIZE", "2")
    monkeypatch.setattr(os, "_exit", ended)
    with pytest.raises(Ended) as end:
        pretrain(
            Command(
                corpora=(str(tmp_path / "corpus"),),
                config="tiny",
                output=str(tmp_path / "run"),
                settings=("data.nothing=1",),
            )
        )
    assert end.value.args == (2,)
    assert "data.nothing" in capsys.readouterr().err


@pytest.mark.parametrize("rank", ["0", "1"])
def test_each_rank_of_finetune_tells_it(rank: str, tmp_path: Path, monkeypatch: pytest.MonkeyPatch) -> None:
    monkeypatch.setenv("RANK", rank)
    monkeypatch.setenv("WORLD_SIZE", "2")
    words = {"data": str(tmp_path / "data"), "model": "x", "output": str(tmp_path / "run")}
    with pytest.raises(UsageError, match="nothing"):
        finetune(TaskCommand(task="semeval2010", **words, settings=("data.nothing=1",)))
