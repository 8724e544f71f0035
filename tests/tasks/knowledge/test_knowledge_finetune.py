"""`wikiprep finetune --knowledge` end to end, and the same tasks without: GLUE, COPA, and the LUKE paper's two."""

import json
from collections.abc import Callable
from pathlib import Path

import numpy as np
import pytest
from click.testing import CliRunner, Result
from made_data import MAKERS

from wikiprep.cli.main import cli
from wikiprep.errors import UsageError, WikiprepError

torch = pytest.importorskip("torch")

FAST = (
    "stages.learning_rate=3e-3",
    "data.global_batch=16",
    "model.dropout=0.0",
    "checkpoints.every=4",
    "log.every=1",
)
LAYERS = ("knowledge.layers=2", "knowledge.width=16")


def finetune(task: str, model: Path, data: Path, run: Path, *words: object, settings: tuple[str, ...] = ()) -> Result:
    sets = [word for setting in (*FAST, *settings) for word in ("--set", setting)]
    command = ["finetune", task, "--model", str(model), "--data", str(data), "-o", str(run), *map(str, words), *sets]
    return CliRunner().invoke(cli, command, catch_exceptions=False)


def outcome(run: Path) -> dict:
    return json.loads((run / "results.json").read_text())["runs"][0]


@pytest.fixture(scope="module")
def rte(tmp_path_factory: pytest.TempPathFactory) -> Path:
    """Entailed where the second sentence says yes."""
    folder = tmp_path_factory.mktemp("rte")
    words = ["rain", "stone", "fire", "house"]
    for part, size in (("train", 64), ("dev", 16), ("test", 6)):
        lines = ["index\tsentence1\tsentence2" + ("\tlabel" if part != "test" else "")]
        for n in range(size):
            same = n % 2 == 0
            label = ["entailment" if same else "not_entailment"] if part != "test" else []
            verdict = "yes" if same else "no"
            pair = (f'The "{words[n % 4]}" came.', f"So {verdict} : {words[n // 2 % 4]}.")
            lines.append("\t".join([str(n), *pair, *label]))
        (folder / f"{part}.tsv").write_text("\n".join(lines) + "\n")
    return folder


@pytest.fixture(scope="module")
def run(roberta: Path, rte: Path, graph: Path, tmp_path_factory: pytest.TempPathFactory) -> tuple[Path, str]:
    """A run with a graph, and what was said."""
    folder = tmp_path_factory.mktemp("runs") / "head"
    done = finetune("glue/rte", roberta, rte, folder, "--knowledge", graph, settings=LAYERS)
    assert done.exit_code == 0, done.output
    return folder, done.output


def asked(*words: object) -> Result:
    return CliRunner().invoke(cli, ["kg-attention", *map(str, words)])


def test_what_words_attend_to(run: tuple[Path, str], graph: Path, make_graph: Callable[..., Path]) -> None:
    pair = ("The rain came.", "So yes : stone.")
    shown = asked(run[0], *pair, "--knowledge", graph, "-k", 3)
    assert shown.exit_code == 0, shown.output
    assert shown.output.startswith("rain: Rain\n") and "\nstone: Stone\n" in shown.output
    (found,) = [
        json.loads(line)
        for line in asked(
            run[0], *pair, "--knowledge", graph, "--word", "stone", "-k", 999, "--json"
        ).output.splitlines()
    ]
    keys = {(key["word"], key["relation"]): key for key in found["keys"]}
    # Two words with an entity and two relations each; every other token is there as itself alone.
    assert {word for word, relation in keys if relation} == {"rain", "stone"}
    assert sum(key["weight"] for key in found["keys"]) == pytest.approx(1, abs=1e-5) and found["rest"] == 0
    # (Rain, falls_on, Stone) is a triple of the graph; of rain, "beside" is none.
    assert keys["rain", "falls_on"]["in_graph"] and not keys["rain", "beside"]["in_graph"]
    assert keys["rain", "falls_on"]["way"] == "head" and keys["So", ""]["entity"] == ""
    for words, problem in (
        ((run[0], "x", "--knowledge", graph), "no word of the text has an entity"),
        ((run[0], *pair, "--knowledge", graph, "--word", "snow"), "'snow' is no word of the text"),
        ((run[0], *pair, "--knowledge", make_graph("RotatE")), "8 entities by RotatE"),
        ((run[0], *pair, "--knowledge", make_graph(entities=np.ones((8, 6)))), "Rain has another vector than"),
        ((run[0].parent, *pair, "--knowledge", graph), "no run of finetune"),
    ):
        done = asked(*words)
        assert done.exit_code != 0 and problem in done.output + str(done.exception)


