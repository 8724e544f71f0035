"""docs/finetune.md: the task of one's own that it shows runs as it stands there; its lists are those of the code."""

import json
import re
from dataclasses import fields
from pathlib import Path

import pytest
from click.testing import CliRunner

from wikiprep.cli.main import cli
from wikiprep.errors import UsageError, WikiprepError
from wikiprep.tasks.options import EncoderOptions, JointOptions, TaskOptions
from wikiprep.tasks.registry import TASKS, task_named

DOCS = Path(__file__).parents[2] / "docs"
TEXT = (DOCS / "finetune.md").read_text(encoding="utf-8")
JOINT = (DOCS / "joint-extraction.md").read_text(encoding="utf-8")
(CODE,) = re.findall(r"^```python\n(.*?)^```", TEXT, re.MULTILINE | re.DOTALL)
WORDS = {"good": "It was lovely and warm", "bad": "It was awful and cold"}


def data(folder: Path, parts: tuple[str, ...] = ("train", "dev", "test")) -> Path:
    folder.mkdir()
    for part in parts:
        lines = [f"{label}\t{text} on day {n} .\n" for n in range(30) for label, text in WORDS.items()]
        (folder / f"{part}.tsv").write_text("".join(lines))
    return folder


def finetune(task: Path, model: Path, folder: Path, run: Path) -> str:
    sets = ("stages.epochs=6", "stages.learning_rate=3e-3", "data.global_batch=16", "model.dropout=0.0")
    words = ["finetune", str(task), "--model", str(model), "--data", str(folder), "-o", str(run)]
    done = CliRunner().invoke(cli, [*words, *(w for s in sets for w in ("--set", s))], catch_exceptions=False)
    assert done.exit_code == 0, done.output
    return done.output


@pytest.fixture
def task(tmp_path: Path) -> Path:
    path = tmp_path / "sentences.py"
    path.write_text(CODE)
    return path


@pytest.mark.parametrize("encoder", ["luke", "roberta"])
def test_a_task_in_one_file_trains_and_is_scored_by_itself(
    encoder: str, task: Path, tmp_path: Path, request: pytest.FixtureRequest
) -> None:
    run = tmp_path / "run"
    said = finetune(task, request.getfixturevalue(encoder), data(tmp_path / "data"), run)
    scores = json.loads((run / "results.json").read_text())["runs"][0]["scores"]
    assert scores["dev"]["main"] == "accuracy" and scores["test"]["figures"]["accuracy"] > 90
    assert "| model | published in | split | accuracy | macro_f1 |" in said and "LUKE, Table" not in said
    assert len((run / "predictions.test.jsonl").read_text().splitlines()) == 60
    assert not list(run.glob("*.official*"))


def test_what_is_wrong_with_the_data_or_the_file_is_told(task: Path, luke: Path, tmp_path: Path) -> None:
    with pytest.raises(UsageError, match="no part to train on"):
        finetune(task, luke, data(tmp_path / "d", ("dev",)), tmp_path / "r")
    (tmp_path / "d/train.tsv").write_text("good\tfine\nbad\n")
    with pytest.raises(WikiprepError, match=r"train\.tsv:2: no label"):
        finetune(task, luke, tmp_path / "d", tmp_path / "r2")
    task.write_text("x = 1\n")
    with pytest.raises(UsageError, match="has no function make"):
        task_named(str(task), TaskOptions())
    task.write_text("x = \n")
    with pytest.raises(UsageError, match=r"sentences\.py: cannot be run \(SyntaxError"):
        task_named(str(task), TaskOptions())


def test_an_error_within_make_is_not_called_another(task: Path) -> None:
    task.write_text("def make(name, options):\n    return options.no_such_option\n")
    with pytest.raises(AttributeError, match="no_such_option"):
        task_named(str(task), TaskOptions())


def test_all_tasks_and_options_stand_there() -> None:
    for name in TASKS:
        assert re.search(rf"^\| [^|]*`{name}`", TEXT, re.MULTILINE), name
    for table in (TaskOptions(), EncoderOptions()):
        _all_stand([field.name for field in fields(table)], table, TEXT)
    own = {field.name for field in fields(JointOptions())} - {field.name for field in fields(TaskOptions())}
    _all_stand([*own, "entities"], JointOptions(), JOINT)


def _all_stand(names: list[str], table: object, text: str) -> None:
    for name in names:
        default = re.escape(str(getattr(table, name)).lower())
        assert re.search(rf"`{name}` \([^)]*`?{default}\b", text), name
