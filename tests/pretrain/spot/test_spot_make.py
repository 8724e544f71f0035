"""Options and corpora that do not fit are said in a line; the rest becomes a family that fits the corpus."""

import json
import pickle
import shutil
from pathlib import Path

import numpy as np
import pyarrow as pa
import pyarrow.parquet as pq
import pytest
import torch
from click.testing import CliRunner
from spot_cases import record_of
from torch.utils.flop_counter import FlopCounterMode
from transformers import RobertaConfig, RobertaForMaskedLM

from wikiprep.cli.main import cli
from wikiprep.errors import UsageError, WikiprepError
from wikiprep.pretrain.config_toml import load_config
from wikiprep.pretrain.families import corpus_relations_of, family_named
from wikiprep.pretrain.luke import batch as word_names
from wikiprep.pretrain.spot import batch as names
from wikiprep.pretrain.spot.about_folder import read_about
from wikiprep.pretrain.spot.family import SpotFamily
from wikiprep.pretrain.spot.make_family import make
from wikiprep.pretrain.spot.model import Spot
from wikiprep.records.reader import RecordReader
from wikiprep.records.training_corpus import open_corpora, open_corpus

TINY = {"model": {"size": "tiny", "pair_heads": 4}}


def tiny(corpus: Path, **model: object) -> SpotFamily:
    return make({"model": {**TINY["model"], **model}}, corpus)


def test_the_corpus_decides_the_sizes(sample_spot: Path) -> None:
    family = family_named("spot")(TINY, sample_spot)
    config = tiny(sample_spot).config
    vocabulary = pq.read_table(sample_spot / "tables/entity_vocab.parquet")
    assert config.entity_vocab_size == max(vocabulary["id"].to_pylist()) + 1
    assert config.relations == pq.read_table(sample_spot / "tables/relation_vocab.parquet").num_rows
    again = pickle.loads(pickle.dumps(family))  # to workers of a loader
    reader = RecordReader(open_corpus(str(sample_spot), 0.1, "sentence"))
    records = [reader.read(number) for number in range(4)]
    one, other = (f.collate(records, [np.random.default_rng(n) for n in range(4)]) for f in (family, again))
    assert all((one[name] == other[name]).all() for name in one)


@pytest.mark.parametrize(
    ("model", "said"),
    [
        ({"size": "huge"}, "no model size 'huge'"),
        ({"hidden": 3}, r"unknown option 'hidden' in \[model\]"),
        ({"entities": True}, r"unknown option 'entities' in \[model\]"),
        ({"span_encoder": "endpoint+mean"}, r"span kinds \['endpoint', 'mean'\]"),
        ({"span_encoder": "max+max"}, "each once"),
        ({"pair_heads": 5}, "each head takes an equal share"),
        ({"pair_layers": 0}, r"\[model\] pair_layers = 0"),
        ({"max_span_width": 0}, r"\[model\] max_span_width = 0"),
        ({"entity_softmax": "full"}, "adaptive or exact"),
        ({"entity_cutoffs": [20, 10]}, r"model.entity_cutoffs = \[20, 10\]"),
        ({"entity_cutoffs": "20"}, "it takes a list of whole numbers"),
        ({"entity_cutoffs": [1.5]}, "it takes a list of whole numbers"),
        ({"entity_vocab_size": 1_000_000}, "model.entity_vocab_size = 1000000, but the corpus has [0-9]+ entity ids"),
        ({"relations": 1002}, "model.relations = 1002, but the corpus has [0-9]+ relations"),
        ({"vocab_size": 100}, "the corpus has ids up to"),
        ({"start": 1}, "it takes a string"),
    ],
)
def test_options_that_fit_nothing_are_refused(sample_spot: Path, model: dict[str, object], said: str) -> None:
    with pytest.raises(UsageError, match=said):
        tiny(sample_spot, **model)


def without_relations(corpus: Path, folder: Path, scope: bytes | None) -> Path:
    """The corpus with records that lack the column (None), or that name another scope."""
    copy = folder / "corpus"
    shutil.copytree(corpus, copy)
    manifest = json.loads((copy / "manifest.json").read_text())
    for path in sorted((copy / "records").iterdir()):
        table = pa.ipc.open_file(path).read_all()
        metadata = {**table.schema.metadata}
        if scope is None:
            table, metadata = table.drop_columns(["relations"]), {**metadata, b"wikiprep.relations": b""}
        else:
            metadata[b"wikiprep.relations"] = scope
        table = table.replace_schema_metadata(metadata)
        with pa.ipc.new_file(path, table.schema) as writer:
            writer.write_table(table)
        (entry,) = [entry for entry in manifest["files"] if entry["path"] == f"records/{path.name}"]
        entry["size"] = path.stat().st_size
    (copy / "manifest.json").write_text(json.dumps(manifest))
    return copy


