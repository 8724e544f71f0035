"""`torchrun -m wikiprep finetune` with two ranks: the scores and, but for rounding, the weights of one."""

import json
import os
import subprocess
import sys
from pathlib import Path

import pytest
from click.testing import CliRunner

from wikiprep.cli.main import cli

torch = pytest.importorskip("torch")

SETS = (
    "stages.epochs=2",
    "stages.learning_rate=3e-3",
    "data.global_batch=16",
    "model.dropout=0.0",
    "log.every=1",
    "data.micro_batch_tokens=400",  # several micro-batches a step, so that both ranks have some
)


def losses(run: Path) -> list[float]:
    events = map(json.loads, (run / "log.jsonl").read_text().splitlines())
    return [event["loss"] for event in events if event["event"] == "train"]


def answers(run: Path) -> list[tuple[str, str]]:
    lines = map(json.loads, (run / "predictions.test.jsonl").read_text().splitlines())
    return [(line["id"], line["predicted"]) for line in lines]


def test_two_ranks_come_to_the_scores_of_one(luke: Path, semeval: Path, tmp_path: Path) -> None:
    words = ["finetune", "semeval2010", "--model", str(luke), "--data", str(semeval)]
    words += [word for one in SETS for word in ("--set", one)]
    torchrun = ["-m", "torch.distributed.run", "--nproc-per-node", "2", "--rdzv-backend", "c10d"]
    torchrun += ["--rdzv-endpoint", "127.0.0.1:0"]
    runs = {name: tmp_path / name for name in ("one", "two")}
    alone = CliRunner().invoke(cli, [*words, "-o", str(runs["one"])], catch_exceptions=False)
    assert alone.exit_code == 0, alone.output
    done = subprocess.run(
        [sys.executable, *torchrun, "-m", "wikiprep", *words, "-o", str(runs["two"])],
        capture_output=True,
        text=True,
        env={**os.environ, "OMP_NUM_THREADS": "1", "CUDA_VISIBLE_DEVICES": ""},
        check=False,
    )
    assert done.returncode == 0, done.stderr[-4000:]
    for said in (alone.stdout, done.stdout):
        assert said.count("semeval2010, test, per cent") == 1  # the first rank alone prints
    one, two = (json.loads((run / "results.json").read_text())["runs"][0] for run in runs.values())
    assert one["scores"] == two["scores"] and one["scores"]["test"]["figures"]["f1"] > 0
    assert losses(runs["two"]) == pytest.approx(losses(runs["one"]), rel=1e-3)
    assert answers(runs["one"]) == answers(runs["two"])
