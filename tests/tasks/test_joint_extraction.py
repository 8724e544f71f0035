"""`wikiprep finetune` of joint extraction from command to files: it learns, goes on after a kill."""

import json
import os
import signal
import socket
import sys
import traceback
from pathlib import Path
from types import SimpleNamespace

import pytest
from click.testing import CliRunner
from processes import until

from wikiprep.cli.main import cli
from wikiprep.errors import UsageError, WikiprepError
from wikiprep.tasks.scorers import LEFT_OUT

torch = pytest.importorskip("torch")

PEOPLE, PLACES = ("Alan Bean", "Mary Stone", "Carl Fox", "Ivan"), ("Rome", "Oslo", "New York", "Lima")
# What is said of a person and a place, and the relations.
SAID = {
    "{0} was born and died in {1} .": ("born", "died"),
    "{0} was born in {1} .": ("born",),
    "In {1} lives {0} .": ("home",),
    "Nobody is at home .": (),
}
FAST = (
    "stages.epochs=14",
    "stages.learning_rate=6e-3",
    "stages.warmup_steps=10",
    "model.dropout=0.0",
    "task.task_dropout=0.0",
    "task.max_span_words=2",
    "task.negatives=6",
    "checkpoints.every=20",
    "log.every=1",
)


def short(steps: int) -> tuple[str, ...]:
    return ("stages.warmup_steps=1", "stages.epochs=0", f"stages.steps={steps}")