@pytest.mark.parametrize(
    ("scope", "said", "way_out"),
    [
        (None, "records without relations, and the model learns them", "--wikidata and --preset spot"),
        (b"record", "mentions that share a record, and the model learns those of a sentence", "--relations sentence"),
    ],
)
def test_a_corpus_without_its_relations_is_refused_as_a_user_sees_it(
    sample_spot: Path, tmp_path: Path, scope: bytes | None, said: str, way_out: str
) -> None:
    corpus = without_relations(sample_spot, tmp_path, scope)
    words = ["pretrain", "--corpus", str(corpus), "--config", "spot-tiny", "--output", str(tmp_path / "run")]
    done = CliRunner().invoke(cli, words)
    assert done.exit_code == 1, done.output
    assert isinstance(done.exception, WikiprepError)
    assert said in done.exception.what and way_out in done.exception.hint
    open_corpora([str(corpus)], 0.1)  # LUKE takes it


def test_luke_on_a_corpus_of_relations_says_a_word(sample_spot: Path, sample_corpus: Path, tmp_path: Path) -> None:
    for corpus, told in ((sample_spot, True), (sample_corpus, False)):
        words = ["pretrain", "--corpus", str(corpus), "--config", "tiny", "--output", str(tmp_path / str(told))]
        done = CliRunner().invoke(cli, [*words, "--max-steps", "1", "--set", "data.global_batch=2"])
        assert done.exit_code == 0, done.output
        assert ("the corpus was made for relations (--preset spot)" in done.stderr) is told


def vocabulary_in(folder: Path, corpus: Path, counts: dict[int, int]) -> Path:
    """A corpus of tables alone, with other counts of some ids."""
    for name in ("tokenizer", "tables"):
        shutil.copytree(corpus / name, folder / name)
    path = folder / "tables" / "entity_vocab.parquet"
    table = pq.read_table(path)
    values = [counts.get(i, c) for i, c in zip(table["id"].to_pylist(), table["count"].to_pylist(), strict=True)]
    place = table.schema.get_field_index("count")
    pq.write_table(table.set_column(place, table.schema.field(place), pa.array(values, pa.int64())), path)
    return folder


def test_a_vocabulary_out_of_order_is_refused_by_name(sample_spot: Path, tmp_path: Path) -> None:
    titles = pq.read_table(sample_spot / "tables/entity_vocab.parquet")["title"].to_pylist()
    corpus = vocabulary_in(tmp_path / "corpus", sample_spot, {9: 10**6})
    with pytest.raises(UsageError, match="not in the order of frequency") as caught:
        tiny(corpus)
    assert f"{titles[9]!r} (id 9, 1,000,000 links) stands behind {titles[8]!r} (id 8," in caught.value.what
    assert 'model.entity_softmax = "exact"' in caught.value.hint
    assert tiny(corpus, entity_softmax="exact").config.entity_softmax == "exact"
    special = vocabulary_in(tmp_path / "other", sample_spot, {0: 5, 1: 7, 2: 9})  # what these have says nothing
    tiny(special)


def test_a_corpus_without_its_table_of_relations_is_told_of(sample_spot: Path, tmp_path: Path) -> None:
    corpus = vocabulary_in(tmp_path / "corpus", sample_spot, {})
    path = corpus / "tables" / "relation_vocab.parquet"
    pq.write_table(pq.read_table(path).slice(0, 0), path)
    with pytest.raises(WikiprepError, match="holds no relation"):
        tiny(corpus)
    path.unlink()
    with pytest.raises(WikiprepError, match="no vocabulary of relations"):
        tiny(corpus)


@pytest.mark.parametrize(
    ("record", "said"),
    [
        (record_of(600), "has 600 tokens, the model takes 510"),
        (record_of(9, [(10**6, 0, 1)]), "an id of 1000000"),
        (record_of(9, [(3, 7, 10)]), r"has a mention \[7, 10\), and 9 tokens"),
        (record_of(9, [(3, 4, 4)]), r"has a mention \[4, 4\)"),
    ],
)
def test_records_that_do_not_fit_are_told_of(sample_spot: Path, record: object, said: str) -> None:
    with pytest.raises(WikiprepError, match=said):
        tiny(sample_spot).collate([record], [np.random.default_rng(0)])


def test_stage_one_trains_what_is_new(sample_spot: Path) -> None:
    family = tiny(sample_spot)
    model = family.build_model(0)
    names_of = {id(p): name for name, p in model.named_parameters()}
    first = {names_of[id(p)] for group in family.parameter_groups(model, 1) for p in group.parameters}
    assert first == {name for name in names_of.values() if not name.startswith("text.")}
    groups = family.parameter_groups(model, 2)
    every = {names_of[id(p)] for group in groups for p in group.parameters}
    assert every == {*names_of.values()} and [group.decay for group in groups] == [True, False]
    still = {names_of[id(p)] for p in groups[1].parameters}
    assert "pairs.layers.0.norm.weight" in still and "spans.project.bias" in still
    assert len(family.blocks(model)) == 2


