from collections.abc import Iterator
from contextlib import contextmanager
from itertools import accumulate
from pathlib import Path
from typing import Any

import numpy as np
import orjson
import pytest
import torch
from click.testing import CliRunner
from pykeen.triples import CoreTriplesFactory

from wikiprep.cli.main import cli
from wikiprep.errors import UsageError, WikiprepError
from wikiprep.knowledge.embed.run import embed, norm_of, vectors_of
from wikiprep.knowledge.embed.settings import RunSettings, Settings
from wikiprep.knowledge.embed.train import device_named, make_model
from wikiprep.knowledge.folder import ABOUT, ENTITIES, VECTORS, open_knowledge
from wikiprep.knowledge.neighbours import neighbours
from wikiprep.knowledge.phi import FORMS, score
from wikiprep.progress import BYTES, Advance, NoProgress
from wikiprep.verbosity import Verbosity

# Four countries with three towns each; that town 2_2 is in country 2 is held out, what is near it is not.
TOWNS = [(f"town{c}_{k}", "in", f"country{c}") for c in range(4) for k in range(3)]
NEAR = [(f"town{c}_{k}", "near", f"town{c}_0") for c in range(4) for k in (1, 2)]
HELD_OUT = ("town2_2", "in", "country2")
SETTINGS = Settings(model="TransE", dim=8, epochs=25, batch_size=2, learning_rate=0.02)
EACH_EPOCH = RunSettings(checkpoint_minutes=0)


@pytest.fixture(scope="module")
def graph(tmp_path_factory: pytest.TempPathFactory) -> Path:
    folder = tmp_path_factory.mktemp("graph")
    lines = ["\t".join(triple) + "\n" for triple in [*TOWNS, *NEAR] if triple != HELD_OUT]
    (folder / "train.txt").write_text("".join(lines))
    (folder / "test.txt").write_text("\t".join(HELD_OUT) + "\ntown2_2\tin\tatlantis\n")
    return folder


@pytest.fixture(scope="module")
def trained(graph: Path, tmp_path_factory: pytest.TempPathFactory) -> Path:
    folder = tmp_path_factory.mktemp("trained")
    embed(graph, folder, SETTINGS, run=EACH_EPOCH)
    return folder


def vectors(folder: Path) -> bytes:
    return (folder / VECTORS).read_bytes()


def test_the_held_out_tail_is_found(trained: Path) -> None:
    found = neighbours(open_knowledge(trained), "town2_2", "in", count=3)
    assert found.near[0].name == "country2"
    heads = neighbours(open_knowledge(trained), "country2", "in", tail=True, count=2, by="cosine")
    assert {(near.name, near.in_graph) for near in heads.near} == {("town2_0", True), ("town2_1", True)}


class Told(NoProgress):
    """What was told of the work: its parts, and how much was done each time."""

    def __init__(self) -> None:
        self.parts: list[tuple[str, int, str]] = []
        self.done: list[int] = []
        self.said: list[str] = []

    @contextmanager
    def part(self, name: str, total: int, measure: str = BYTES) -> Iterator[Advance]:
        self.parts.append((name, total, measure))
        yield lambda more: self.done.append(sum(self.done[-1:]) + more)

    def latest(self, text: str) -> None:
        self.said.append(text)


def test_killed_and_continued_gives_the_same_vectors(
    graph: Path, trained: Path, tmp_path: Path, capsys: pytest.CaptureFixture[str], monkeypatch: pytest.MonkeyPatch
) -> None:
    monkeypatch.setattr("wikiprep.verbosity._level", Verbosity.NORMAL)  # a command of a test before may have said -q

    def stop(epoch: int) -> None:
        if epoch == 9:
            raise KeyboardInterrupt

    with pytest.raises(KeyboardInterrupt):
        embed(graph, tmp_path, SETTINGS, run=EACH_EPOCH, after=stop)
    with pytest.raises(WikiprepError, match="is not finished"):
        open_knowledge(tmp_path)
    seen: list[int] = []
    told = Told()
    made = embed(graph, tmp_path, SETTINGS, run=EACH_EPOCH, after=seen.append, progress=told)
    assert told.parts == [("training", 25, "epoch")] and told.done == list(accumulate([seen[0], *[1] * (25 - seen[0])]))
    assert told.said == [f"loss {loss:.4f}" for loss in made.losses[-len(told.said) :]]
    assert len(told.said) == len(told.done)
    assert "epoch 25 of 25: loss " in capsys.readouterr().err
    assert seen[0] in (9, 10) and seen[-1] == 25  # it went on, and did not begin anew
    assert vectors(tmp_path) == vectors(trained)
    assert len(made.losses) == 25 and (tmp_path / "losses.tsv").read_text() == (trained / "losses.tsv").read_text()
    seen.clear()
    assert embed(graph, tmp_path, SETTINGS, after=seen.append).done and seen == []


def test_what_is_written(trained: Path) -> None:
    about = orjson.loads((trained / ABOUT).read_bytes())
    assert about["pykeen"]["loss"] == "MarginRankingLoss" and about["pykeen"]["optimizer"] == "Adam"
    assert about["dropped"]["test"] == {"entity that train lacks": 1} and about["versions"]["pykeen"]
    metrics = orjson.loads((trained / "metrics.json").read_bytes())["test"]
    assert (metrics["read"], metrics["triples"], metrics["in_train_either_way"]) == (2, 1, 0)
    assert 0 < metrics["mrr"] <= 1 and metrics["hits@10"] == 1 and len(metrics["tail"]) == 4
    assert (trained / ENTITIES).read_text().splitlines()[:2] == ["name", "country0"]
    assert open_knowledge(trained).entities.dtype == np.float32


