"""Each task end to end on small data in its published form: it trains, predicts, scores, and writes the official form.

semeval2010 has its own tests in test_finetune.py.
"""

import json
from collections.abc import Callable
from pathlib import Path

import pytest
from click.testing import CliRunner
from made_data import MAKERS, SIZES

from wikiprep.cli.main import cli

pytest.importorskip("torch")
pytestmark = pytest.mark.usefixtures("no_pictures")

FAST = (
    "stages.learning_rate=3e-3",
    "data.global_batch=16",
    "model.dropout=0.0",
    "training.precision=float32",
)
EPOCHS = {"conll2003": 30, "wnut17": 8, "tacred": 8, "squad": 5, "record": 3, "open-entity": 3, "figer": 3, "fewrel": 3}
MAIN = {"fewrel": "accuracy", "record": "em"}  # of the others it is f1
OFFICIAL = {"tacred": ".txt", "conll2003": ".tsv", "wnut17": ".tsv", "record": ".json", "squad": ".json"}
Run = tuple[Path, Path, str]  # data, run, what was said


def finetune(task: str, model: Path, data: Path, run: Path, *settings: str) -> str:
    words = ["finetune", task, "--model", str(model), "--data", str(data), "-o", str(run)]
    sets = [word for setting in (f"stages.epochs={EPOCHS[task]}", *FAST, *settings) for word in ("--set", setting)]
    done = CliRunner().invoke(cli, [*words, *sets], catch_exceptions=False)
    assert done.exit_code == 0, done.output
    return done.output


@pytest.fixture(scope="module")
def run_of(luke: Path, tmp_path_factory: pytest.TempPathFactory) -> Callable[[str], Run]:
    """Of a task the run of the small LUKE: made when it is first asked for."""
    made: dict[str, Run] = {}

    def of(task: str) -> Run:
        if task not in made:
            folder = tmp_path_factory.mktemp(task)
            data, run = folder / "data", folder / "run"
            data.mkdir()
            MAKERS[task](data)
            made[task] = data, run, finetune(task, luke, data, run)
        return made[task]

    return of


def results(run: Path) -> dict:
    return json.loads((run / "results.json").read_text())["runs"][0]


def lines(path: Path) -> list[dict]:
    return [json.loads(line) for line in path.read_text().splitlines()]


@pytest.mark.parametrize("task", MAKERS)
def test_it_learns_the_rule_of_the_data(task: str, run_of: Callable[[str], Run]) -> None:
    _, run, _ = run_of(task)
    dev = results(run)["scores"]["dev"]
    assert dev["main"] == MAIN.get(task, "f1")
    assert dev["figures"][dev["main"]] > 80
    assert set(results(run)["scores"]) == ({"dev"} if task in ("record", "squad") else {"dev", "test"})
    table = (run / "results.md").read_text()
    assert "this run" in table and ("LUKE, Table" in table or task in ("fewrel", "figer", "wnut17"))


@pytest.mark.parametrize("task", MAKERS)
def test_score_finds_the_same_figures_in_the_files_it_leaves(task: str, run_of: Callable[[str], Run]) -> None:
    data, run, _ = run_of(task)
    files = [run / "predictions.dev.jsonl"]
    files += [run / f"predictions.dev.official{OFFICIAL[task]}"] if task in OFFICIAL else []
    assert sorted(path.name for path in run.glob("predictions.dev.*")) == sorted(path.name for path in files)
    for file in files:
        done = CliRunner().invoke(cli, ["score", task, str(data), str(file), "--split", "dev", "--json"])
        assert done.exit_code == 0, done.output
        assert json.loads(done.stdout)["figures"] == pytest.approx(results(run)["scores"]["dev"]["figures"])


@pytest.mark.parametrize("task", MAKERS)
@pytest.mark.parametrize("ablation", ["no-entities", "plain-attention"])
def test_ablations_train_and_score(
    task: str, ablation: str, luke: Path, run_of: Callable[[str], Run], tmp_path: Path
) -> None:
    data, _, _ = run_of(task)
    settings = {"no-entities": "task.entities=no", "plain-attention": "model.entity_aware_attention=false"}
    finetune(task, luke, data, tmp_path / "r", settings[ablation], "stages.epochs=1")
    assert results(tmp_path / "r")["scores"]["dev"]["examples"] > 0


