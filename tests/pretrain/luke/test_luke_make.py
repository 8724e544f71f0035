"""Options that fit nothing are said in a line; the rest becomes a family that fits the corpus."""

import pickle
import re
from dataclasses import fields
from pathlib import Path
from typing import cast

import numpy as np
import pyarrow as pa
import pyarrow.parquet as pq
import pytest
from corpus_records import records_of

from wikiprep.errors import UsageError, WikiprepError
from wikiprep.pretrain.families import family_named
from wikiprep.pretrain.luke.config import LukeConfig, Objective, config_of_size
from wikiprep.pretrain.luke.make_family import make
from wikiprep.pretrain.luke.masking_weights import entity_weights, weights_file
from wikiprep.pretrain.luke.model import Luke

TINY = {"model": {"size": "tiny"}}


def test_the_corpus_decides_the_sizes(sample_corpus: Path) -> None:
    family = family_named("luke")(TINY, sample_corpus)
    config = make(TINY, sample_corpus).config
    vocabulary = pq.read_table(sample_corpus / "tables" / "entity_vocab.parquet")
    assert config.entity_vocab_size == max(vocabulary["id"].to_pylist()) + 1
    assert (config.pad_id, config.hidden_size) == (1, 64)
    again = pickle.loads(pickle.dumps(family))  # to workers of a loader
    records = records_of(sample_corpus)[:3]
    one, other = (f.collate(records, [np.random.default_rng(n) for n in range(3)]) for f in (family, again))
    assert all((one[name] == other[name]).all() for name in one)


@pytest.mark.parametrize(
    ("options", "said"),
    [
        ({"model": {"size": "huge"}}, "no model size 'huge'"),
        ({"model": {"hidden": 3}}, r"unknown option 'hidden' in \[model\]"),
        ({"model": {"layers": "two"}}, r"\[model\] layers = 'two'"),
        ({"model": {"layers": True}}, r"\[model\] layers = True"),
        ({"model": {"layers": 0}}, r"\[model\] layers = 0"),
        ({"model": {"heads": 5}}, "does not divide"),
        ({"model": {"entity_head": "other"}}, "it takes released or paper"),
        ({"model": {"vocab_size": 100}}, "the corpus has ids up to"),
        ({"model": {"entity_vocab_size": 10}}, "the corpus has ids up to"),
        ({"model": {"decay_head_norm": 1}}, "it takes true or false"),
        ({"model": {"freeze_entity_table": "yes"}}, "it takes true or false"),
        ({"model": {"freeze_entity_table": True, "entities": False}}, "leave one of the two out"),
        ({"objective": {"random_entity_prob": 0.7, "unmasked_entity_prob": 0.4}}, "together they take at most 1"),
        ({"model": {"start": 1}}, "it takes a string"),
        ({"model": {"dropout": 1.0}}, r"\[model\] dropout = 1.0"),
        ({"model": {"attention_dropout": float("nan")}}, r"\[model\] attention_dropout = nan"),
        ({"model": {"init_std": float("nan")}}, r"\[model\] init_std = nan"),
        ({"model": {"norm_eps": -1e-5}}, r"\[model\] norm_eps = -1e-05"),
        ({"objective": {"word_share": 2}}, r"\[objective\] word_share = 2"),
        ({"objective": {"word_share": 0.0, "entity_share": 0.0}}, "nothing to learn"),
        ({"objective": {"word_share": 0.0}, "model": {"entities": False}}, "nothing to learn"),
        ({"objective": {"entity_exponent": float("nan")}}, "entity_exponent = nan"),
        ({"objective": {"entity_weights": "nowhere.npy"}}, "no weights can be read"),
        ({"objective": {"word_weights": "nowhere.npy"}}, "no weights can be read"),
    ],
)
def test_options_that_do_not_fit(options: dict[str, dict[str, object]], said: str, sample_corpus: Path) -> None:
    with pytest.raises(UsageError, match=said.replace("(", r"\(")):
        make(options, sample_corpus)


def test_the_page_names_every_option() -> None:
    page = (Path(__file__).parents[3] / "docs" / "luke-model.md").read_text(encoding="utf-8")
    beside = {"size", "start", "start_language", "decay_head_norm", "freeze_entity_table"}
    named = {word for row in re.findall(r"^\| ([a-z_, ]+) \|", page, re.MULTILINE) for word in row.split(", ")}
    known = {field.name for kind in (LukeConfig, Objective) for field in fields(kind)} | beside
    assert known - {"pad_id"} == named - {"option"}  # the tokenizer says which token pads


