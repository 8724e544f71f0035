"""FewRel's sentences as a wiki: each is a record with its relation, words that look like markup are words."""

import json
import sys
from pathlib import Path

import pytest
from inline import build, rows, vocabulary

from wikiprep.config import PRESETS

sys.path.insert(0, str(Path(__file__).parents[2] / "benchmarks"))

import fewrel_facts


def example(text: str, head: tuple[str, str], tail: tuple[str, str]) -> dict:
    """Mentions stand between the first and the second pair of stars."""
    tokens, sides, at = [], {}, []
    for word in text.split():
        if word == "*":
            at.append(len(tokens))
        else:
            tokens.append(word)
    for key, side, (start, end) in zip("ht", (head, tail), (at[:2], at[2:]), strict=True):
        sides[key] = [*side, [list(range(start, end))]]
    return {"tokens": tokens, **sides}


EXAMPLES = {
    "P25": [
        example("* Ann & Co. * bore * [[ Ben ]] * .", ("ann", "Q1"), ("ben", "Q2")),
        example("* Ann * is the ''mother'' of * Cleo * <!-- now --> .", ("ann", "Q3"), ("cleo", "Q4")),
        example("* Ann * is * Ben * .", ("ann", "Q1"), ("ben", "Q5")),
    ],
    "P26": [example("* Ben * and * Ann * wed .", ("ben", "Q5"), ("ann", "Q1"))],
    "P40": [example("* {{ Dora }} * had * Eve * .", ("dora", "Q6"), ("eve", "Q7"))],
}
# An overlap: the tail stands within the head.
EXAMPLES["P40"].append({**EXAMPLES["P40"][0], "t": ["eve", "Q7", [[1]]]})


@pytest.fixture(scope="module")
def folder(tmp_path_factory: pytest.TempPathFactory) -> Path:
    folder = tmp_path_factory.mktemp("fewrel")
    (folder / "val_wiki.json").write_text(json.dumps(EXAMPLES))
    names = {name: [f"relation {name}", ""] for name in EXAMPLES}
    (folder / "pid2name.json").write_text(json.dumps(names))
    fewrel_facts.write(folder, folder / "facts")
    return folder


def test_every_sentence_is_a_record_with_its_relation(folder: Path, tmp_path: Path) -> None:
    preset = {name: dict(options) for name, options in PRESETS["spot"].items()}
    sections = preset | {
        "wikidata": {"wikidata": str(folder / "facts" / "fewrelwiki-wikidata.json")},
        "records": {**preset["records"], "text": True},
    }
    build(tmp_path / "corpus", folder / "facts" / "fewrelwiki-pages-articles.xml", sections=sections)
    title = {number: name for name, number in vocabulary(tmp_path / "corpus").items()}
    found = {}
    for row in rows(tmp_path / "corpus", "records"):
        names = [title[number] for number in row["entity_ids"]]
        found[row["text"]] = {(names[r["head"]], r["property"], names[r["tail"]]) for r in row["relations"]}
    assert found == {
        "Ann & Co. bore [[ Ben ]] .": {("Ann (Q1)", 25, "Ben")},
        "Ann is the ''mother'' of Cleo <!-- now --> .": {("Ann", 25, "Cleo")},
        "{{ Dora }} had Eve .": {("Dora", 40, "Eve")},
    }


def test_what_is_left_out_is_told(folder: Path, tmp_path: Path, capsys: pytest.CaptureFixture[str]) -> None:
    fewrel_facts.write(folder, tmp_path / "again")
    said = capsys.readouterr().out
    assert "3 sentences, 6 items, 2 relations" in said and "the other relations: P26" in said
    assert "'head and tail share words': 1" in said and "'the pair is of a relation that is left out too': 1" in said
    for path in (tmp_path / "again").iterdir():
        assert path.read_bytes() == (folder / "facts" / path.name).read_bytes()
