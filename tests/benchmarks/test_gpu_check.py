"""The script for a GPU runs all it has on a CPU at a size that says nothing, and a part that fails costs no other."""

import subprocess
import sys
import time
from collections.abc import Iterator
from multiprocessing.connection import Connection
from pathlib import Path

import pytest
import torch
from torch.nn import functional as F  # noqa: N812

BENCHMARKS = Path(__file__).parents[2] / "benchmarks"
sys.path.insert(0, str(BENCHMARKS))

import gpu_check  # noqa: E402
import gpu_parts  # noqa: E402
from gpu_measure import HEADER, Plan, Row, plan_for  # noqa: E402

TINY = plan_for(torch.device("cpu"), tiny=True)
ROWS = {
    "parity": 6,
    "packed": 12,
    "packing": 6,
    "optimizer": 4,
    "softmax": 12 if hasattr(F, "linear_cross_entropy") else 10,
}


@pytest.fixture(autouse=True)
def as_a_user_has_it() -> Iterator[None]:
    """Warnings are errors in tests, and PyTorch's compiler has some."""
    import warnings

    with warnings.catch_warnings():
        warnings.simplefilter("ignore")
        yield
    torch._dynamo.reset()


@pytest.mark.parametrize("name", ROWS)
def test_parts_run_and_numbers_agree(name: str) -> None:
    rows = list(getattr(gpu_parts, name)(TINY))
    assert len(rows) == ROWS[name] and all(row.good is not False for row in rows), rows
    assert sum(row.good is True for row in rows) == {
        "parity": 4,
        "packed": ROWS["packed"],
        "softmax": 10,  # torch's has no goal
    }.get(name, 0)
    assert all(row.line().count("|") == HEADER.splitlines()[0].count("|") for row in rows)


def test_parity_finds_a_difference(monkeypatch: pytest.MonkeyPatch) -> None:
    monkeypatch.setattr(gpu_parts, "our_loss", lambda model, batch: lambda: 1.001 * gpu_parts_loss(model, batch)())
    assert next(row.good for row in gpu_parts.parity(TINY) if "float32 of transformers" in row.what) is False


gpu_parts_loss = gpu_parts.our_loss


def _slow(name: str, plan: Plan, rows: Connection) -> None:
    rows.send(Row(name, "one", "1"))
    time.sleep(600)


def _fails(name: str, plan: Plan, rows: Connection) -> None:
    gpu_check._part("no such part", plan, rows)


def test_a_part_that_is_slow_or_fails_costs_no_other(
    monkeypatch: pytest.MonkeyPatch, capsys: pytest.CaptureFixture[str]
) -> None:
    monkeypatch.setattr(gpu_check, "_part", _slow)
    *before, cut = gpu_check.run_part("speed", TINY, 6)
    assert cut.part == "failed" and cut.figure == "cut off after 6 s" and len(before) <= 1
    monkeypatch.setattr(gpu_check, "_part", _fails)
    (row,) = gpu_check.run_part("speed", TINY, 600)
    assert row.part == "failed" and "no such part" in row.figure and row.good is False
    assert "cut off after 6 s" in capsys.readouterr().out


@pytest.mark.skipif(torch.cuda.is_available(), reason="there is a GPU")
def test_without_a_gpu_it_says_what_it_would_do(
    monkeypatch: pytest.MonkeyPatch, capsys: pytest.CaptureFixture[str]
) -> None:
    monkeypatch.setattr(sys, "argv", ["gpu_check.py"])
    assert gpu_check.main() == 0
    said = capsys.readouterr().out
    assert said.startswith("no GPU") and all(f"- {name} (up to" in said for name in gpu_check.LIMITS)


@pytest.mark.slow
def test_the_whole_script() -> None:
    command = [sys.executable, str(BENCHMARKS / "gpu_check.py"), "--device", "cpu", "--tiny"]
    ended = subprocess.run(command, capture_output=True, text=True, timeout=400)
    table = ended.stdout.split("All of it:\n\n")[1].splitlines()[2:]
    assert ended.returncode == 0, ended.stdout + ended.stderr
    assert {line.split(" | ")[0].removeprefix("| ") for line in table} == set(gpu_check.LIMITS)