@pytest.mark.parametrize("name", FORMS)
def test_scores_of_exported_vectors_are_pykeens(name: str) -> None:
    """With phi at the heart of it: for norms, the distance of phi(h, r) and t."""
    triples = torch.tensor([[0, 0, 1], [1, 1, 2], [2, 0, 0], [0, 1, 3]])
    factory = CoreTriplesFactory(triples, num_entities=4, num_relations=2)
    model = make_model(FORMS[name], Settings(model=name, dim=6, seed=3), factory, "cpu")
    model.eval()
    with torch.no_grad():
        theirs = model.score_hrt(triples)[:, 0].numpy()
    exported = vectors_of(model, FORMS[name])
    entities = exported.pop("entities")
    h, r, t = triples.numpy().T
    ours = score(
        FORMS[name], entities[h], {key: value[r] for key, value in exported.items()}, entities[t], **norm_of(model)
    )
    assert ours == pytest.approx(theirs, rel=1e-5, abs=1e-6)
    assert len(set(np.round(theirs, 4))) == 4


def test_a_folder_of_something_else_is_refused(graph: Path, trained: Path, tmp_path: Path) -> None:
    with pytest.raises(UsageError, match=r"was begun with settings dim=8, now dim=9"):
        embed(graph, trained, Settings(model="TransE", dim=9, epochs=25, batch_size=2, learning_rate=0.02))
    with pytest.raises(UsageError, match=r"was begun for 25 epochs, now 5"):
        embed(graph, trained, Settings(model="TransE", dim=8, epochs=5, batch_size=2, learning_rate=0.02))
    (tmp_path / "a file").write_text("")
    with pytest.raises(UsageError, match="has other things in it"):
        embed(graph, tmp_path, SETTINGS)
    with pytest.raises(UsageError, match="is a file"):
        embed(graph, tmp_path / "a file", SETTINGS)


@pytest.mark.parametrize("name", ["cud", "cuda:99", "vulkan"])
def test_a_device_that_is_not_here_is_refused(name: str) -> None:
    with pytest.raises(UsageError, match=rf"--device {name}: is none that can be used here\n.*there are cpu"):
        device_named(name)


def test_a_damaged_checkpoint_is_named(graph: Path, tmp_path: Path) -> None:
    def stop(epoch: int) -> None:
        raise KeyboardInterrupt

    with pytest.raises(KeyboardInterrupt):
        embed(graph, tmp_path, SETTINGS, after=stop)
    (tmp_path / "checkpoint.pt").write_bytes(b"not a checkpoint")
    with pytest.raises(WikiprepError, match=r"checkpoint.pt: training does not go on from it"):
        embed(graph, tmp_path, SETTINGS)


def test_the_commands(graph: Path, trained: Path, tmp_path: Path) -> None:
    def run(*arguments: Any) -> Any:
        return CliRunner().invoke(cli, [str(argument) for argument in arguments])

    options = "--dim 8 --epochs 25 --batch-size 2 --learning-rate 0.02"
    done = run("kg-embed", graph, "-o", trained, *options.split())
    assert done.exit_code == 0, done.output
    assert "16 entities, 2 relations; read as head-relation-tail, plain from the names" in done.output
    assert "filtered MRR" in done.output and "1 entity that train lacks" in done.output
    assert "all of it was there" in done.output
    shown = run("kg-neighbours", trained, "town1_1", "-r", "in", "-k", 2)
    assert shown.exit_code == 0, shown.output
    assert "(town1_1, in, ?)" in shown.output and "in the graph  country1" in shown.output
    as_json = orjson.loads(run("kg-neighbours", trained, "TOWN2 2", "-r", "in", "--json").output)
    assert as_json["entity"] == "town2_2"  # by title, without case
    assert {"name": "country2", "in_graph": True}.items() <= as_json["neighbours"][0].items()  # a triple of test
    for arguments, said in (
        (("kg-embed", graph, "-o", tmp_path, "--model", "BoxE"), "BoxE: no model that has phi"),
        (("kg-embed", graph, "-o", tmp_path, "--dim", 0), "[kg-embed] dim = 0 is too small"),
        (("kg-embed", graph, "-o", tmp_path, "--seed", 2**32), "the most is 4,294,967,295"),
        (("kg-embed", graph, "-o", tmp_path, "--checkpoint-minutes", -1), "checkpoint_minutes = -1 is too small"),
        (("kg-neighbours", trained, "town1_1", "-r", "of"), "the graph has no relation 'of'"),
        (("kg-neighbours", trained, "paris", "-r", "in"), "'paris' means no entity"),
        (("kg-neighbours", graph, "paris", "-r", "in"), "is no folder of kg-embed"),
        (("kg-neighbours", trained, "paris", "-r", "in", "--wordnet", tmp_path), "no synsets of WordNet"),
    ):
        failed = run(*arguments)
        assert failed.exit_code != 0 and said in str(failed.exception), failed.exception
