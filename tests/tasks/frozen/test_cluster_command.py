"""`wikiprep cluster` on small sets, with static word vectors: no torch is needed."""

import json
import sys
from pathlib import Path

import pytest
from click.testing import CliRunner

from wikiprep.cli.main import cli
from wikiprep.errors import UsageError, WikiprepError
from wikiprep.tasks.frozen.sets import SETS, names_of, read_set, set_at
from wikiprep.tasks.metrics.clustering import clustering_scores

pytest.importorskip("sklearn")
VERBS = {"/people/person/place_lived": "lived", "/location/country/capital": "rules", "/x/y/founded": "founded"}
LIVED = "/people/person/place_lived"
PEOPLE, PLACES = ("Anna Low", "Bert", "Clara"), ("Oslo", "Rome", "Lima Bay", "Bern")
NUMBERS = {"Anna": "1 0 0", "Low": "1 0 0.1", "Bert": "0.9 0 0", "Clara": "1 0.1 0"} | {
    "Oslo": "0 1 0",
    "Rome": "0 0.9 0",
    "Lima": "0 1 0.1",
    "Bay": "0 1 0",
    "Bern": "0.1 1 0",
}


@pytest.fixture(scope="module")
def glove(tmp_path_factory: pytest.TempPathFactory) -> Path:
    path = tmp_path_factory.mktemp("glove") / "glove.txt"
    path.write_text("".join(f"{word} {numbers}\n" for word, numbers in NUMBERS.items()))
    return path


def columns(folder: Path, turned: bool = False) -> Path:
    """CoNLL-2003: a person and a place a sentence."""
    folder.mkdir()
    sentences = []
    for n in range(12):
        person, place = PEOPLE[n % 3].split(), PLACES[n % 4].split()
        tags = [("B-PER", "I-PER"), ("B-LOC", "I-LOC")]
        words = [f"{word} {tags[0][min(k, 1)]}" for k, word in enumerate(person)] + ["in O"]
        sentences.append("\n".join(words + [f"{word} {tags[1][min(k, 1)]}" for k, word in enumerate(place)]))
    parts = [sentences[:6], sentences[6:9], sentences[9:]]
    for name, part in zip(("eng.train", "eng.testa", "eng.testb"), parts, strict=True):
        (folder / name).write_text("\n\n".join(part[::-1] if turned else part) + "\n")
    return folder