def test_it_learns_counts_coverage_and_leaves_the_graph_as_it_was(run: tuple[Path, str], graph: Path) -> None:
    from safetensors.numpy import load_file

    folder, said = run
    assert outcome(folder)["scores"]["dev"]["figures"]["accuracy"] > 90
    covered = outcome(folder)["knowledge"]
    assert set(covered) == {"train", "dev", "test"}
    assert covered["dev"]["sequences"] == 16
    # Both sentences of each pair have one word of the graph, of one subword at least.
    assert covered["dev"]["mean_with_entity"] >= 2 and covered["dev"]["subwords"] > 16 * 8
    assert f"dev: {covered['dev']['mean_with_entity']:.1f} of " in said
    assert "words are looked up by: titles; no tagger" in said
    kept = load_file(next((folder / "best").glob("model-*.safetensors")))
    given = load_file(graph / "vectors.safetensors")
    assert np.array_equal(kept["knowledge.entities"], given["entities"])
    assert np.array_equal(kept["knowledge.relations.relations"], given["relations"])
    about = json.loads((folder / "about/task.json").read_text())
    assert about["knowledge"]["model"] == "transe" and about["knowledge"]["options"]["mode"] == "head"


def test_a_closed_test_is_predicted_in_glues_form_and_not_scored(run: tuple[Path, str]) -> None:
    folder, _ = run
    assert set(outcome(folder)["scores"]) == {"dev"}
    lines = (folder / "predictions.test.official.tsv").read_text().splitlines()
    assert lines[0] == "index\tprediction" and len(lines) == 7
    assert {line.split("\t")[1] for line in lines[1:]} <= {"entailment", "not_entailment"}
    assert "RoBERTa | ILKA, Table 5 | dev" in (folder / "results.md").read_text()


def test_a_run_cut_off_goes_on_to_the_same_weights(
    run: tuple[Path, str],
    roberta: Path,
    rte: Path,
    graph: Path,
    tmp_path: Path,
    monkeypatch: pytest.MonkeyPatch,
) -> None:
    from wikiprep.pretrain.trainer import Trainer

    after_step = Trainer._after_step

    def killed(self: Trainer, *words: object, **more: object) -> None:
        after_step(self, *words, **more)
        if self._step == 6:
            raise KeyboardInterrupt

    monkeypatch.setattr(Trainer, "_after_step", killed)
    command = ("glue/rte", roberta, rte, tmp_path / "cut", "--knowledge", graph)
    with pytest.raises((KeyboardInterrupt, SystemExit)):
        finetune(*command, settings=LAYERS)
        raise SystemExit
    monkeypatch.undo()
    assert finetune(*command, settings=LAYERS).exit_code == 0
    ours, theirs = (json.loads((folder / "best/best.json").read_text()) for folder in (tmp_path / "cut", run[0]))
    assert ours == theirs


def test_another_graph_or_none_is_another_run(
    run: tuple[Path, str], roberta: Path, rte: Path, make_graph: Callable[..., Path]
) -> None:
    with pytest.raises(WikiprepError, match="knowledge graph"):
        finetune(
            "glue/rte", roberta, rte, run[0], "--knowledge", make_graph(relations=np.ones((2, 6))), settings=LAYERS
        )


@pytest.mark.parametrize(
    "model, settings",
    [
        ("", ()),
        ("TransE", ("knowledge.mode=both", "knowledge.train_vectors=true", "knowledge.keep_empty=true")),
        ("RotatE", ("knowledge.mode=tail", "knowledge.compress=2")),
        ("TransE", ("knowledge.mode=none",)),
        ("TransE", ("knowledge.vectors=none",)),
        ("PairRE", ("knowledge.vectors=random",)),
    ],
)
def test_variants_and_controls_are_options(
    model: str, settings: tuple[str, ...], roberta: Path, rte: Path, make_graph: Callable[..., Path], tmp_path: Path
) -> None:
    words = ("--knowledge", make_graph(model)) if model else ()
    more = (*LAYERS, *settings) if model else ()
    done = finetune("glue/rte", roberta, rte, tmp_path / "r", *words, settings=("stages.epochs=1", *more))
    assert done.exit_code == 0, done.output
    assert outcome(tmp_path / "r")["scores"]["dev"]["examples"] == 16
    assert bool(outcome(tmp_path / "r")["knowledge"]) == bool(model)
    if "knowledge.train_vectors=true" in settings:
        from safetensors.numpy import load_file

        kept = load_file(next((tmp_path / "r/best").glob("model-*.safetensors")))
        assert not np.array_equal(kept["knowledge.entities"], load_file(words[1] / "vectors.safetensors")["entities"])