def test_a_head_of_sigmoids_takes_all_properties_of_a_pair(sample_spot: Path) -> None:
    options = {"model": {**TINY["model"], "relation_head": "sigmoid"}, "objective": {"several_properties": "drawn"}}
    assert make(options, sample_spot).objective.several_properties == "mean"
    assert tiny(sample_spot).objective.several_properties == "drawn"


@pytest.mark.parametrize("stage", [1, 2])
@pytest.mark.parametrize("softmax", ["adaptive", "exact"])
def test_flops_are_those_that_torch_counts(sample_spot: Path, softmax: str, stage: int) -> None:
    """Of a batch without padding: products of matrices, forward and backward."""
    family = tiny(sample_spot, entity_softmax=softmax, entity_cutoffs=[20, 60], dropout=0.0, attention_dropout=0.0)
    relation = (0, 1, int(family.relations.properties[0]))
    records = [record_of(30, [(5, 0, 2), (30, 4, 5), (70, 9, 12)], [relation])] * 3
    batch = family.collate(records, [np.random.default_rng(n) for n in range(len(records))])
    model = family.build_model(0)
    trained = {id(p) for group in family.parameter_groups(model, stage) for p in group.parameters}
    for parameter in model.parameters():
        parameter.requires_grad_(id(parameter) in trained)
    with FlopCounterMode(display=False) as counter:
        sum(loss for loss, _ in family.loss_sums(model, batch).values()).backward()
    assert family.flops(batch, stage) == pytest.approx(counter.get_total_flops(), rel=0.06)
    assert family.flops(batch, 1) < 0.8 * family.flops(batch, 2)  # the text encoder is frozen, and goes forward alone


def test_starts_from_a_roberta(sample_spot: Path, tmp_path: Path) -> None:
    """Of a folder of transformers: its states are ours, and what it lacks is new; gone on, the folder may be gone."""
    words = tiny(sample_spot).words
    config = RobertaConfig(
        vocab_size=words.size, hidden_size=32, num_hidden_layers=2, num_attention_heads=4, intermediate_size=48,
        max_position_embeddings=258, type_vocab_size=1, pad_token_id=words.pad,
    )  # fmt: skip
    theirs = RobertaForMaskedLM(config).eval()
    theirs.save_pretrained(tmp_path / "start")
    family = make({"model": {"start": str(tmp_path / "start"), "pair_heads": 4}}, sample_spot)
    assert (family.text.hidden_size, family.text.max_words) == (32, 256)
    model = family.build_model(0).eval()
    assert isinstance(model, Spot)
    notes = family.notes(model)
    assert all(name.startswith("text.pooler") for name in notes["new_tensors"])
    batch = family.collate([record_of(20, [(5, 0, 2)])], [np.random.default_rng(0)])
    ids = batch[word_names.WORD_IDS]
    with torch.no_grad():
        expected = theirs.roberta(ids, attention_mask=batch[word_names.REAL].long()).last_hidden_state
        _, found = model.states(batch)
    torch.testing.assert_close(found, expected.flatten(0, 1)[batch[names.SPAN_PLACES]], rtol=1e-4, atol=1e-4)
    assert family.identity()["checkpoint to start from (model.start)"]
    family.about(tmp_path / "about")
    shutil.rmtree(tmp_path / "start")
    again = make({"model": {"start": str(tmp_path / "start"), "pair_heads": 4}}, sample_spot, tmp_path / "about")
    assert again.text == family.text
    said = read_about(tmp_path / "about")
    assert (said.text, said.config) == (family.text, family.config)
    assert said.relations.digest() == family.relations.digest()
    assert again.identity()["checkpoint to start from (model.start)"] == ""


@pytest.mark.parametrize("name", ["spot-tiny", "spot-base", "spot-large"])
def test_shipped_configurations_make_a_family(sample_spot: Path, name: str) -> None:
    config = load_config(name)
    assert corpus_relations_of(config.family, config.tables) == "sentence"
    model = {key: value for key, value in config.tables["model"].items() if key not in ("start", "entity_vocab_size")}
    family = make({**config.tables, "model": model}, sample_spot)
    assert family.objective.token_share == 0.10 and family.objective.entity_share == 0.20
    if name != "spot-tiny":
        assert config.stages[0].epochs == 3 and config.data.global_batch == 96


def test_relations_of_records_are_those_of_the_file(sample_spot: Path) -> None:
    with_them = RecordReader(open_corpus(str(sample_spot), 0.1, "sentence"))
    without = RecordReader(open_corpus(str(sample_spot), 0.1))
    tables = [pa.ipc.open_file(path).read_all() for path in sorted((sample_spot / "records").iterdir())]
    rows = [row for table in tables for row in table.to_pylist()]
    assert len(with_them) == len(rows)
    for number, row in enumerate(rows):
        expected = [(r["head"], r["tail"], r["property"]) for r in row["relations"]]
        assert expected and pickle.loads(pickle.dumps(with_them)).read(number).relations.tolist() == expected
        if number < 3:
            assert not len(without.read(number).relations) and not len(with_them.peek(number).relations)
