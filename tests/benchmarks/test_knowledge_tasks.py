"""The table of benchmarks/knowledge_tasks.py: differences and ratios pair runs of one seed, whatever is missing."""

import argparse
import json
import sys
from pathlib import Path

import pytest

BENCHMARKS = Path(__file__).parents[2] / "benchmarks"
sys.path.insert(0, str(BENCHMARKS))

import knowledge_tasks  # noqa: E402

TASK = "glue/rte"


def finished(runs: Path, row: str, seed: int, score: float, seconds: float, peak: int) -> None:
    folder = knowledge_tasks.folder_of(runs, TASK, row, seed)
    folder.mkdir()
    (folder / knowledge_tasks.SETTINGS).write_text(json.dumps([TASK, row, seed, []]))
    scores = {"dev": {"main": "accuracy", "figures": {"accuracy": score}}}
    (folder / "results.json").write_text(json.dumps({"runs": [{"seed": seed, "scores": scores}]}))
    (folder / knowledge_tasks.COST).write_text(json.dumps({"cpu_seconds": seconds, "peak_bytes": peak}))


def test_rows_are_compared_on_the_seeds_that_both_have(tmp_path: Path) -> None:
    pytest.importorskip("scipy", reason="scipy is not installed: pip install '.[cluster]'")
    for seed, score in ((1, 60.0), (2, 62.0), (3, 70.0)):
        finished(tmp_path, "plain", seed, score, 100, 1000)
    for seed, score in ((1, 61.0), (2, 64.0)):
        finished(tmp_path, "head:wn18", seed, score, 250, 1500)
    names = list(knowledge_tasks.rows({"wn18": "folder"}))
    assert names == ["plain", "no-graph", "none", "head:wn18", "tail:wn18", "both:wn18"]
    _, _, plain, head = knowledge_tasks.table(list(knowledge_tasks.finished(tmp_path)), [TASK], names).splitlines()
    assert plain == "| glue/rte | plain | 64.00 ± 5.29 (3) |  |  |  |  |"
    # Differences 1 and 2: t = 1.5 / (0.7071 / sqrt(2)) = 3; one degree of freedom, so p = 1 - 2 atan(3) / pi = 0.2048.
    assert head == "| glue/rte | head:wn18 | 62.50 ± 2.12 (2) | +1.50 | p = 0.20 | 2.50 | 1.50 |"


def test_the_controls_have_no_vectors_or_no_relations() -> None:
    options = argparse.Namespace(settings=["a=1"], layer_set=["knowledge.layers=3"])
    assert knowledge_tasks.settings_of(options, "plain") == ["a=1"]
    assert knowledge_tasks.settings_of(options, "no-graph") == ["a=1", "knowledge.vectors=none", "knowledge.layers=3"]
    for row in ("none", "none:dbpedia50"):
        assert knowledge_tasks.settings_of(options, row) == ["a=1", "knowledge.mode=none", "knowledge.layers=3"]


def test_runs_of_another_row_whose_name_begins_alike_are_not_counted(tmp_path: Path) -> None:
    pytest.importorskip("scipy", reason="scipy is not installed: pip install '.[cluster]'")
    finished(tmp_path, "head:wn18", 1, 60.0, 1, 1)
    finished(tmp_path, "head:wn18-rotate", 1, 90.0, 1, 1)
    lines = list(knowledge_tasks.finished(tmp_path))
    assert [run.score for run in knowledge_tasks.runs_of_row(lines, TASK, "head:wn18").values()] == [60.0]


def ask(monkeypatch: pytest.MonkeyPatch, runs: Path, *more: str) -> None:
    paths = [str(runs / "encoder"), str(runs / "tasks"), str(runs)]
    monkeypatch.setattr(sys, "argv", ["knowledge_tasks.py", *paths, "--only", TASK, *more])
    knowledge_tasks.main()


def test_the_table_is_of_runs_with_these_settings(
    tmp_path: Path, monkeypatch: pytest.MonkeyPatch, capsys: pytest.CaptureFixture[str]
) -> None:
    finished(tmp_path, "plain", 1, 60.0, 1, 1)
    ask(monkeypatch, tmp_path, "--table")
    assert "| 60.00 (1) |" in capsys.readouterr().out
    ask(monkeypatch, tmp_path, "--table", "--set", "stages.epochs=1")
    assert "plain |" not in capsys.readouterr().out.partition("\n")[2]


def test_a_run_with_other_settings_is_not_taken_for_this_one(tmp_path: Path, monkeypatch: pytest.MonkeyPatch) -> None:
    finished(tmp_path, "plain", 1, 60.0, 1, 1)
    with pytest.raises(SystemExit, match=r"glue_rte-plain-1: a run with other settings .*: give another folder"):
        ask(monkeypatch, tmp_path, "--rows", "plain", "--seeds", "1", "--set", "stages.epochs=1")
