"""benchmarks/real_weights.py and its ledger: what is there is not run again, and both sources stand in one table."""

import json
import subprocess
import sys
from pathlib import Path

import pytest

BENCHMARKS = Path(__file__).parents[2] / "benchmarks"
sys.path.insert(0, str(BENCHMARKS))

import real_weights  # noqa: E402
from ledger import add_to_ledger, read_ledger  # noqa: E402

SETTINGS = ["stages.epochs=1"]


def line(row: str, seed: int, dev: float, test: float, settings: list[str] = SETTINGS) -> dict[str, object]:
    return {"task": "fewrel", "row": row, "seed": seed, "settings": settings, "dev": dev, "test": test}


def finish(command: list[str], scores: tuple[float, float]) -> None:
    """As a run leaves its folder: the Trainer's results, or those of `wikiprep finetune`."""
    output = Path(command[command.index("--output") + 1])
    if "finetune_trainer.py" in command[1]:
        output.write_text(json.dumps({"dev": scores[0], "test": scores[1]}))
        return
    parts = {
        part: {"main": "accuracy", "figures": {"accuracy": one}}
        for part, one in zip(("dev", "test"), scores, strict=True)
    }
    (output / "results.json").write_text(json.dumps({"runs": [{"scores": parts}]}))


def test_a_ledger_keeps_the_first_figures_of_a_run_and_sorts_its_lines(tmp_path: Path) -> None:
    path = tmp_path / "deep" / "runs.jsonl"
    assert read_ledger(path) == read_ledger(None) == {}
    add_to_ledger(path, [line("words", 2, 3.0, 4.0), line("words", 1, 1.0, 2.0)])
    add_to_ledger(path, [line("words", 1, 9.0, 9.0), line("words", 1, 5.0, 6.0, ["stages.epochs=2"])])
    lines = [json.loads(one) for one in path.read_text().splitlines()]
    assert lines == [
        line("words", 1, 1.0, 2.0),
        line("words", 1, 5.0, 6.0, ["stages.epochs=2"]),
        line("words", 2, 3.0, 4.0),
    ]


def test_only_what_is_missing_runs_and_the_table_has_all(
    tmp_path: Path, monkeypatch: pytest.MonkeyPatch, capsys: pytest.CaptureFixture[str]
) -> None:
    ledger = tmp_path / "runs.jsonl"
    add_to_ledger(ledger, [line("trainer", 1, 80.0, 82.0), line("aware", 1, 10.0, 10.0, ["stages.epochs=9"])])
    ran = []

    def run(command: list[str], **_: object) -> subprocess.CompletedProcess[bytes]:
        ran.append(command)
        finish(command, (84.0, 86.0))
        return subprocess.CompletedProcess(command, 0)

    monkeypatch.setattr(real_weights.subprocess, "run", run)
    words = [
        "x",
        "encoder",
        "luke",
        "tasks",
        str(tmp_path / "runs"),
        "--only=fewrel",
        f"--ledger={ledger}",
        "--seeds=2",
    ]
    monkeypatch.setattr(sys, "argv", [*words, "--rows=trainer,words", "--set", *SETTINGS])
    real_weights.main()
    assert ["trainer" if "finetune_trainer.py" in one[1] else one[3] for one in ran] == [
        "finetune",
        "trainer",
        "finetune",
    ]
    assert all("--set=stages.epochs=1" in one for one in ran)
    table = capsys.readouterr().out.splitlines()[-4:]
    assert table[0].endswith("| 82.00 ± 2.83 (2) | 84.00 ± 2.83 (2) |")  # seed 1 of the ledger, seed 2 ran
    assert table[1].endswith("| 84.00 ± 0.00 (2) | 86.00 ± 0.00 (2) |")
    assert table[3].endswith("|  |  |")  # of other settings
    ran.clear()
    real_weights.main()
    assert ran == []
    assert len(read_ledger(ledger)) == 5
