"""`wikiprep finetune` from the command to its files: it learns, goes on after a kill, and repeats itself."""

import json
import re
from pathlib import Path

import pytest
from click.testing import CliRunner, Result

from wikiprep.cli.main import cli
from wikiprep.errors import UsageError, WikiprepError
from wikiprep.pretrain.log import silent
from wikiprep.pretrain.ranks import join_ranks
from wikiprep.tasks.finetune.prepare import prepare
from wikiprep.tasks.options import load_task_config

pytestmark = pytest.mark.usefixtures("no_pictures")  # but for `run`, which is made before they are left out
FAST = (
    "stages.epochs=4",
    "stages.learning_rate=3e-3",
    "data.global_batch=16",
    "checkpoints.every=5",
    "log.every=1",
    "model.dropout=0.0",
)


def finetune(*words: object, settings: tuple[str, ...] = FAST) -> Result:
    sets = [word for setting in settings for word in ("--set", setting)]
    done = CliRunner().invoke(cli, ["finetune", *map(str, words), *sets], catch_exceptions=False)
    assert done.exit_code == 0, done.output
    return done


def results(folder: Path) -> dict:
    return json.loads((folder / "results.json").read_text())


def losses(folder: Path) -> list[float]:
    events = map(json.loads, (folder / "log.jsonl").read_text().splitlines())
    return [event["loss"] for event in events if event["event"] == "train"]


@pytest.fixture(scope="module")
def run(luke: Path, semeval: Path, tmp_path_factory: pytest.TempPathFactory) -> Path:
    folder = tmp_path_factory.mktemp("runs") / "whole"
    finetune("semeval2010", "--model", luke, "--data", semeval, "-o", folder)
    return folder


def test_it_learns_what_one_word_tells(run: Path) -> None:
    figures = results(run)["runs"][0]["scores"]
    assert figures["test"]["figures"]["f1"] > 90
    assert figures["dev"]["main"] == "f1"
    curve = losses(run)
    assert curve[-1] < curve[0] / 3


def test_predictions_show_text_gold_predicted_and_scores(run: Path) -> None:
    lines = [json.loads(line) for line in (run / "predictions.test.jsonl").read_text().splitlines()]
    assert len(lines) == 40
    assert re.fullmatch(r"The \[HEAD \w+\] \w+ the \[TAIL \w+\] of day \d+\.", lines[0]["text"])
    assert (
        lines[0]["gold"] in lines[0]["scores"]
        and max(lines[0]["scores"], key=lines[0]["scores"].get) == lines[0]["predicted"]
    )
    for name in ("predictions.test.jsonl", "predictions.test.official.txt"):
        files = [str(run / "predictions.test.jsonl"), str(run / name)]
        scored = CliRunner().invoke(cli, ["score", "semeval2010", *files, "--json"])
        assert json.loads(scored.stdout)["figures"] == results(run)["runs"][0]["scores"]["test"]["figures"]


def test_a_picture_shows_what_was_taken_for_what(run: Path) -> None:
    for part in ("dev", "test"):
        assert (run / f"confusion.{part}.png").read_bytes().startswith(b"\x89PNG")


def test_the_table_has_the_published_rows_and_ours(run: Path) -> None:
    assert "| LUKE | SPOT, Table 6 | test |" in (run / "results.md").read_text()
    assert "this run (seed 1)" in (run / "results.md").read_text()


def test_an_ended_run_is_not_trained_again(run: Path, luke: Path, semeval: Path) -> None:
    before = (run / "log.jsonl").read_bytes()
    finetune("semeval2010", "--model", luke, "--data", semeval, "-o", run)
    events = [json.loads(line)["event"] for line in (run / "log.jsonl").read_bytes()[len(before) :].splitlines()]
    assert events == ["resumed"]


def test_a_run_cut_off_between_checkpoints_comes_to_the_same_weights(
    run: Path, luke: Path, semeval: Path, tmp_path: Path, monkeypatch: pytest.MonkeyPatch
) -> None:
    from wikiprep.pretrain.trainer import Trainer

    after_step = Trainer._after_step

    def killed(self: Trainer, *words: object, **more: object) -> None:
        after_step(self, *words, **more)
        if self._step == 28:  # a checkpoint at 25, an epoch's end between
            raise KeyboardInterrupt

    monkeypatch.setattr(Trainer, "_after_step", killed)
    command = ("semeval2010", "--model", luke, "--data", semeval, "-o", tmp_path / "cut")
    with pytest.raises((KeyboardInterrupt, SystemExit, AssertionError)):
        finetune(*command)
    monkeypatch.undo()
    finetune(*command)
    assert losses(tmp_path / "cut") == losses(run)
    ours, theirs = (json.loads((folder / "best/best.json").read_text()) for folder in (tmp_path / "cut", run))
    assert ours == theirs
    for name in ("predictions.test.jsonl", "predictions.dev.jsonl"):
        assert (tmp_path / "cut" / name).read_bytes() == (run / name).read_bytes()


