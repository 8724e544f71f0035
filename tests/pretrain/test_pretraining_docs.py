"""docs/pretraining.md says what the options are; the shipped configurations load."""

import importlib.util
from pathlib import Path

import pytest
from tokenizers import Tokenizer

from wikiprep.cli import pretrain
from wikiprep.pretrain.config_toml import load_config, shipped_names
from wikiprep.pretrain.families import family_named
from wikiprep.pretrain.schedule import learning_rate

DOCS = Path(__file__).parents[2] / "docs"


def test_tables_of_options_are_current() -> None:
    spec = importlib.util.spec_from_file_location("make_pretraining", DOCS / "make_pretraining.py")
    assert spec is not None and spec.loader is not None
    maker = importlib.util.module_from_spec(spec)
    spec.loader.exec_module(maker)
    text = (DOCS / "pretraining.md").read_text(encoding="utf-8")
    assert text == maker.page(text), "run `python docs/make_pretraining.py`"


def test_shipped_configurations_are_named_where_they_are_given() -> None:
    assert shipped_names() == ["luke-base", "luke-entity-aware", "luke-large", "roberta-mlm", "tiny", "tiny-wiki"]
    (option,) = [p for p in pretrain.command.params if p.name == "config"]
    page = (DOCS / "pretraining.md").read_text(encoding="utf-8")
    for name in shipped_names():
        assert name in str(option.to_info_dict()["help"]) and name in page


@pytest.mark.parametrize("name", shipped_names())
def test_shipped_configurations_make_a_model_family(name: str, sample_corpus: Path) -> None:
    config = load_config(name, ("model.start=",))
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
    control = load_config("roberta-mlm")
    assert control.steps == 200_000 and control.tables["model"]["entities"] is False
    assert load_config("luke-entity-aware").tables["model"]["entity_aware_attention"] is True