@pytest.mark.parametrize("task", MAKERS)
def test_markers_may_be_left_out_and_sequences_be_short(
    task: str, luke: Path, run_of: Callable[[str], Run], tmp_path: Path
) -> None:
    data, _, _ = run_of(task)
    finetune(task, luke, data, tmp_path / "r", "task.markers=false", "task.max_words=24", "stages.epochs=1")
    assert results(tmp_path / "r")["scores"]["dev"]["examples"] > 0


def test_labels_of_dev_that_train_lacks_are_told(run_of: Callable[[str], Run]) -> None:
    said = "dev has labels that train lacks, and that cannot be predicted: "
    assert f"{said}time (1)" in run_of("open-entity")[2]
    assert f"{said}ORG (1)" in run_of("conll2003")[2]
    assert "that train lacks" not in run_of("tacred")[2] + run_of("squad")[2]


def test_conll_documents_are_read_and_marks_are_no_sentences(run_of: Callable[[str], Run]) -> None:
    _, run, _ = run_of("conll2003")
    made = lines(run / "predictions.dev.jsonl")
    assert len(made) == SIZES["dev"] + 1  # the last is Opel's
    assert not any("DOCSTART" in one["text"] for one in made)
    assert made[-1]["gold"] == [{"start": 0, "end": 4, "type": "ORG"}]
    official = (run / "predictions.dev.official.tsv").read_text()
    assert official.startswith("Mr\tO\tO\n") and official.endswith("\n\n")


def test_squad_looks_its_entities_up_and_leaves_their_table_as_it_was(luke: Path, run_of: Callable[[str], Run]) -> None:
    from safetensors.torch import load_file

    _, run, said = run_of("squad")
    table = "encoder.entities.entity.weight"
    (kept,) = (run / "best").glob("model-*.safetensors")
    before = load_file(luke / "model.safetensors")["luke.entity_embeddings.entity_embeddings.weight"]
    after = load_file(kept)
    assert after[table].equal(before)
    assert not after["encoder.words.token.weight"][: len(before)].equal(
        load_file(luke / "model.safetensors")["luke.embeddings.word_embeddings.weight"][: len(before)]
    )
    assert f"dev: {SIZES['dev']} entities that the encoder's vocabulary lacks" in said  # Pluto, in each passage
    assert results(run)["left_out"]["dev"]["entities that the encoder's vocabulary lacks"] == SIZES["dev"]
    assert results(run)["carried"]["dev"] == {"title": 3 * SIZES["dev"], "lost": SIZES["dev"]}
    assert f"dev: {4 * SIZES['dev']} links to entities ({3 * SIZES['dev']} by title, {SIZES['dev']} lost)" in said


def test_squad_answers_of_long_passages_come_of_several_windows(run_of: Callable[[str], Run]) -> None:
    from wikiprep.corpus.tokenizers import load_tokenizer
    from wikiprep.tasks.data.sets import read
    from wikiprep.tasks.options import TaskOptions
    from wikiprep.tasks.pieces import Pieces
    from wikiprep.tasks.registry import task_named
    from wikiprep.tasks.task import Inputs

    data, run, _ = run_of("squad")
    task = task_named("squad", TaskOptions())
    tokenizer = load_tokenizer(run / "about/tokenizer.json")
    rows = json.loads((run / "about/entities.json").read_text())
    from collections import Counter

    dev = read("squad", data, "dev").examples
    parts = [
        task.features(one, n, Inputs(Pieces(tokenizer, (), ""), {}, 128, 30, True, rows), Counter())
        for n, one in enumerate(dev)
    ]
    assert len(parts[0]) > 1 and len(parts[1]) == 1
    first = parts[0][0].entity_ids.tolist()
    assert first.count(rows["Mars"]) == 2 and first.count(rows["Sun"]) == 1  # one of question, two of passage
    assert [one for part in parts[0] for one in part.labels.tolist() if one]  # a window holds the answer
    found = lines(run / "predictions.dev.jsonl")
    assert found[0]["predicted"] == dev[0].answers[0].text
    assert len(found[0]["scores"]) > 1  # the n best
    assert max(found[0]["scores"], key=found[0]["scores"].get) == found[0]["predicted"]


def test_an_encoder_without_entities_trains_squad_too(
    roberta: Path, run_of: Callable[[str], Run], tmp_path: Path
) -> None:
    data, _, _ = run_of("squad")
    finetune("squad", roberta, data, tmp_path / "r")
    assert results(tmp_path / "r")["scores"]["dev"]["figures"]["em"] > 50