def test_the_weights_to_start_from_are_not_held_beside_the_model(luke: Path, semeval: Path) -> None:
    config, _ = load_task_config("", "semeval2010", ())
    with join_ranks(1) as ranks:
        prepared = prepare("semeval2010", semeval, str(luke), config, None, ranks, silent)
        assert prepared.start.tensors == {} and prepared.start.entities
        assert prepared.family.start().tensors  # read again where the model is built


def test_several_seeds_give_mean_and_deviation(luke: Path, semeval: Path, tmp_path: Path) -> None:
    short = (*FAST, "stages.epochs=1")
    finetune(
        "semeval2010",
        "--model",
        luke,
        "--data",
        semeval,
        "-o",
        tmp_path / "r",
        "--seed",
        5,
        "--seeds",
        2,
        settings=short,
    )
    found = results(tmp_path / "r")
    assert [one["seed"] for one in found["runs"]] == [5, 6]
    values = [one["scores"]["dev"]["figures"]["accuracy"] for one in found["runs"]]
    assert found["summary"]["dev"]["accuracy"]["mean"] == pytest.approx(sum(values) / 2)
    assert "deviation" in found["summary"]["dev"]["accuracy"]
    assert (tmp_path / "r/seed-6/predictions.test.jsonl").is_file()


def test_grid_takes_the_point_with_the_best_development_score(luke: Path, semeval: Path, tmp_path: Path) -> None:
    config = tmp_path / "small.toml"
    config.write_text("[grid]\nlearning_rate = [1e-9, 3e-3]\nepochs = [2]\n")
    finetune("semeval2010", "--model", luke, "--data", semeval, "-o", tmp_path / "g", "--config", config, "--grid")
    assert results(tmp_path / "g")["runs"][0]["folder"].endswith("grid-002")
    assert not (tmp_path / "g/grid-001/best").exists() and (tmp_path / "g/grid-002/best/best.json").is_file()
    assert "test" not in results(tmp_path / "g/grid-001")["runs"][0]["scores"]


@pytest.mark.parametrize("ablation", ["no-entities", "plain-attention"])
def test_ablations_train(ablation: str, luke: Path, semeval: Path, tmp_path: Path) -> None:
    finetune("semeval2010", "--model", luke, "--data", semeval, "-o", tmp_path / "a", "--ablation", ablation)
    about = json.loads((tmp_path / "a/about/task.json").read_text())["encoder"]
    assert about["entity_aware_attention"] is False
    assert about["entities"] is (ablation == "plain-attention")
    assert results(tmp_path / "a")["runs"][0]["scores"]["test"]["figures"]["f1"] > 80


def test_an_encoder_without_entities_asks_words_and_says_so_where_they_are_wanted(
    roberta: Path, semeval: Path, tmp_path: Path
) -> None:
    command = ("semeval2010", "--model", roberta, "--data", semeval, "-o", tmp_path / "r")
    with pytest.raises(UsageError, match="has no entities") as refused:
        finetune(*command, settings=(*FAST, "task.entities=yes"))
    assert "task.entities=no" in refused.value.hint
    finetune(*command)
    assert results(tmp_path / "r")["runs"][0]["scores"]["test"]["figures"]["f1"] > 80


def test_another_task_in_the_same_folder_is_refused(run: Path, luke: Path, semeval: Path) -> None:
    with pytest.raises(UsageError, match=r"task\.markers"):
        finetune("semeval2010", "--model", luke, "--data", semeval, "-o", run, settings=(*FAST, "task.markers=false"))


def test_a_missing_data_set_says_where_it_comes_from(luke: Path, tmp_path: Path) -> None:
    with pytest.raises(WikiprepError) as refused:
        finetune("tacred", "--model", luke, "--data", tmp_path, "-o", tmp_path / "r")
    assert "LDC2018T24" in str(refused.value) and "train.json" in str(refused.value)


def test_an_unknown_option_and_an_unknown_task_name_what_there_is(luke: Path, semeval: Path, tmp_path: Path) -> None:
    command = ("--model", luke, "--data", semeval, "-o", tmp_path / "r")
    with pytest.raises(UsageError, match="max_wrds") as refused:
        finetune("semeval2010", *command, settings=("task.max_wrds=3",))
    assert "max_words" in refused.value.hint
    with pytest.raises(UsageError, match="no task 'semeval'") as refused:
        finetune("semeval", *command)
    assert "semeval2010" in refused.value.hint


def test_titles_of_another_dump_are_for_tasks_that_look_entities_up(luke: Path, semeval: Path, tmp_path: Path) -> None:
    with pytest.raises(UsageError, match="semeval2010 looks no entities up"):
        finetune("semeval2010", "--model", luke, "--data", semeval, "-o", tmp_path / "r", "--titles-from", "corpus")
