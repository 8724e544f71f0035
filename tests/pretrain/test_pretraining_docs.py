"""docs/pretraining.md says what the options are; the shipped configurations load."""

import importlib.util
from pathlib import Path
from typing import Any

import pytest
from tokenizers import Tokenizer

from wikiprep.cli import pretrain
from wikiprep.pretrain.config_toml import SHIPPED, load_config, shipped_names
from wikiprep.pretrain.families import family_named
from wikiprep.pretrain.optimizer import learning_rate

DOCS = Path(__file__).parents[2] / "docs"


def maker() -> Any:
    spec = importlib.util.spec_from_file_location("make_pretraining", DOCS / "make_pretraining.py")
    assert spec is not None and spec.loader is not None
    made = importlib.util.module_from_spec(spec)
    spec.loader.exec_module(made)
    return made


def test_tables_are_current() -> None:
    text = (DOCS / "pretraining.md").read_text(encoding="utf-8")
    assert text == maker().page(text), "run `python docs/make_pretraining.py`"


def test_shipped_configurations_are_named_where_they_are_given() -> None:
    assert shipped_names() == [
        "luke-base",
        "luke-entity-aware",
        "luke-informed",
        "luke-informed-entities",
        "luke-informed-words",
        "luke-large",
        "luke-large-paper",
        "roberta-mlm",
        "roberta-mlm-large",
        "spot-base",
        "spot-large",
        "spot-tiny",
        "tiny",
        "tiny-wiki",
    ]
    (option,) = [p for p in pretrain.command.params if p.name == "config"]
    page = (DOCS / "pretraining.md").read_text(encoding="utf-8")
    (given,) = [line for line in page.splitlines() if line.startswith("| `--config` |")]
    for name in shipped_names():
        assert name in str(option.to_info_dict()["help"]).replace(",", "").split()
        assert f"`{name}`" in given and f"\n| {name} | " in page


@pytest.mark.parametrize("name", shipped_names())
def test_each_configuration_says_what_it_reproduces(name: str) -> None:
    text = (SHIPPED / f"{name}.toml").read_text(encoding="utf-8")
    assert text.startswith("# Reproduces: ")
    said = maker().said_of(name)
    assert said.startswith("Nothing published") or "Yamada et al. 2020" in said or "(Li et al.)" in said
    assert f"| {name} | {said} |" in (DOCS / "pretraining.md").read_text(encoding="utf-8")


@pytest.mark.parametrize("name", [name for name in shipped_names() if not name.startswith("spot")])
def test_shipped_configurations_make_a_model_family(name: str, sample_corpus: Path) -> None:
    informed = {"objective.word_weights=": "informed-words", "objective.entity_weights=uniform": "informed-entities"}
    without = [setting for setting, of in informed.items() if name in ("luke-informed", f"luke-{of}")]
    config = load_config(name, ("model.start=", *without))  # files and triples that the sample has not
    assert Tokenizer.from_file(str(sample_corpus / "tokenizer" / "tokenizer.json")).get_vocab_size()
    family = family_named(config.family)(config.tables, sample_corpus)
    assert family.name == "luke"


def test_published_schedules() -> None:
    base = load_config("luke-base")
    assert base.data.global_batch == 2048 and base.steps == 2 * 98_168 and not base.optimizer.bias_correction
    assert [(s.parameters, s.learning_rate, s.warmup_steps) for s in base.stages] == [
        ("new", 5e-4, 2500),
        ("all", 1e-5, 2500),
    ]
    assert learning_rate(base.stages[0], 2499) == 5e-4
    assert load_config("luke-large").stages == base.stages
    assert load_config("luke-base").steps == load_config("luke-large").steps
    control = load_config("roberta-mlm")
    assert control.steps == 200_000 and control.tables["model"]["entities"] is False
    assert load_config("luke-entity-aware").tables["model"]["entity_aware_attention"] is True


def test_informed_masking_differs_from_its_control_in_masks_alone() -> None:
    base = load_config("luke-base")
    words, entities = {"word_weights": "words.arrow"}, {"entity_weights": "degree", "entity_exponent": 0.5}
    for name, objective in (("", words | entities), ("-words", words), ("-entities", entities)):
        informed = load_config(f"luke-informed{name}")
        assert informed.tables == {**base.tables, "objective": objective}
        assert informed.stages == base.stages and informed.data == base.data


def test_the_paper_s_experiment_and_its_control() -> None:
    """Yamada et al. 2020, section 3.4, appendix A, Table 10: 200,000 steps in all on both sides, of the same size."""
    paper, control = load_config("luke-large-paper"), load_config("roberta-mlm-large")
    assert [(s.parameters, s.steps, s.learning_rate, s.warmup_steps) for s in paper.stages] == [
        ("new", 100_000, 5e-4, 2500),
        ("all", 100_000, 1e-5, 2500),
    ]
    assert [(s.parameters, s.steps, s.learning_rate, s.warmup_steps) for s in control.stages] == [
        ("all", 200_000, 1e-5, 2500)
    ]
    assert paper.steps == control.steps
    assert control.tables["model"] == paper.tables["model"] | {"entities": False}
    for side in (paper, control):
        assert side.tables["model"]["size"] == "luke-large" and side.tables["model"]["start"] == "roberta-large"
        assert side.data.global_batch == 2048 and not side.training.clip_norm
        optimizer = side.optimizer
        assert (optimizer.beta1, optimizer.beta2, optimizer.epsilon, optimizer.weight_decay) == (0.9, 0.999, 1e-6, 0.01)
    assert (paper.data, paper.training, paper.optimizer) == (control.data, control.training, control.optimizer)