@pytest.mark.parametrize("name", ["bert", "", ".bert", "os.path"])
def test_unknown_family(name: str) -> None:
    with pytest.raises(UsageError, match=f"no model family '{name}'"):
        family_named(name)


def test_a_misspelt_option_of_the_model_is_told_all_that_there_are(sample_corpus: Path) -> None:
    with pytest.raises(UsageError, match=r"unknown option 'sise' in \[model\]") as told:
        make({"model": {"sise": "tiny"}}, sample_corpus)
    assert told.value.hint is not None
    assert {"size", "start", "start_language", "decay_head_norm", "layers"} <= set(
        re.findall(r"\w+", told.value.hint.removeprefix("options are "))
    )


def test_records_that_do_not_fit(sample_corpus: Path) -> None:
    records = records_of(sample_corpus)
    longest = max(records, key=lambda record: len(record.word_ids))
    family = make({"model": {"size": "tiny", "max_positions": 60}}, sample_corpus)
    with pytest.raises(WikiprepError, match=f"of page {longest.page_id} has .* tokens, the model takes 56"):
        family.collate([longest], [np.random.default_rng(0)])
    family = make(TINY, sample_corpus)
    for column in ("word_ids", "entity_ids"):
        record = next(record for record in records if len(record.entity_ids))
        getattr(record, column)[0] = 60_000
        with pytest.raises(WikiprepError, match="has an id of 60000"):
            family.collate([record], [np.random.default_rng(0)])
        getattr(record, column)[0] = 5


def test_groups_of_the_two_stages(sample_corpus: Path) -> None:
    family = make(TINY, sample_corpus)
    model = cast(Luke, family.build_model(0))
    names = {id(tensor): name for name, tensor in model.named_parameters()}

    def named(stage: int, decay: bool) -> set[str]:
        return {names[id(t)] for g in family.parameter_groups(model, stage) if g.decay is decay for t in g.parameters}

    new = named(1, True) | named(1, False)
    assert new == {name for name in names.values() if name.startswith(("entities.", "entity_head."))}
    assert named(2, True) | named(2, False) == set(names.values())
    assert not named(2, True) & named(2, False)
    assert {"layers.0.norm.weight", "layers.0.up.bias", "entity_head.bias", "entity_head.norm.weight"} <= named(
        2, False
    )
    assert {"word_head.norm.weight", "entities.entity.weight", "layers.1.attention.qkv.weight"} <= named(2, True)
    other = make({"model": {"size": "tiny", "decay_head_norm": False}}, sample_corpus)
    assert "word_head.norm.weight" in {
        names[id(t)] for g in other.parameter_groups(model, 2) if not g.decay for t in g.parameters
    }
    frozen = make({"model": {"size": "tiny", "freeze_entity_table": True}}, sample_corpus)
    for stage, whole in ((1, new), (2, set(names.values()))):
        found = {names[id(t)] for group in frozen.parameter_groups(model, stage) for t in group.parameters}
        assert found == whole - {"entities.entity.weight"}
    control = make({"model": {"size": "tiny", "entities": False}}, sample_corpus)
    words = control.build_model(0)
    assert sum(len(g.parameters) for g in control.parameter_groups(words, 1)) == len(list(words.parameters()))


def test_without_a_bias_entities_have_none_and_nothing_trains_it(sample_corpus: Path) -> None:
    family = make({"model": {"size": "tiny", "entity_bias": False}}, sample_corpus)
    model = cast(Luke, family.build_model(0))
    assert "entity_head.bias" not in dict(model.named_parameters())
    assert not model.state_dict()["entity_head.bias"].any()  # exports and readers of weights have it as ever
    batch = family.collate(records_of(sample_corpus)[:2], [np.random.default_rng(n) for n in range(2)])
    losses = family.loss_sums(model, batch)
    sum(total for total, _ in losses.values()).backward()
    assert all(tensor.grad is not None for tensor in model.parameters())


def test_random_entities_are_the_corpus_s_own(sample_corpus: Path) -> None:
    family = make({"model": {"size": "tiny"}, "objective": {"random_entity_prob": 1.0}}, sample_corpus)
    assert make(TINY, sample_corpus).other_entities is None
    others = family.other_entities
    assert others is not None
    vocabulary = pq.read_table(sample_corpus / "tables" / "entity_vocab.parquet", columns=["id", "title"]).to_pylist()
    assert others.tolist() == sorted(row["id"] for row in vocabulary if row["title"][0] != "[")


