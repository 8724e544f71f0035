"""A checkpoint that is written while training goes on is the state as it was, whole or absent."""

from datetime import timedelta
from pathlib import Path

import pytest
import torch
from torch import Tensor

from wikiprep.errors import WikiprepError
from wikiprep.pretrain.checkpoint import save as module
from wikiprep.pretrain.checkpoint.folder import Header, checkpoints_of
from wikiprep.pretrain.checkpoint.load import newest_whole, read_weights
from wikiprep.pretrain.checkpoint.save import begin, part_of_rank, save
from wikiprep.pretrain.log import silent
from wikiprep.pretrain.ranks import join_ranks


def header(step: int) -> Header:
    return Header(step, 16 * step, 0, step, 1, {})


def state_of(value: float) -> dict[str, Tensor]:
    return {"model.a": torch.full((3, 2), value), "model.b": torch.full((4,), -value)}


def test_what_is_written_is_what_was_there(tmp_path: Path) -> None:
    with join_ranks(1) as ranks:
        group, state = ranks.group(1), state_of(1.0)
        saving = begin(tmp_path, state, header(5), ranks, group)
        for tensor in state.values():  # training goes on
            tensor.zero_()
        assert not checkpoints_of(tmp_path)
        path = saving.finish(3, ranks)
        assert saving.written() and newest_whole(tmp_path, ranks, silent) == (path, header(5))
        found = read_weights(path)
        assert found["a"].eq(1).all() and found["b"].eq(-1).all()
        # One that nobody finishes, as of a killed run, is none, and goes with the next.
        begin(tmp_path, state, header(6), ranks, group)._written.result()
        assert [path.name for path in checkpoints_of(tmp_path)] == ["step-00000005"]
        save(tmp_path, state_of(2.0), header(7), 1, ranks)
        assert [path.name for path in tmp_path.iterdir()] == ["step-00000007"]


@pytest.mark.parametrize(
    ("failed", "told"),
    [
        (OSError(28, "No space left on device"), "No space left"),
        (RuntimeError("Timed out waiting 60000ms for recv\nstack"), "Timed out waiting 60000ms for recv"),
        (torch.distributed.DistNetworkError(""), "DistNetworkError"),
    ],
    ids=["disk", "slow rank", "no words"],
)
def test_what_keeps_it_from_being_written_is_told_when_it_is_finished(
    failed: Exception, told: str, tmp_path: Path, monkeypatch: pytest.MonkeyPatch
) -> None:
    def full(path: Path) -> dict[str, object]:
        raise failed

    monkeypatch.setattr(module, "_entry", full)
    with join_ranks(1) as ranks:
        saving = begin(tmp_path, state_of(1.0), header(5), ranks, ranks.group(1))
        with pytest.raises(WikiprepError, match=rf"a checkpoint could not be written \({told}"):
            saving.finish(3, ranks)
        assert not checkpoints_of(tmp_path)


def test_its_group_waits_as_long_as_the_run_does() -> None:
    with join_ranks(3) as ranks:
        backend = ranks.group(0.5)._get_backend(torch.device("cpu"))
        assert backend.options._timeout == timedelta(seconds=30)


def test_nobody_copies_all_of_it() -> None:
    state = {f"model.{number}": torch.zeros(size) for number, size in enumerate((50, 7, 30, 20, 1, 0))}
    parts = [part_of_rank(state, rank, 3) for rank in range(3)]
    assert sorted(name for part in parts for name in part) == sorted(state)
    assert max(sum(t.numel() for t in part.values()) for part in parts) == 50
