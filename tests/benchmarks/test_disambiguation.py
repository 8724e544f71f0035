"""The benchmark of disambiguation: its wiki, its broken parts, and what it says; the trainings in small are slow."""

import sys
from itertools import islice
from pathlib import Path

import numpy as np
import orjson
import pytest
from click.testing import CliRunner
from inline import build, rows

BENCHMARKS = Path(__file__).parents[2] / "benchmarks"
sys.path.insert(0, str(BENCHMARKS))

pytest.importorskip("torch", reason="torch is not installed: pip install '.[train]'")

import broken_luke  # noqa: E402
import disambiguation  # noqa: E402
import synthetic_names  # noqa: E402
import torch  # noqa: E402

import wikiprep  # noqa: E402
from wikiprep.cli.main import cli  # noqa: E402
from wikiprep.inference.evaluation.accuracy import EstimatedShare  # noqa: E402
from wikiprep.inference.evaluation.disambiguation import ROWS, NameRow  # noqa: E402
from wikiprep.records.reader import RecordReader  # noqa: E402
from wikiprep.records.training_corpus import open_corpus  # noqa: E402

SENTENCES, NAMES = 1_200, 6
# Some 1,000 steps of 32 sentences.
SETTINGS = ("stages.epochs=36", "data.global_batch=32", "data.held_out=0.25", "log.evaluate_every=0")
SECTIONS = {
    "tokenizer": {"tokenizer": "train:500"},
    "records": {"max_seq_length": 64, "sentence_records": True},
    "extract": {"templates": "render"},
}


@pytest.fixture(scope="module")
def names(tmp_path_factory: pytest.TempPathFactory) -> Path:
    folder = tmp_path_factory.mktemp("names")
    synthetic_names.write(folder, SENTENCES, seed=1, names=NAMES)
    build(folder / "corpus", folder / synthetic_names.DUMP, sections=SECTIONS)
    return folder


def test_a_name_means_two_things_equally_often_and_a_clause_says_which(names: Path, tmp_path: Path) -> None:
    records, vocabulary = rows(names / "corpus", "records"), rows(names / "corpus", "tables/entity_vocab.parquet")
    assert len(records) == SENTENCES and all(len(record["entity_ids"]) == 2 for record in records)
    counts = {row["title"]: row["count"] for row in vocabulary if row["title"].endswith(")")}
    by_name: dict[str, list[int]] = {}
    for title, count in counts.items():
        by_name.setdefault(title.partition(" (")[0], []).append(count)
    assert len(by_name) == NAMES
    for first, second in by_name.values():
        assert abs(first - second) <= 1
    words = [word for subject in synthetic_names.SUBJECTS.values() for word in subject]
    assert len(words) == len(set(words))
    synthetic_names.write(tmp_path, SENTENCES, seed=1, names=NAMES)
    assert (tmp_path / synthetic_names.DUMP).read_bytes() == (names / synthetic_names.DUMP).read_bytes()


@pytest.mark.parametrize("part", disambiguation.PARTS)
def test_what_is_broken(names: Path, part: str) -> None:
    corpus = names / "corpus"
    options = {"model": {"size": "tiny"}, "objective": {"entity_share": 0.5}}
    broken = broken_luke.make(options | {"task": {"part": part}}, corpus)
    whole = broken_luke.make_luke(options, corpus)
    reader = RecordReader(open_corpus(str(corpus), 0.25))
    records = [reader.read(number) for number in range(64)]
    made, as_it_should = (
        family.collate(records, [np.random.default_rng(n) for n in range(64)]) for family in (broken, whole)
    )
    labels, right = made["entity_labels"].tolist(), as_it_should["entity_labels"].tolist()
    assert sorted(labels) == sorted(right) and (labels == right) == (part == broken_luke.NO_LOSS)
    losses = broken.loss_sums(broken.build_model(0), made)
    assert set(losses) == ({"mlm"} if part == broken_luke.NO_LOSS else {"mlm", "entity"})


