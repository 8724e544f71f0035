"""What is written in a benchmark's own form is read back as it was."""

import json
from dataclasses import replace
from pathlib import Path

import pytest
from task_files import SMALL, real

from wikiprep.errors import UsageError
from wikiprep.tasks.data.sets import read, splits_of
from wikiprep.tasks.examples import Mention
from wikiprep.tasks.gold import gold_of
from wikiprep.tasks.predictions import Prediction
from wikiprep.tasks.read_predicted import with_predictions
from wikiprep.tasks.write_official import write_official


def right(task: str, folder: Path) -> list[Prediction]:
    gold = gold_of(read(task, folder, splits_of(task)[-1]).examples)
    answers = task in ("squad", "record")
    return [replace(one, predicted=one.gold[0] if answers else one.gold) for one in gold]  # type: ignore[index]


@pytest.mark.parametrize("task", ["squad", "record", "semeval2010", "tacred", "conll2003"])
def test_there_and_back(task: str, tmp_path: Path) -> None:
    predictions = right(task, SMALL / task)
    write_official(task, tmp_path / "official", predictions)
    assert with_predictions(task, predictions, tmp_path / "official") == (predictions, [])


def test_wnut17_there_and_back(tmp_path: Path) -> None:
    predictions = right("wnut17", real("wnut17"))
    write_official("wnut17", tmp_path / "official", predictions)
    assert with_predictions("wnut17", predictions, tmp_path / "official") == (predictions, [])


def test_what_was_not_answered(tmp_path: Path) -> None:
    path = tmp_path / "x"
    some = [Prediction("1", "", None, "a"), Prediction("2", "", None, None)]
    write_official("squad", path, some)
    assert json.loads(path.read_text()) == {"1": "a"}
    write_official("semeval2010", path, some)
    assert path.read_text() == "1\ta\n"
    write_official("tacred", path, some)
    assert path.read_text() == "a\nno_relation\n"


def test_conlleval_reads_three_columns(tmp_path: Path) -> None:
    path = tmp_path / "x"
    write_official("conll2003", path, [Prediction("0", "In New York", (Mention(3, 11, "LOC"),), ())])
    assert path.read_text() == "In\tO\tO\nNew\tB-LOC\tO\nYork\tI-LOC\tO\n\n"


def test_what_cannot_be_written(tmp_path: Path) -> None:
    with pytest.raises(UsageError, match="fewrel has no official form"):
        write_official("fewrel", tmp_path / "x", [])
    for mentions in ((Mention(4, 11, "LOC"),), (Mention(0, 2, "LOC"), Mention(0, 2, "PER"))):
        with pytest.raises(ValueError, match=r"whole words|overlaps"):
            write_official("conll2003", tmp_path / "x", [Prediction("0", "In New York", (), mentions)])
    assert not (tmp_path / "x").exists()
