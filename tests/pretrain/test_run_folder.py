"""What a run's folder may be, whose it is, and what must be the same for a run to go on."""

import json
import shutil
from collections.abc import Callable
from pathlib import Path

import numpy as np
import orjson
import pyarrow.parquet as pq
import pytest
import torch
from running import CONFIG
from transformers import RobertaConfig, RobertaForMaskedLM

from wikiprep.errors import UsageError, WikiprepError
from wikiprep.files import sha256_of
from wikiprep.pretrain.start_training import Command, pretrain

QUICK = ("data.global_batch=4", "log.evaluate_every=0", "log.every=1", "data.micro_batch_tokens=600")


def tiny(output: Path, corpus: Path | str, *settings: str, **words: object) -> None:
    """Two steps of the tiny configuration."""
    command = {"max_steps": 2, "quiet": True} | words
    settings = (*QUICK, *settings)
    pretrain(Command(corpora=(str(corpus),), config="tiny", output=str(output), settings=settings, **command))  # type: ignore[arg-type]


def toy(tmp_path: Path, corpus: Path, *settings: str, **words: object) -> None:
    (tmp_path / "toy.toml").write_text(CONFIG)
    command = {"max_steps": 1, "quiet": True} | words
    config, output = str(tmp_path / "toy.toml"), str(tmp_path / "run")
    pretrain(Command(corpora=(str(corpus),), config=config, output=output, settings=settings, **command))  # type: ignore[arg-type]


def losses(run: Path) -> list[float]:
    lines = [json.loads(line) for line in (run / "log.jsonl").read_text().splitlines()]
    return [line["loss"] for line in lines if line["event"] == "train"]


def test_a_run_is_not_written_into_a_corpus_or_around_one(sample_corpus: Path, tmp_path: Path) -> None:
    corpus = Path(shutil.copytree(sample_corpus, tmp_path / "run" / "checkpoints" / "corpus"))
    (tmp_path / "link").symlink_to(corpus)
    before = sorted(tmp_path.rglob("*"))
    for output in (corpus, corpus / "run", corpus / "records", tmp_path / "link" / "run"):
        with pytest.raises(UsageError, match="is in the corpus"):
            tiny(output, corpus)
    for words in ({}, {"overwrite": True}):
        with pytest.raises(UsageError, match=r"is where the run .* has its checkpoints"):
            tiny(tmp_path / "run", tmp_path / "link", **words)
    with pytest.raises(UsageError, match="s3://bucket/run: a run is written to a disk"):
        pretrain(Command(corpora=(str(corpus),), config="tiny", output="s3://bucket/run"))
    assert sorted(tmp_path.rglob("*")) == before


def test_a_run_without_a_checkpoint_begins_anew(sample_corpus: Path, tmp_path: Path) -> None:
    """Killed wherever it was before its first checkpoint, and given other options: nothing is lost by it."""
    run = tmp_path / "run"
    toy(tmp_path, sample_corpus)
    shutil.rmtree(run / "checkpoints" / "step-00000001")
    (run / "checkpoints" / ".step-00000001-abc").mkdir()
    (run / "mine.txt").write_text("stays")
    toy(tmp_path, sample_corpus, "data.seed=1")
    log = [json.loads(line) for line in (run / "log.jsonl").read_text().splitlines()]
    assert [line["event"] for line in log] == ["begun", "model", "train", "evaluate", "checkpoint"]
    assert json.loads((run / "run.json").read_text())["options"]["data.seed"] == 1
    assert (run / "mine.txt").exists() and len(list((run / "checkpoints").iterdir())) == 1
    shutil.rmtree(run / "checkpoints")
    (run / "run.json").unlink()  # killed before this was written
    (run / "about" / "toy.txt").write_text("of other options")
    toy(tmp_path, sample_corpus)
    assert (run / "about" / "toy.txt").read_text() != "of other options"


@pytest.mark.parametrize("name", ["about", "checkpoints", "log.jsonl", "config.toml", "run.json"])
def test_what_is_no_run_is_not_overwritten(name: str, sample_corpus: Path, tmp_path: Path) -> None:
    path = tmp_path / "run" / name
    path.parent.mkdir()
    if "." in name:
        path.write_text("mine")
    else:
        path.mkdir()
        (path / "mine").write_text("mine")
    for words in ({}, {"overwrite": True}):
        with pytest.raises(UsageError, match=f"{name}: is of no run of pretrain"):
            toy(tmp_path, sample_corpus, **words)
    assert (path if path.is_file() else path / "mine").read_text() == "mine"


def test_another_corpus_is_no_run(sample_corpus: Path, tmp_path: Path) -> None:
    """It has a run.json and a config.toml too."""
    output = Path(shutil.copytree(sample_corpus, tmp_path / "run"))
    (output / "run.json").write_text('{"runs": []}')
    before = {path: path.read_bytes() for path in output.glob("*.*")}
    for words in ({}, {"overwrite": True}):
        with pytest.raises(UsageError, match="is of no run of pretrain"):
            toy(tmp_path, sample_corpus, **words)
    assert {path: path.read_bytes() for path in output.glob("*.*")} == before


