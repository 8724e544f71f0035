"""FIGER: its reader, the rule of its decisions; SPOT's settings, of SemEval-2010 too."""

import json
from pathlib import Path

import numpy as np
import pytest
from click.testing import CliRunner

from wikiprep.cli.main import cli
from wikiprep.errors import UsageError, WikiprepError
from wikiprep.tasks.data.sets import read
from wikiprep.tasks.entity_typing import TypingTask
from wikiprep.tasks.examples import TypingExample
from wikiprep.tasks.features import Features
from wikiprep.tasks.options import JointOptions, TaskOptions, load_task_config
from wikiprep.tasks.registry import task_named

ONE = {
    "sent": "In 1995 Galileo -LRB- a probe -RRB- came .",
    "start": 8,
    "end": 15,
    "labels": ["/product", "/art", "/art"],
}
NONE = np.zeros(0, np.int64)


@pytest.mark.parametrize("lines", [False, True])
def test_its_form(lines: bool, tmp_path: Path) -> None:
    made = [ONE | {"ents": []}, ONE | {"labels": []}]
    name = "test.jsonl" if lines else "test.json"
    (tmp_path / name).write_text("\n".join(map(json.dumps, made)) if lines else json.dumps(made))
    first, second = read("figer", tmp_path, "test").examples
    assert first == TypingExample("0", "In 1995 Galileo ( a probe ) came .", (8, 15), ("/art", "/product"))
    assert (second.id, second.labels) == ("1", ())


@pytest.mark.parametrize(
    "change, said",
    [
        ({"labels": ["person"]}, r"\[1\]: 'person' is no type of FIGER"),
        ({"labels": ["/person/"]}, r"\[1\]: '/person/' is no type"),
        ({"end": 99}, r"\[1\]: \[8, 99\) is no span of the text"),
        ({"start": None}, r'\[1\]: has no whole number "start"'),
    ],
)
def test_a_damaged_place_is_named(change: dict[str, object], said: str, tmp_path: Path) -> None:
    (tmp_path / "dev.json").write_text(json.dumps([ONE, ONE | change]))
    with pytest.raises(WikiprepError, match=said):
        read("figer", tmp_path, "dev")
    with pytest.raises(WikiprepError, match=r"has no train file of FIGER\n.*github\.com/thunlp/ERNIE"):
        read("figer", tmp_path, "train")


def predicted(task: TypingTask, logits: list[float]) -> tuple[str, ...]:
    example = TypingExample("0", "It came.", (0, 2), ("/a",))
    features = Features(0, 0, NONE, 0, NONE, NONE, NONE, NONE, NONE, NONE)
    (found,) = task.predictions([example], [[(features, np.array([logits], np.float32))]], ["/a", "/a/b", "/c"])
    return found.predicted


def test_the_best_type_is_always_predicted() -> None:
    figer, open_entity = (task_named(name, TaskOptions()) for name in ("figer", "open-entity"))
    assert predicted(figer, [-3.0, -0.5, -1.0]) == ("/a/b",)
    assert predicted(figer, [0.5, -0.5, 2.0]) == ("/a", "/c")
    assert predicted(figer, [0.0, -0.5, -2.0]) == ("/a",)  # above 0, not at it; but the best
    assert predicted(open_entity, [-3.0, -0.5, -1.0]) == ()
    assert dict(figer.markers) == {"[ENT]": "@"} and dict(open_entity.markers) == {"[ENTITY]": "@"}
    assert figer.labels([TypingExample("0", "x", (0, 1), ("/b", "/a"))]) == ["/a", "/b"]


def test_settings_of_spot() -> None:
    for name, batch, words in (("figer", 16, 256), ("spot-semeval2010", 32, 512)):
        config, grid = load_task_config(name, "semeval2010", ())
        assert config.data.global_batch == batch and config.training.clip_norm == 5.0
        assert config.tables["task"]["max_words"] == words
        assert (config.tables["model"]["dropout"], config.tables["model"]["head_dropout"]) == (0.1, 0.3)
        assert config.optimizer.bias_correction and config.optimizer.beta2 == 0.999
        assert len(grid) == 18
        assert ("stages.learning_rate=5e-05", "stages.warmup_steps=1000", "optimizer.weight_decay=1e-05") in grid


def test_dropout_before_the_classifier_is_the_heads_own() -> None:
    torch = pytest.importorskip("torch")
    from wikiprep.pretrain.luke.config import LukeConfig
    from wikiprep.pretrain.luke.model import LukeEncoder
    from wikiprep.tasks.finetune.task_head import head_of

    sizes = {"hidden_size": 8, "layers": 1, "heads": 2, "intermediate_size": 8, "max_positions": 20}
    config = LukeConfig(vocab_size=9, entity_vocab_size=1, dropout=0.1, entities=False, **sizes)
    for given, found in ((None, 0.1), (0.3, 0.3), (0.0, 0.0)):
        model = head_of(task_named("figer", TaskOptions()), ["/a"], config, given).build(LukeEncoder(config), 1, None)
        assert isinstance(model.dropout, torch.nn.Dropout) and model.dropout.p == found
    with pytest.raises(UsageError, match="head_dropout: nyt24 has no linear head"):
        head_of(task_named("nyt24", JointOptions()), ["a"], config, 0.3)


def test_semeval_by_spots_settings(roberta: Path, semeval: Path, tmp_path: Path) -> None:
    fast = ("stages.epochs=6", "stages.learning_rate=3e-3", "stages.warmup_steps=5", "training.precision=float32")
    words = ["--config", "spot-semeval2010", "--model", str(roberta), "--data", str(semeval), "-o", str(tmp_path / "r")]
    sets = [word for setting in fast for word in ("--set", setting)]
    done = CliRunner().invoke(cli, ["finetune", "semeval2010", *words, *sets], catch_exceptions=False)
    assert done.exit_code == 0, done.output
    assert "| SPOT | SPOT, Table 6 | test | 89.9 | 91.4 | 90.6 | - |" in done.output
    scores = json.loads((tmp_path / "r/results.json").read_text())["runs"][0]["scores"]
    assert scores["test"]["figures"]["f1"] > 80
