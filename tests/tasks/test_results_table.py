"""`wikiprep results`: runs that differ in their seed alone are one row; bad input is named. Torch is not needed."""

import json
from pathlib import Path
from typing import Any

import pytest
from click.testing import CliRunner

from wikiprep.cli.main import cli
from wikiprep.errors import UsageError, WikiprepError
from wikiprep.tasks.results_of_runs import group_runs, read_runs

SEMEVAL = {"precision": 1.0, "recall": 2.0}


def one(folder: Path, seed: int, f1: float, task: str = "semeval2010", **more: Any) -> dict[str, Any]:
    """An entry of results.json."""
    figures = {"em": f1 - 5, "f1": f1} if task == "squad" else SEMEVAL | {"f1": f1, "accuracy": f1 + 1}
    parts = ("dev",) if task == "squad" else ("dev", "test")
    scores = {part: {"main": "f1", "figures": figures, "examples": 9} for part in parts}
    return {"task": task, "model": "my|encoder", "seed": seed, "scores": scores, "folder": str(folder)} | more


def write(folder: Path, *entries: dict[str, Any], options: str = "", about: dict[str, bool] | None = None) -> Path:
    folder.mkdir(parents=True, exist_ok=True)
    (folder / "results.json").write_text(json.dumps({"schema": "results/1", "runs": entries, "summary": {}}))
    for entry in entries:
        own = folder / Path(entry["folder"]).name if len(entries) > 1 else folder
        (own / "about").mkdir(parents=True, exist_ok=True)
        (own / "config.toml").write_text(f"{options}\n[data]\nseed = {entry['seed']}\n")
        if about is not None:
            (own / "about/task.json").write_text(json.dumps({"encoder": about}))
    return folder


def results(*words: object) -> str:
    done = CliRunner().invoke(cli, ["results", *map(str, words)], catch_exceptions=False)
    assert done.exit_code == 0, done.output
    return done.stdout


def test_runs_that_differ_in_their_seed_are_one_row(tmp_path: Path) -> None:
    aware, words = {"setting": "entity-aware attention"}, {"entities": False, "entity_aware_attention": False}
    several = write(
        tmp_path / "several",
        one(tmp_path / "gone/seed-1", 1, 80.0, **aware),
        one(tmp_path / "gone/seed-2", 2, 82.0, **aware),
    )
    third = write(tmp_path / "third", one(tmp_path / "third", 3, 84.0, **aware))
    other = write(tmp_path / "other", one(tmp_path / "other", 3, 70.0, **aware), options="family = 'x'")
    ablation = write(tmp_path / "words", one(tmp_path / "words", 1, 60.0), about=words)  # before it said the setting
    found = group_runs(read_runs([str(folder) for folder in (several, third, other, ablation)]))
    assert [[run.seed for run in row.runs] for row in found] == [[1, 2, 3], [3], [1]]
    assert found[0].figures("test")["f1"] == pytest.approx((82.0, 2.0))
    assert found[1].figures("dev")["f1"] == (70.0, None)
    assert [row.runs[0].setting for row in found] == ["entity-aware attention"] * 2 + ["words alone"]
    shown = results(several, third, other, ablation)
    assert "| **my\\|encoder** | entity-aware attention | 3 | 82.00 ± 2.00 | 82.00 ± 2.00 |" in shown
    assert "| **my\\|encoder** | words alone | 1 | 60.00 | 60.00 |" in shown
    assert "| LUKE | published: SPOT, Table 6 | - | - | 90.3 |" in shown
    assert "accuracy" not in shown and "test accuracy" in results("--every-figure", several)


def test_a_task_has_a_table_and_a_closed_test_has_no_column(tmp_path: Path) -> None:
    semeval = write(tmp_path / "a", one(tmp_path / "a", 1, 80.0))
    squad = write(tmp_path / "b", one(tmp_path / "b", 1, 90.0, "squad"))
    again = write(tmp_path / "c", one(tmp_path / "c", 2, 81.0))
    shown = results(semeval, squad, again)
    first, second = shown.split("\nsquad, per cent\n\n")
    assert "semeval2010, per cent" in first and "80.50 ± 0.71" in first
    assert second.startswith("| encoder | setting | seeds | dev em | dev f1 |\n")
    assert "| LUKE | published: LUKE, Table 5 | - | 89.8 | 95.0 |" in second
    assert "| **my\\|encoder** | not known | 1 | 85.00 | 90.00 |" in second


def test_json_has_every_figure_and_the_published_rows(tmp_path: Path) -> None:
    folder = write(tmp_path / "a", one(tmp_path / "a/seed-1", 1, 80.0), one(tmp_path / "a/seed-2", 2, 82.0))
    found = json.loads(results("--json", folder))
    (row,) = found["rows"]
    assert row["seeds"] == [1, 2] and row["folders"] == [str(folder / "seed-1"), str(folder / "seed-2")]
    assert row["scores"]["test"]["f1"] == {"mean": 81.0, "deviation": pytest.approx(2**0.5)}
    assert set(row["scores"]["dev"]) == {"precision", "recall", "f1", "accuracy"}
    assert any(one["model"] == "LUKE" for one in found["published"]["semeval2010"])


def test_what_is_no_ended_run_is_named(tmp_path: Path) -> None:
    def refused(*folders: Path) -> str:
        with pytest.raises((UsageError, WikiprepError)) as error:
            group_runs(read_runs([str(folder) for folder in folders]))
        return str(error.value)

    assert "no such folder" in refused(tmp_path / "none")
    assert "no results.json in it" in refused(tmp_path)
    (tmp_path / "begun/about").mkdir(parents=True)
    (tmp_path / "begun/about/task.json").write_text("{}")
    assert "the run has not ended" in refused(tmp_path / "begun")
    (tmp_path / "pretrained/checkpoints").mkdir(parents=True)
    assert "a run of pretrain" in refused(tmp_path / "pretrained")
    good = write(tmp_path / "good", one(tmp_path / "good", 1, 80.0))
    assert "give the runs in it: good" in refused(tmp_path)
    assert "is counted already" in refused(good, good)
    copy = write(tmp_path / "copy", one(tmp_path / "good", 1, 80.0))
    assert "the same run, with the same seed" in refused(good, copy)
    for text, what in (
        ("{", "results.json: cannot be read"),
        ('{"schema": "results/9", "runs": []}', "holds results/9"),
        ('{"schema": "results/1", "runs": [{"task": "x"}]}', "KeyError"),
        ('{"schema": "results/1", "runs": 3}', "cannot be read"),
    ):
        (copy / "results.json").write_text(text)
        assert what in refused(copy)
    assert CliRunner().invoke(cli, ["results"]).exit_code == 2