@pytest.mark.parametrize("task", ["tacred", "open-entity"])
def test_tasks_of_mentions_take_a_graph_beside_entities_of_luke(
    task: str, luke: Path, graph: Path, tmp_path: Path
) -> None:
    (tmp_path / "data").mkdir()
    MAKERS[task](tmp_path / "data")
    settings = ("stages.epochs=1", "training.precision=float32", *LAYERS)
    done = finetune(task, luke, tmp_path / "data", tmp_path / "r", "--knowledge", graph, settings=settings)
    assert done.exit_code == 0, done.output
    covered = outcome(tmp_path / "r")["knowledge"]["train"]
    assert covered["sequences"] == 120 and covered["subwords_with_entity"] > 0  # Rome


def test_stsb_learns_a_number(roberta: Path, tmp_path: Path) -> None:
    data = tmp_path / "data"
    data.mkdir()
    for part, size in (("train", 96), ("dev", 24)):
        lines = ["index\tsentence1\tsentence2\tscore"]
        words = ("cold", "mild", "warm")
        lines += [f"{n}\tDay {n % 7}.\tIt is {words[n % 3]}.\t{(0.5, 2.0, 4.5)[n % 3]}" for n in range(size)]
        (data / f"{part}.tsv").write_text("\n".join(lines) + "\n")
    done = finetune("glue/stsb", roberta, data, tmp_path / "r", settings=("stages.epochs=8",))
    assert done.exit_code == 0, done.output
    figures = outcome(tmp_path / "r")["scores"]["dev"]["figures"]
    assert list(figures) == ["spearman", "pearson"] and figures["spearman"] > 90
    first = json.loads((tmp_path / "r/predictions.dev.jsonl").read_text().splitlines()[0])
    assert first["gold"] == "0.5" and 0 <= float(first["predicted"]) <= 5


def test_copa_compares_the_two_alternatives(roberta: Path, graph: Path, tmp_path: Path) -> None:
    data = tmp_path / "data"
    data.mkdir()
    for name, size in (("train.jsonl", 96), ("val.jsonl", 24), ("test.jsonl", 4)):
        rows = [
            {"premise": f"Rain fell on day {n}.", "choice1": "It was wet.", "choice2": "It was dry.", "idx": n}
            | ({"choice1": "It was dry.", "choice2": "It was wet."} if n % 2 else {})
            | {"question": ("cause", "effect")[n // 2 % 2]}
            | ({"label": n % 2} if name != "test.jsonl" else {})
            for n in range(size)
        ]
        (data / name).write_text("".join(json.dumps(row) + "\n" for row in rows))
    settings = ("stages.epochs=5", "task.order=cause-first", *LAYERS)
    done = finetune("copa", roberta, data, tmp_path / "r", "--knowledge", graph, settings=settings)
    assert done.exit_code == 0, done.output
    assert outcome(tmp_path / "r")["scores"]["dev"]["figures"]["accuracy"] > 90
    lines = [json.loads(line) for line in (tmp_path / "r/predictions.test.official.jsonl").read_text().splitlines()]
    assert lines == [{"idx": n, "label": n % 2} for n in range(4)]
    assert outcome(tmp_path / "r")["knowledge"]["dev"]["sequences"] == 48  # two an example


def test_what_cannot_be_is_one_line(
    roberta: Path, rte: Path, graph: Path, make_graph: Callable[..., Path], tmp_path: Path
) -> None:
    def said(task: str, *words: object, settings: tuple[str, ...] = ()) -> None:
        finetune(task, roberta, rte, tmp_path / "r", *words, settings=settings)

    with pytest.raises(UsageError, match=r"--set knowledge\.mode=tail without --knowledge"):
        said("glue/rte", settings=("knowledge.mode=tail",))
    with pytest.raises(UsageError, match="--knowledge with squad: the task does not say which words"):
        said("squad", "--knowledge", graph)
    with pytest.raises(WikiprepError, match="is no folder of kg-embed"):
        said("glue/rte", "--knowledge", rte)
    with pytest.raises(UsageError, match="DihEdral: no model that has phi"):
        said("glue/rte", "--knowledge", make_graph("DihEdral"))
    with pytest.raises(UsageError, match=r"heads = 5 does not divide the width of the layers, 38"):
        said("glue/rte", "--knowledge", graph, settings=("knowledge.heads=5",))
    broken = np.zeros((8, 6))
    broken[5] = np.nan
    with pytest.raises(WikiprepError, match="Rome has no vector of numbers"):
        said("glue/rte", "--knowledge", make_graph(entities=broken))
    with pytest.raises(WikiprepError, match="relations have 3 numbers, entities 6"):
        said("glue/rte", "--knowledge", make_graph("TransR", **{"relations.matrix": np.ones((2, 6, 3))}))
    with pytest.raises(UsageError, match=r"unknown option 'modus' in \[knowledge\]"):
        said("glue/rte", "--knowledge", graph, settings=("knowledge.modus=head",))
