"""The benchmark of disambiguation in small: a whole LUKE tells two meanings apart, and broken ones do not."""

import sys
from pathlib import Path

import pytest
from inline import build

BENCHMARKS = Path(__file__).parents[2] / "benchmarks"
sys.path.insert(0, str(BENCHMARKS))

pytest.importorskip("torch", reason="torch is not installed: pip install '.[train]'")

import disambiguation  # noqa: E402
import synthetic_names  # noqa: E402
import torch  # noqa: E402

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
