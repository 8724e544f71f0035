"""`wikiprep evaluate` of a SPOT: the log's own figures, relations of facts that were held out beside the pair prior."""

import json
from pathlib import Path

import numpy as np
import pytest
from click.testing import CliRunner
from running import events

from wikiprep.cli.main import cli
from wikiprep.errors import WikiprepError
from wikiprep.inference.evaluation.run import Evaluation, evaluate_checkpoint
from wikiprep.records.held_out import PAIR
from wikiprep.records.training_corpus import open_corpus


@pytest.fixture(scope="module")
def found(spot_run: Path, sample_spot: Path) -> Evaluation:
    return evaluate_checkpoint(str(spot_run), [str(sample_spot)], None, None)


def test_figures_as_trained_are_those_of_the_log(found: Evaluation, spot_run: Path) -> None:
    (logged,) = events(spot_run, "evaluate")
    for name, value in found.as_trained.items():
        assert value == pytest.approx(logged[name], rel=1e-6), name
    assert {"loss.relation", "relation_top1", "entity_top1.masked"} <= found.as_trained.keys()
    assert found.rows[0].targets == found.masked - found.unk > 20
    # Words as they stand: of the visible mentions the model says what it says of them as trained, but for other masks.
    assert found.rows[0].mention_prior == logged["entity_prior"]


def test_facts_that_are_asked_for_are_in_no_training_record(found: Evaluation, sample_spot: Path) -> None:
    corpus = open_corpus(str(sample_spot), 0.3, "sentence", PAIR)
    assert (
        found.facts == (corpus.facts,) and found.held_out_by == "pair" and found.records == len(corpus.split.held_out)
    )
    every, *parts = found.relations
    assert "the pair" not in [part.known for part in parts]
    assert sum(part.targets for part in parts) == every.targets > 10
    assert corpus.facts is not None and every.targets <= corpus.facts.relations
    assert every.top1 is not None and every.top10 is not None and 0 <= every.top1 <= every.top10 <= 1


def test_the_command_prints_both_tables(spot_run: Path, sample_spot: Path, found: Evaluation) -> None:
    words = ["evaluate", str(spot_run), "--corpus", str(sample_spot)]
    said = CliRunner().invoke(cli, words, catch_exceptions=False).output
    assert f"({0.3:g} of the pairs, seed 0)" in said and "held out are" in said and "relation accuracy" in said
    assert "relations of pairs" in said and "prior" in said and "neither" in said
    assert any(line.split()[1:4] == ["all", "│", str(found.relations[0].targets)] for line in said.splitlines())
    read = json.loads(CliRunner().invoke(cli, [*words, "--json"], catch_exceptions=False).output)
    assert read["relations"][0]["targets"] == found.relations[0].targets
    assert read["facts"][0]["pairs"] == found.facts[0].pairs


def test_a_corpus_with_other_meanings_is_refused(spot_run: Path, tiny_corpus: Path) -> None:
    with pytest.raises(WikiprepError, match="records without relations, and the model learns them"):
        evaluate_checkpoint(str(spot_run), [str(tiny_corpus)], None, None)


def test_pairs_of_pages_set_apart_may_be_known(spot_run: Path, sample_spot: Path, tmp_path: Path) -> None:
    """With pages held out the prior knows some of the pairs, and is the better for it."""
    config = tmp_path / "pages.toml"
    config.write_text((spot_run / "config.toml").read_text().replace('held_out_by = "pair"', 'held_out_by = "page"'))
    by_page = evaluate_checkpoint(str(spot_run), [str(sample_spot)], 0, None, str(config))
    assert not by_page.facts and by_page.held_out_by == "page"
    known = {row.known: row for row in by_page.relations}
    assert known["the pair"].targets > 0
    prior = known["the pair"].pair_prior
    assert prior is not None and prior >= np.mean([known["all"].most_frequent or 0])
