"""The wiki of facts: a build aligns every sentence with what it says, nothing else; whole facts are held out of it."""

import json
import sys
from pathlib import Path

import pytest
from inline import build, rows, vocabulary

from wikiprep.config import PRESETS
from wikiprep.records.held_out import PAIR
from wikiprep.records.training_corpus import open_corpus

BENCHMARKS = Path(__file__).parents[2] / "benchmarks"
sys.path.insert(0, str(BENCHMARKS))

import synthetic_facts  # noqa: E402

SENTENCES = 400


@pytest.fixture(scope="module")
def facts(tmp_path_factory: pytest.TempPathFactory) -> Path:
    folder = tmp_path_factory.mktemp("facts")
    synthetic_facts.write(folder, SENTENCES, seed=3)
    preset = {name: dict(options) for name, options in PRESETS["spot"].items()}
    sections = preset | {
        "wikidata": {"wikidata": str(folder / "factswiki-wikidata.json")},
        "records": {**preset["records"], "text": True},
    }
    build(folder / "corpus", folder / "factswiki-pages-articles.xml", sections=sections)
    return folder


def said_in(folder: Path) -> list[dict]:
    return [json.loads(line) for line in (folder / "facts.jsonl").read_text().splitlines()]


def test_every_sentence_is_a_record_with_its_fact_alone(facts: Path) -> None:
    records, said = rows(facts / "corpus", "records"), said_in(facts)
    assert len(records) == len(said) == SENTENCES
    title = {number: name for name, number in vocabulary(facts / "corpus").items()}
    assert {row["title"] for row in records} == {line["page"] for line in said}
    by_page: dict[str, list[dict]] = {}
    for row in records:
        by_page.setdefault(row["title"], []).append(row)
    for page, its in by_page.items():
        lines = [line for line in said if line["page"] == page]
        for row, line in zip(sorted(its, key=lambda row: row["ordinal"]), lines, strict=True):
            names = [title[number] for number in row["entity_ids"]]
            assert sorted(names) == sorted(filter(None, (line["head"], line["tail"], line["third"])))
            found = {(names[r["head"]], r["property"], names[r["tail"]]) for r in row["relations"]}
            expected = {(line["head"], int(line["property"][1:]), line["tail"])}
            if line["inverse"]:
                expected.add((line["tail"], int(line["inverse"][1:]), line["head"]))
            assert found == expected


def test_a_fact_that_is_held_out_is_in_no_other_sentence(facts: Path) -> None:
    corpus = open_corpus(str(facts / "corpus"), 0.2, "sentence", PAIR)
    every = rows(facts / "corpus", "records")

    def pairs(numbers: set[int]) -> set[frozenset[int]]:
        return {
            frozenset(every[n]["entity_ids"][r[side]] for side in ("head", "tail"))
            for n in numbers
            for r in every[n]["relations"]
        }

    held = {*corpus.split.held_out.tolist()}
    assert not pairs(held) & pairs({*range(SENTENCES)} - held)
    assert corpus.facts is not None and corpus.facts.pairs == len(pairs(held)) and not corpus.facts.left_out
    assert 0.1 < len(held) / SENTENCES < 0.3


def test_it_is_a_function_of_its_numbers(facts: Path, tmp_path: Path) -> None:
    synthetic_facts.write(tmp_path / "again", SENTENCES, seed=3)
    synthetic_facts.write(tmp_path / "other", SENTENCES, seed=4)
    for name in ("factswiki-pages-articles.xml", "factswiki-wikidata.json", "facts.jsonl"):
        assert (tmp_path / "again" / name).read_bytes() == (facts / name).read_bytes()
        assert (tmp_path / "other" / name).read_bytes() != (facts / name).read_bytes()
    said = said_in(facts)
    assert {line["property"] for line in said} > {"P19", "P26", "P17"}
    vague, third = (sum(bool(line[name]) for line in said) / SENTENCES for name in ("vague", "third"))
    assert 0.05 < vague < 0.15 and 0.1 < third < 0.3
    # Some entities share a name, which the words around it must tell apart.
    titles = {title for line in said for title in (line["head"], line["tail"])}
    assert any(title.endswith(f" ({kind})") for title in titles for kind in synthetic_facts.KINDS)


def test_the_configuration_beside_it_is_read(facts: Path) -> None:
    pytest.importorskip("torch", reason="torch is not installed: pip install '.[train]'")
    from wikiprep.pretrain.config_toml import load_config
    from wikiprep.pretrain.families import family_named

    config = load_config(str(BENCHMARKS / "spot_facts.toml"))
    family = family_named(config.family)(config.tables, facts / "corpus")
    assert family.name == "spot" and config.data.held_out_by == PAIR