def triples(folder: Path, starred: bool = False) -> Path:
    """NYT24, form (b): each sentence with one triple, but the last, whose pair has two relations."""
    folder.mkdir()
    lines = []
    for n in range(24):
        relation = list(VERBS)[n % 3]
        person, place = PEOPLE[n // 3 % 3], PLACES[n % 4]
        ends = (place, PLACES[(n + 1) % 4]) if "country" in relation else (person, place)
        if starred:
            ends = (ends[0].split()[-1], ends[1].split()[-1])
        text = f"{n} : {ends[0]} {VERBS[relation]} {ends[1]} ."
        lines.append({"text": text, "triple_list": [[ends[0], relation, ends[1]]]})
    lines[-1]["triple_list"].append([lines[-1]["triple_list"][0][0], LIVED, lines[-1]["triple_list"][0][2]])
    lines[0]["triple_list"].append(["Nobody there", LIVED, "Oslo"])
    for name, part in (("train", lines[:12]), ("valid", lines[12:18]), ("test", lines[18:])):
        (folder / f"{name}_triples.json").write_text(json.dumps(part))
    return folder


def cluster(*words: str | Path) -> str:
    done = CliRunner().invoke(cli, ["cluster", *map(str, words)], catch_exceptions=False)
    assert done.exit_code == 0, done.output
    return done.output


def test_entities(glove: Path, tmp_path: Path) -> None:
    said = cluster("entities", columns(tmp_path / "d"), "--model", glove, "--runs", 2, "-o", tmp_path / "o")
    assert "wikiprep: CoNLL-2003 (English): mentions: LOC (12), mentions: PER (12), sentences (12)" in said
    table = (tmp_path / "o/results.md").read_text()
    assert f"| {glove} | average | this run | **1.000 ± 0.000** | **1.000 ± 0.000** | **1.000 ± 0.000** |" in table
    assert "| all in one cluster |  | this run | **0.500 ± 0.000** | **0.000 ± 0.000** | **0.000 ± 0.000** |" in table
    found = json.loads((tmp_path / "o/results.json").read_text())
    assert (found["schema"], found["set"], found["read"]["mentions: PER"]) == ("cluster/1", "conll2003", 12)
    assert [draw["labels"] for draw in found["draws"]] == [["LOC", "PER"]] * 2
    assert [draw["seed"] for draw in found["draws"]] == [1, 2]
    assert found["rows"][1]["runs"][0] == {"acc": 1.0, "nmi": 1.0, "ari": 1.0, "items": 24, "different_vectors": 7}


def test_the_order_of_sentences_changes_no_figure(glove: Path, tmp_path: Path) -> None:
    for name, turned in (("a", False), ("b", True)):
        cluster("entities", columns(tmp_path / name, turned), "--model", glove, "-o", tmp_path / f"{name}-out")
    one, other = (json.loads((tmp_path / f"{name}-out/results.json").read_text()) for name in "ab")
    assert one.pop("files") != other.pop("files") and one == other
    assert (tmp_path / "a-out/results.md").read_bytes() == (tmp_path / "b-out/results.md").read_bytes()


def test_relations_are_drawn(glove: Path, tmp_path: Path) -> None:
    data = triples(tmp_path / "d")
    words = ("relations", data, "--model", glove, "--classes", 2, "--runs", 3, "--seed", 4)
    said = cluster(*words, "-o", tmp_path / "o")
    assert "| SPOT | SPOT, Table 3 |" not in said and "| SPOT |  | SPOT, Table 3 | 0.756 | 0.533 | 0.453 |" in said
    found = json.loads((tmp_path / "o/results.json").read_text())
    assert found["read"] == {"sentences": 24, "triples": 26} and found["left_out"]["triples: an end is not in the text"]
    assert {tuple(draw["labels"]) for draw in found["draws"]} == {
        (a, b) for a in sorted(VERBS) for b in sorted(VERBS) if a < b
    }
    both = next(
        d for d in found["draws"] if "/x/y/founded" in d["labels"] and "/people/person/place_lived" in d["labels"]
    )
    assert (both["ambiguous_texts"], both["ambiguous_items"], both["items"]) == (1, 2, 15)
    cluster(*words, "-o", tmp_path / "again")
    assert (tmp_path / "again/results.json").read_bytes() == (tmp_path / "o/results.json").read_bytes()
    assert len(found["published"]) == 8


def test_labels_that_are_named(glove: Path, tmp_path: Path) -> None:
    data, out = triples(tmp_path / "d"), tmp_path / "o"
    cluster("relations", data, "--model", glove, "--labels", "place_lived, capital", "--runs", 1, "-o", out)
    found = json.loads((out / "results.json").read_text())
    assert found["draws"][0]["labels"] == ["/location/country/capital", "/people/person/place_lived"]
    assert found["rows"][1]["mean"]["acc"] == 1.0  # a person and a place, or two places


def test_sets_by_their_files(tmp_path: Path) -> None:
    assert set_at("entities", columns(tmp_path / "c"), None) == "conll2003"
    assert set_at("relations", triples(tmp_path / "t"), None) == "nyt24"
    assert names_of("entities") == ["bc5cdr", "conll2003", "wnut17"] and names_of("relations") == ["fewrel", "nyt24"]
    (tmp_path / "c/eng.testb").unlink()
    with pytest.raises(WikiprepError, match=r"has no test file of CoNLL-2003.*\n.*clips\.uantwerpen"):
        read_set("conll2003", tmp_path / "c")
    assert len(read_set("conll2003", tmp_path / "c/eng.testa").items) == 6  # one file, where it is named


@pytest.mark.parametrize(
    "words, said",
    [
        (("entities", "t"), r"t: has no file of bc5cdr, conll2003, wnut17\n.*BC5CDR: BioCreative V"),
        (("relations", "none"), r"none: no such folder\n.*FewRel: .*NYT24: "),
        (("relations", "t", "--set", "bc5cdr"), r"--set bc5cdr: is none of relations"),
        (("relations", "t/test_triples.json"), r"is one file\n  say of which set: --set fewrel or nyt24"),
        (
            ("relations", "t", "--vectors", "mask", "--classes", "2", "--runs", "1"),
            r"has no vectors of mask\n  it has average",
        ),
        (("relations", "t"), "4 of 3 labels cannot be drawn"),
        (("relations", "starred", "--classes", "2"), r"of the form 'starred': its entities have no spans to evaluate"),
    ],
)
def test_what_cannot_be_is_said(words: tuple[str, ...], said: str, glove: Path, tmp_path: Path) -> None:
    triples(tmp_path / "t")
    triples(tmp_path / "starred", starred=True)
    what, data, *more = words
    with pytest.raises(WikiprepError, match=f"(?s){said}"):
        cluster(what, tmp_path / data, "--model", glove, *more, "-o", tmp_path / "o")


def test_packages_that_are_not_installed_are_named(
    glove: Path, tmp_path: Path, monkeypatch: pytest.MonkeyPatch
) -> None:
    monkeypatch.setattr("wikiprep.extra_packages.find_spec", lambda name: None)
    words = (columns(tmp_path / "d"), "--model", glove, "-o", tmp_path / "o")
    with pytest.raises(UsageError, match=r'sklearn is not installed\n  pip install "wikiprep\[cluster\]"'):
        cluster("entities", *words)
    with pytest.raises(UsageError, match=r'umap is not installed\n  pip install "wikiprep\[picture\]"'):
        CliRunner().invoke(cli, ["picture", "entities", *map(str, words)], catch_exceptions=False)
    monkeypatch.setitem(sys.modules, "scipy.optimize", None)  # as one that is not found
    with pytest.raises(UsageError, match="scipy is not installed"):
        clustering_scores("ab", "ab")


def test_every_set_says_where_it_is_from() -> None:
    for one in SETS.values():
        assert "http" in one.source.where or one.source.name == "NYT24"