def test_checkpoints_without_their_run_are_told(sample_corpus: Path, tmp_path: Path) -> None:
    toy(tmp_path, sample_corpus)
    (tmp_path / "run" / "run.json").unlink()
    with pytest.raises(WikiprepError, match="without it nothing says which run the checkpoints are of"):
        toy(tmp_path, sample_corpus)
    assert len(list((tmp_path / "run" / "checkpoints").iterdir())) == 1


@pytest.fixture
def copy(sample_corpus: Path, tmp_path: Path) -> Path:
    return Path(shutil.copytree(sample_corpus, tmp_path / "corpus"))


@pytest.fixture
def roberta(sample_corpus: Path, tmp_path: Path) -> Path:
    words = len(json.loads((sample_corpus / "tokenizer" / "vocab.json").read_text(encoding="utf-8")))
    sizes = {"hidden_size": 32, "num_hidden_layers": 1, "num_attention_heads": 4, "intermediate_size": 48}
    torch.manual_seed(1)
    config = RobertaConfig(vocab_size=words, max_position_embeddings=514, type_vocab_size=1, **sizes)
    RobertaForMaskedLM(config).save_pretrained(tmp_path / "roberta")
    return tmp_path / "roberta"


def other_weights(path: Path) -> None:
    data = bytearray(path.read_bytes())
    data[-1] ^= 1
    path.write_bytes(data)


def other_numbers(path: Path) -> None:
    numbers = np.load(path)
    numbers[7] += 1
    np.save(path, numbers)


def other_triples(path: Path) -> None:
    pq.write_table(pq.read_table(path).slice(5), path)


def other_titles(path: Path) -> None:
    """Two entities with each other's titles."""
    table = pq.read_table(path)
    titles = table["title"].to_pylist()
    titles[10], titles[11] = titles[11], titles[10]
    column = table.schema.get_field_index("title")
    pq.write_table(table.set_column(column, table.schema.field(column), [titles]), path)


def as_if_built(corpus: Path) -> None:
    """Make the manifest say what the files of tokenizer and tables are now."""
    manifest = orjson.loads((corpus / "manifest.json").read_bytes())
    for entry in manifest["files"]:
        if not entry["path"].startswith("records/"):
            entry["sha256"] = sha256_of(corpus / entry["path"])
    (corpus / "manifest.json").write_bytes(orjson.dumps(manifest))


@pytest.mark.parametrize(
    ("settings", "path", "change", "said"),
    [
        (('model.start="ROOT/roberta"',), "roberta/model.safetensors", other_weights, "model.start"),
        (('objective.entity_weights="ROOT/n.npy"',), "n.npy", other_numbers, "objective.entity_weights"),
        (('objective.word_weights="ROOT/n.npy"',), "n.npy", other_numbers, "objective.word_weights"),
        (
            ("objective.entity_weights=degree",),
            "corpus/tables/wikidata_triples.parquet",
            other_triples,
            "objective.entity_weights",
        ),
        ((), "corpus/tables/entity_vocab.parquet", other_titles, "entity vocabulary"),
    ],
    ids=["start", "entity weights", "word weights", "triples", "vocabulary"],
)
def test_content_that_decides_the_result_is_compared(
    settings: tuple[str, ...],
    path: str,
    change: Callable[[Path], None],
    said: str,
    copy: Path,
    roberta: Path,
    tmp_path: Path,
) -> None:
    np.save(tmp_path / "n.npy", np.ones(60_000, np.float32))
    settings = tuple(word.replace("ROOT", str(tmp_path)) for word in settings)
    tiny(tmp_path / "run", copy, *settings)
    tiny(tmp_path / "run", copy, *settings, max_steps=3)
    change(tmp_path / path)
    as_if_built(copy)
    with pytest.raises(UsageError, match=rf"holds a run with another .*{said}.*has changed since"):
        tiny(tmp_path / "run", copy, *settings, max_steps=4)
    assert len(losses(tmp_path / "run")) == 3


def test_a_checkpoint_to_start_from_is_needed_once(copy: Path, roberta: Path, tmp_path: Path) -> None:
    """A run goes on without it, as with it: sizes are in the run's about, values in its checkpoint."""
    start = f'model.start="{roberta}"'
    tiny(tmp_path / "whole", copy, start, max_steps=4)
    tiny(tmp_path / "run", copy, start)
    shutil.move(roberta, tmp_path / "elsewhere")
    tiny(tmp_path / "run", copy, start, max_steps=3)
    with pytest.raises(UsageError, match="no such checkpoint folder"):
        tiny(tmp_path / "new", copy, start)
    tiny(tmp_path / "run", copy, start, max_steps=4)
    assert losses(tmp_path / "run") == losses(tmp_path / "whole")
    shutil.move(tmp_path / "elsewhere", roberta)  # it is there again, and is still compared
    other_weights(roberta / "model.safetensors")
    with pytest.raises(UsageError, match=r"model\.start.*has changed since"):
        tiny(tmp_path / "run", copy, start, max_steps=5)