@pytest.fixture(scope="module")
def data(tmp_path_factory: pytest.TempPathFactory) -> Path:
    """Three parts in form (b): two relations of one pair, a name of two words, a text without any."""
    folder = tmp_path_factory.mktemp("joint")
    for part, size in (("train", 128), ("valid", 32), ("test", 32)):
        made = []
        for n in range(size):
            (said, relations), person, place = (
                list(SAID.items())[n % 4],
                PEOPLE[n // 4 % 4],
                PLACES[(n * 5 + n // 4) % 4],
            )
            triples = [[person, relation, place] for relation in relations]
            made.append({"text": said.format(person, place), "triple_list": triples})
        (folder / f"{part}_triples.json").write_text(json.dumps(made))
    return folder


def finetune(*words: object, settings: tuple[str, ...] = FAST) -> str:
    sets = [word for setting in settings for word in ("--set", setting)]
    command = ["finetune", "nyt24", "--config", "joint-small", *map(str, words), *sets]
    done = CliRunner().invoke(cli, command, catch_exceptions=False)
    assert done.exit_code == 0, done.output
    return done.output


def results(folder: Path) -> dict:
    return json.loads((folder / "results.json").read_text())["runs"][0]


def losses(folder: Path) -> list[float]:
    events = map(json.loads, (folder / "log.jsonl").read_text().splitlines())
    return [event["loss"] for event in events if event["event"] == "train"]


@pytest.fixture(scope="module")
def run(roberta: Path, data: Path, tmp_path_factory: pytest.TempPathFactory) -> tuple[Path, str]:
    folder = tmp_path_factory.mktemp("runs") / "whole"
    return folder, finetune("--model", roberta, "--data", data, "-o", folder)


def test_it_learns_triples_and_says_what_can_be_found(run: tuple[Path, str]) -> None:
    folder, said = run
    test = results(folder)["scores"]["test"]
    assert test["figures"]["f1"] > 90 and test["figures"]["entity_f1"] > 90 and test["form"] == "full spans"
    assert test["figures"]["bound_recall"] == 100
    assert "test: full spans: 32 texts with 32 triples; both ends are in the text of 32 (100.0 %)" in said
    assert "| BERT, max | SPOT, Table 7 (no span attention): entities | test | - | - | 94.1 |" in said
    assert "**this run (seed 1): triples, last words**" in said and "nyt24 (full spans), test" in said
    begun = json.loads((folder / "log.jsonl").read_text().splitlines()[1])
    sizes = begun["parameters_by_module"]
    assert set(sizes) == {"encoder", "spans", "entity", "pairs", "relation"}
    assert begun["parameters"] == sum(sizes.values())
    assert not list(folder.glob("confusion*"))


def test_predictions_name_both_relations_of_a_pair_and_are_scored_the_same(run: tuple[Path, str], data: Path) -> None:
    folder, _ = run
    lines = [json.loads(line) for line in (folder / "predictions.test.jsonl").read_text().splitlines()]
    both = [line for line in lines if " and died " in line["text"]]
    found = [{(a, b) for a, _, b in line["predicted"]["triples"]} for line in both]
    assert any(len(line["predicted"]["triples"]) == 2 and len(its) == 1 for line, its in zip(both, found, strict=True))
    figures = results(folder)["scores"]["test"]["figures"]
    for gold in (data, folder / "predictions.test.jsonl"):
        done = CliRunner().invoke(cli, ["score", "nyt24", str(gold), str(folder / "predictions.test.jsonl"), "--json"])
        assert json.loads(done.stdout)["figures"] == pytest.approx(figures)
    own = CliRunner().invoke(
        cli, ["score", "nyt24", str(data), str(folder / "predictions.test.official.json"), "--json"]
    )
    assert json.loads(own.stdout)["figures"]["f1"] == pytest.approx(figures["f1"])


def test_a_run_cut_off_between_checkpoints_comes_to_the_same_weights(
    run: tuple[Path, str], roberta: Path, data: Path, tmp_path: Path, monkeypatch: pytest.MonkeyPatch
) -> None:
    from wikiprep.pretrain.trainer import Trainer

    after_step = Trainer._after_step

    def killed(self: Trainer, *words: object, **more: object) -> None:
        after_step(self, *words, **more)
        if self._step == 95:
            raise KeyboardInterrupt

    monkeypatch.setattr(Trainer, "_after_step", killed)
    command = ("--model", roberta, "--data", data, "-o", tmp_path / "cut")
    with pytest.raises((KeyboardInterrupt, SystemExit, AssertionError)):
        finetune(*command)
    monkeypatch.undo()
    finetune(*command)
    whole, _ = run
    assert losses(tmp_path / "cut") == losses(whole)  # negatives are drawn as before
    for name in ("best/best.json", "predictions.test.jsonl", "predictions.dev.jsonl"):
        assert (tmp_path / "cut" / name).read_bytes() == (whole / name).read_bytes()


@pytest.mark.parametrize(
    "settings",
    [
        ("task.span_attention=false", "task.span_kinds=max"),
        ("task.relations=softmax", "task.negatives=0", "task.max_words=16", "stages.parameters=new"),
    ],
)
def test_other_heads_train(settings: tuple[str, ...], roberta: Path, data: Path, tmp_path: Path) -> None:
    sets = (*FAST, *short(3), "data.micro_batch_tokens=200", *settings)
    finetune("--model", roberta, "--data", data, "-o", tmp_path / "r", settings=sets)
    assert results(tmp_path / "r")["scores"]["test"]["examples"] == 32
    assert all(loss < 100 for loss in losses(tmp_path / "r"))


def test_the_ablation_of_the_paper_leaves_the_attention_out(roberta: Path, data: Path, tmp_path: Path) -> None:
    words = ("--model", roberta, "--data", data, "--ablation", "no-span-attention", "-o", tmp_path / "r")
    said = finetune(*words, settings=(*FAST, *short(2), "task.triples=1"))
    assert "test: full spans: 16 texts with 16 triples" in said
    assert "train: 64 texts with another number of triples: not chosen" in said
    from safetensors.torch import load_file

    (kept,) = (tmp_path / "r/best").glob("model-*.safetensors")
    assert not [name for name in load_file(kept) if name.startswith("pairs.layers.")]


def test_a_luke_is_asked_with_words_alone(luke: Path, data: Path, tmp_path: Path) -> None:
    finetune("--model", luke, "--data", data, "-o", tmp_path / "r", settings=(*FAST, *short(2)))
    assert results(tmp_path / "r")["scores"]["dev"]["examples"] == 32
    with pytest.raises(UsageError, match="entities = 'yes' is not known"):
        finetune("--model", luke, "--data", data, "-o", tmp_path / "s", settings=("task.entities=yes",))


def test_what_cannot_be_is_refused_before_anything_is_trained(roberta: Path, data: Path, tmp_path: Path) -> None:
    words = ("--model", roberta, "--data", data, "-o", tmp_path / "r")
    for setting, what in (
        ("task.triples=many", "'many': no numbers of triples"),
        ("task.triples=7", "nothing to train on is left"),
        ("task.span_kinds=middle", "span kinds"),
        ("task.form=half", "form = 'half' is not known"),
        ("task.modules=pretrained", "has no spans.width.weight"),
    ):
        with pytest.raises(WikiprepError, match=what):
            finetune(*words, settings=(*FAST, setting))


def free_port() -> int:
    with socket.socket() as listening:
        listening.bind(("127.0.0.1", 0))
        return int(listening.getsockname()[1])


def forked_rank(rank: int, port: int, words: list[str]) -> int:
    """The process of one rank of two as torchrun starts it, but with torch loaded; torchrun: test_finetune_ranks.py."""
    sys.stdout.flush()
    child = os.fork()
    if child:
        return child
    code = 1
    try:
        os.environ |= {"RANK": str(rank), "LOCAL_RANK": str(rank), "WORLD_SIZE": "2", "CUDA_VISIBLE_DEVICES": ""}
        os.environ |= {"MASTER_ADDR": "127.0.0.1", "MASTER_PORT": str(port)}
        cli.main(words, standalone_mode=False)
        code = 0
    except BaseException:
        traceback.print_exc()
    finally:
        os._exit(code)


def ended(ranks: list[int]) -> list[int | None]:
    """Their exit codes; where one fails, or all stand still, the others are killed, as torchrun does it."""
    codes: dict[int, int] = {}

    def over() -> bool:
        for child in set(ranks) - codes.keys():
            found, status = os.waitpid(child, os.WNOHANG)
            if found:
                codes[child] = os.waitstatus_to_exitcode(status)
        return len(codes) == len(ranks) or any(codes.values())

    until(over, 300)
    for child in set(ranks) - codes.keys():
        os.kill(child, signal.SIGKILL)
        os.waitpid(child, 0)
    return [codes.get(child) for child in ranks]


def test_two_ranks_come_to_the_scores_of_one(roberta: Path, data: Path, tmp_path: Path) -> None:
    words = ["finetune", "nyt24", "--config", "joint-small", "--model", str(roberta), "--data", str(data)]
    cut = ("task.span_threshold=0.0", "task.max_spans=4", "data.micro_batch_tokens=160", *short(12))
    words += [word for one in (*FAST, *cut) for word in ("--set", one)]
    runs = {name: tmp_path / name for name in ("one", "two")}
    alone = CliRunner().invoke(cli, [*words, "-o", str(runs["one"])], catch_exceptions=False)
    assert alone.exit_code == 0, alone.output
    port = free_port()
    ranks = [forked_rank(rank, port, [*words, "-o", str(runs["two"])]) for rank in range(2)]
    assert ended(ranks) == [0, 0]
    assert losses(runs["two"]) == pytest.approx(losses(runs["one"]), rel=1e-3)
    one, two = (results(folder) for folder in runs.values())
    assert one["scores"]["test"]["figures"] == pytest.approx(two["scores"]["test"]["figures"])
    assert one["left_out"]["test"][LEFT_OUT] == two["left_out"]["test"][LEFT_OUT] > 0


def test_a_spot_run_gives_its_text_encoder_and_its_modules() -> None:
    from wikiprep.tasks.finetune.encoder import start_of

    tensors = {"text.words.token.weight": torch.ones(2, 3), "spans.project.weight": torch.zeros(1)}
    model = SimpleNamespace(state_dict=lambda: tensors)
    about = SimpleNamespace(text="sizes", tokenizer="tokenizer", config="sizes of its modules")
    start = start_of(SimpleNamespace(name="spot", about=about, model=model, entities=9), "run")  # type: ignore[arg-type]
    assert list(start.tensors) == ["words.token.weight", "spans.project.weight"]
    assert (start.config, start.entities, start.spot) == ("sizes", {}, "sizes of its modules")
