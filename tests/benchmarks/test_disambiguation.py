"""The benchmark of disambiguation in small: a whole LUKE tells two meanings apart, and broken ones do not."""

import sys
from itertools import islice
from pathlib import Path

import orjson
import pytest
from click.testing import CliRunner
from inline import build

BENCHMARKS = Path(__file__).parents[2] / "benchmarks"
sys.path.insert(0, str(BENCHMARKS))

pytest.importorskip("torch", reason="torch is not installed: pip install '.[train]'")

import disambiguation  # noqa: E402
import synthetic_names  # noqa: E402
import torch  # noqa: E402

import wikiprep  # noqa: E402
from wikiprep.cli.main import cli  # noqa: E402
from wikiprep.pretrain.evaluation.disambiguation import AMBIGUOUS, UNUSUAL, NameRow  # noqa: E402

SENTENCES = 400
# Three names, so that 160 steps are enough.
SETTINGS = ("stages.epochs=16", "data.global_batch=32", "data.held_out=0.25", "log.evaluate_every=0")
SECTIONS = {
    "tokenizer": {"tokenizer": "train:500"},
    "records": {"max_seq_length": 64, "sentence_records": True},
    "extract": {"templates": "render"},
}


@pytest.fixture(scope="module")
def names(tmp_path_factory: pytest.TempPathFactory) -> Path:
    folder = tmp_path_factory.mktemp("names")
    synthetic_names.write(folder, SENTENCES, seed=1)
    build(folder / "corpus", folder / synthetic_names.DUMP, sections=SECTIONS)
    return folder


@pytest.fixture(scope="module")
def found(names: Path) -> dict[str, dict[str, NameRow]]:
    torch.set_num_threads(1)
    parts = (disambiguation.WHOLE, *disambiguation.PARTS)
    return {part: disambiguation.rows_of(names, part, SETTINGS, quiet=True) for part in parts}


def test_the_prior_is_right_half_the_time(found: dict[str, dict[str, NameRow]]) -> None:
    for rows in found.values():
        prior, unusual = rows[AMBIGUOUS].mention_prior, rows[UNUSUAL].targets / rows[AMBIGUOUS].targets
        assert rows[AMBIGUOUS].targets > 50
        assert prior is not None and 0.3 < prior.value < 0.7 and unusual == pytest.approx(1 - prior.value)


def test_a_whole_luke_reads_the_context(found: dict[str, dict[str, NameRow]]) -> None:
    row = found[disambiguation.WHOLE][AMBIGUOUS]
    assert row.visible_top1 is not None and row.visible_top1.value > 0.9


@pytest.mark.parametrize("part", disambiguation.PARTS)
def test_a_broken_one_guesses(found: dict[str, dict[str, NameRow]], part: str) -> None:
    row = found[part][AMBIGUOUS]
    assert row.visible_top1 is not None and row.visible_top1.value < 0.6
    assert row.visible_among is not None and row.visible_among.value < 0.75


def test_what_is_not_as_it_should_be_is_told(found: dict[str, dict[str, NameRow]]) -> None:
    whole, *broken = found.values()
    assert disambiguation.wrong({disambiguation.WHOLE: broken[0]}) and not disambiguation.wrong({"a": broken[0]})
    assert disambiguation.wrong({"no-entity-loss": whole})
    assert "| whole | ambiguous |" in disambiguation.table(found)


def test_annotate_lets_the_model_choose(found: dict[str, dict[str, NameRow]], names: Path) -> None:
    """Of sentences with a name of two meanings: right by the prior, and by the model."""
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