def test_stage_1_trains_queries_that_roberta_lacks(sample_corpus: Path) -> None:
    """With entity-aware attention from the start they are new, as the entities are."""
    family = make({"model": {"size": "tiny", "entity_aware_attention": True}}, sample_corpus)
    model = family.build_model(0)
    trained = {id(tensor) for group in family.parameter_groups(model, 1) for tensor in group.parameters}
    found = {name for name, tensor in model.named_parameters() if id(tensor) in trained}
    queries = {
        f"layers.{layer}.attention.{name}.{kind}"
        for layer in range(2)
        for name in ("word_to_entity", "entity_to_word", "entity_to_entity")
        for kind in ("weight", "bias")
    }
    assert {name for name in found if name.startswith("layers.")} == queries
    with pytest.raises(UsageError, match="entity_aware_attention of a model without entities"):
        make({"model": {"size": "tiny", "entity_aware_attention": True, "entities": False}}, sample_corpus)


def test_counts_tokens_and_operations(sample_corpus: Path) -> None:
    family = make(TINY, sample_corpus)
    records = records_of(sample_corpus)[:4]
    rngs = [np.random.default_rng(number) for number in range(4)]
    apart = family.collate(records, rngs)
    real, padded = family.tokens(apart)
    assert real == sum(sum(family.sizes(record)) for record in records) and padded == apart["real"].numel()
    sums = family.loss_sums(family.build_model(0), apart)
    assert {name: int(count) for name, (_, count) in sums.items()} == family.counts(apart)
    packed = family.collate(records, [np.random.default_rng(number) for number in range(4)], rows=[0, 0, 1, 1])
    # The same tokens, pairs and targets: the same operations, however they lie.
    assert family.flops(packed, 2) == family.flops(apart, 2)  # test_luke_flops.py has what they are


def test_metrics_are_parts_of_one_another(sample_corpus: Path) -> None:
    family = make(TINY, sample_corpus)
    batch = family.collate(records_of(sample_corpus)[:8], [np.random.default_rng(n) for n in range(8)])
    found = {
        name: (int(right), int(count)) for name, (right, count) in family.metrics(family.build_model(0), batch).items()
    }
    known = int((batch["entity_labels"] != 1).sum())
    assert found["entity_top1"][1] == found["entity_top10"][1] == known
    bands = [value for name, value in found.items() if name.startswith("entity_top1.")]
    assert sum(count for _, count in bands) == known
    assert sum(right for right, _ in bands) == found["entity_top1"][0] <= found["entity_top10"][0]
    assert found["mlm_top1"][1] == len(batch["word_labels"])


def test_weights_by_links_degree_and_file(tmp_path: Path) -> None:
    (tmp_path / "tables").mkdir()
    vocabulary = {"id": [0, 3, 4, 5], "title": ["[PAD]", "A", "B", "C"], "count": [0, 8, 3, 0]}
    vocabulary["qid"] = [None, "Q10", "Q2", None]
    pq.write_table(pa.table(vocabulary), tmp_path / "tables" / "entity_vocab.parquet")
    with pytest.raises(UsageError, match="has no relations"):
        entity_weights("degree", 1.0, tmp_path, 6)
    triples = {"head": [2, 2, 10, 77], "property": [1, 1, 1, 1], "tail": [10, 5, 2, 77]}
    pq.write_table(pa.table(triples), tmp_path / "tables" / "wikidata_triples.parquet")
    links = entity_weights("links", -0.5, tmp_path, 6)
    assert links is not None and links.tolist() == pytest.approx([1, (8 / 3 + 3 / 2) / 11, 1, 1 / 3, 1 / 2, 1])
    # Q2 has two neighbours in three triples, Q10 has one in two; Q77 stands with itself alone.
    degrees = entity_weights("degree", 1.0, tmp_path, 6)
    assert degrees is not None and degrees.tolist() == pytest.approx([1, (8 * 2 + 3 * 3) / 11, 1, 2, 3, 1])
    np.save(tmp_path / "own.npy", np.array([1.0, 0, 2]))
    assert weights_file(str(tmp_path / "own.npy"), 3, "token id").tolist() == [1, 0, 2]
    for array in (np.array([1.0, np.nan, 2]), np.array([1.0, -1, 2]), np.ones(2), np.ones((3, 3))):
        np.save(tmp_path / "own.npy", array)
        with pytest.raises(UsageError):
            weights_file(str(tmp_path / "own.npy"), 3, "token id")


def test_published_sizes() -> None:
    assert config_of_size("luke-base", 50265, 500_000).intermediate_size == 3072
    large = config_of_size("luke-large", 50265, 500_000)
    assert (large.hidden_size, large.layers, large.heads, large.intermediate_size) == (1024, 24, 16, 4096)