def found(over_all: float, among: float) -> dict[str, NameRow]:
    shares = (
        EstimatedShare(1.0, 0.0),
        EstimatedShare(among, 0.01),
        EstimatedShare(over_all, 0.01),
        EstimatedShare(among, None),
        None,
    )
    return {kind: NameRow(kind, 9, *shares, EstimatedShare(0.5, 0.01), EstimatedShare(0.5, 0.01)) for kind in ROWS}


def test_what_is_not_as_it_should_be_is_told() -> None:
    good, bad = found(0.96, 0.98), found(0.02, 0.5)
    assert not disambiguation.find_problems({disambiguation.WHOLE: good, **dict.fromkeys(disambiguation.PARTS, bad)})
    assert disambiguation.find_problems({disambiguation.WHOLE: bad}) == [
        "whole: 2.0% of ambiguous names are right, not 95%"
    ]
    assert len(disambiguation.find_problems(dict.fromkeys(disambiguation.PARTS, good))) == 2
    told = disambiguation.table({disambiguation.WHOLE: good}).splitlines()
    assert told[2] == "| whole | ambiguous | 9 | 96.0 ± 1.0 | 98.0 ± 1.0 | 50.0 ± 1.0 | 50.0 ± 1.0 |" and len(told) == 5


@pytest.mark.slow
@pytest.mark.parametrize("part", [disambiguation.WHOLE, *disambiguation.PARTS])
def test_in_small(names: Path, part: str) -> None:
    torch.set_num_threads(1)
    row = disambiguation.rows_of(names, part, SETTINGS, quiet=True)["ambiguous"]
    assert row.targets > 100 and row.mention_prior and row.visible_top1 and row.visible_among
    assert 0.35 < row.mention_prior.value < 0.65
    if part == disambiguation.WHOLE:
        assert row.visible_top1.value > 0.9
    else:
        assert row.visible_top1.value < 0.4 and row.visible_among.value < 0.7


@pytest.mark.slow
def test_annotate_lets_the_model_choose(names: Path) -> None:
    """Of sentences with a name of two meanings: right by the prior, and by the model."""
    disambiguation.rows_of(names, disambiguation.WHOLE, SETTINGS, quiet=True)
    build(names / "named", names / synthetic_names.DUMP, sections=SECTIONS | {"mentions": {"mentions": True}})
    corpus = wikiprep.open(names / "named")
    texts, meant = [], []
    for article in islice(corpus.articles(), 150):
        for paragraph in article.paragraphs:
            for link in paragraph.links:
                if len(corpus.mentions.candidates(paragraph.text[link.start : link.end])) > 1:
                    texts.append(paragraph.text)
                    meant.append((link.start, link.end, link.target))
    source = names / "sentences.txt"
    source.write_text("".join(f"{text}\n" for text in texts))
    right = {}
    for by, words in {"prior": (), "model": ("--model", str(names / disambiguation.WHOLE))}.items():
        done = CliRunner().invoke(
            cli, ["annotate", str(names / "named"), "-i", str(source), "-o", str(names / f"{by}.jsonl"), *words]
        )
        assert done.exit_code == 0, done.output
        lines = [orjson.loads(line) for line in (names / f"{by}.jsonl").read_bytes().splitlines()]
        spans = [{(it["start"], it["end"]): it for it in line["links"]} for line in lines]
        right[by] = [its[start, end]["target"] == title for its, (start, end, title) in zip(spans, meant, strict=True)]
        assert not any("candidates" in it for its in spans for it in its.values())
        chosen = [its[start, end]["source"] for its, (start, end, _) in zip(spans, meant, strict=True)]
        assert set(chosen) == {by}
        assert all(it["url"] for its in spans for it in its.values())
    assert len(texts) > 50
    assert sum(right["model"]) / len(texts) > 0.9 > 0.7 > sum(right["prior"]) / len(texts)
    assert f"chosen spans {len(texts):,}" in " ".join(done.stderr.split()) or "chosen spans" in done.stderr
