"""`wikiprep export-triples` on a corpus built from a dump: PyKEEN reads it, nothing leaks, bad calls are told."""

import random
from collections import Counter
from pathlib import Path
from typing import Any

import orjson
import pytest
from building import hashes, wikiprep
from entity_dumps import array, item, prop, statement
from inline import build, rows, write_dump, xml_page

from wikiprep.applications.export_triples import SplitOptions, export_triples
from wikiprep.errors import WikiprepError
from wikiprep.wikidata.graph.select import Selection

PEOPLE, PLACES = range(1, 151), range(201, 221)


def entities() -> list[dict[str, Any]]:
    """Parents, children (the inverse of it), spouses (symmetric), places of birth said twice, and what has no page."""
    rng = random.Random(3)
    claims: dict[int, list[Any]] = {n: [] for n in (*PEOPLE, *PLACES)}
    for person in PEOPLE:
        for parent in {rng.choice(PEOPLE), rng.choice(PEOPLE)}:
            claims[person].append(statement("P8810", f"Q{parent}"))
            claims[parent].append(statement("P40", f"Q{person}"))
        place, spouse = rng.choice(PLACES), rng.choice(PEOPLE)
        claims[person] += [statement("P19", f"Q{place}"), statement("P1019", f"Q{place}")]
        claims[person] += [statement("P551", f"Q{p}") for p in rng.sample(PLACES, 3)]
        claims[person].append(statement("P26", f"Q{spouse}"))
        claims[spouse].append(statement("P26", f"Q{person}"))
        claims[person].append(statement("P31", "Q9005"))
    claims[1].append(statement("P26", "Q1"))
    titles = {n: f"Person {n}" if n in PEOPLE else f'Place\u00a0{n}, A "B" & 東京' for n in claims}
    made = [item(n, *claims[n], title=titles[n]) for n in claims]
    made[0]["labels"] = {"en": {"language": "en", "value": "tab\there"}}
    inverse = {"mainsnak": {"snaktype": "value", "property": "P1696", "datavalue": {
        "type": "wikibase-entityid", "value": {"entity-type": "property", "id": "P40"}}}, "rank": "normal"}  # fmt: skip
    parent = prop(8810, label="parent")
    parent["claims"] = {"P1696": [inverse]}
    return [*made, item(9005), parent, prop(40, label="child"), prop(26, label="spouse"), prop(19), prop(551)]


@pytest.fixture(scope="module")
def corpus(tmp_path_factory: pytest.TempPathFactory) -> Path:
    folder = tmp_path_factory.mktemp("triples")
    (folder / "latest-all.json").write_bytes(array(entities()))
    pages = [
        xml_page(n, f"Person {n}", f"Some words about [[Person {n % 150 + 1}]] and [[Person {n // 2 + 1}]].")
        for n in PEOPLE
    ]
    dump = write_dump(folder / "enwiki-20260101-pages-articles.xml", *pages)
    build(
        folder / "corpus",
        dump,
        sections={"wikidata": {"wikidata": str(folder / "latest-all.json")}},
        until="tables",
    )
    return folder / "corpus"


def lines(folder: Path, name: str) -> list[dict[str, str]]:
    """A table with its header."""
    head, *body = [line.split("\t") for line in (folder / name).read_text(encoding="utf-8").splitlines()]
    assert all(len(row) == len(head) for row in body)
    return [dict(zip(head, row, strict=True)) for row in body]


def report(folder: Path) -> dict[str, Any]:
    found: dict[str, Any] = orjson.loads((folder / "export.json").read_bytes())
    return found


def part(folder: Path, name: str) -> list[tuple[str, ...]]:
    return [tuple(line.split("\t")) for line in (folder / f"{name}.tsv").read_text(encoding="utf-8").splitlines()]


def leaks(folder: Path) -> list[tuple[str, ...]]:
    """Held-out triples whose entities stand together in train, or whose names train lacks. In this order: that this is
    the rule is the test's own business, so it takes nothing of the code."""
    train = part(folder, "train")
    together = {frozenset((h, t)) for h, _, t in train}
    known, relations = {e for h, _, t in train for e in (h, t)}, {r for _, r, _ in train}
    held_out = [triple for name in ("valid", "test") for triple in part(folder, name)]
    return [
        (h, r, t)
        for h, r, t in held_out
        if frozenset((h, t)) in together or h not in known or t not in known or r not in relations
    ]


def test_the_files(corpus: Path, tmp_path: Path) -> None:
    done = wikiprep("export-triples", corpus, "--output", tmp_path / "kg", "--valid", 0.1, "--test", 0.1)
    assert done.returncode == 0, done.stderr
    made = report(tmp_path / "kg")
    parts = {name: part(tmp_path / "kg", name) for name in ("train", "valid", "test")}
    kept = [triple for name in parts for triple in parts[name]]
    table = {
        (f"Q{r['head']}", f"P{r['property']}", f"Q{r['tail']}") for r in rows(corpus, "tables/wikidata_triples.parquet")
    }
    assert len(kept) == len(set(kept))
    # Of parent and child, and of the two places of birth, one each is left: of equal size the smaller number.
    assert set(kept) == {(h, r, t) for h, r, t in table if r not in ("P8810", "P1019")}
    counts = made["counts"]
    assert counts["triples.read"] == len(table)
    assert {name: counts[f"triples.{name}"] for name in parts} == {name: len(found) for name, found in parts.items()}
    assert counts["triples.dropped.redundant relation"] == sum(r in ("P8810", "P1019") for _, r, _ in table)
    (equation,) = made["equations"]
    assert sum(equation["parts"].values()) == equation["total"] == len(table)
    assert len(parts["test"]) == pytest.approx(0.1 * len(kept), abs=3)
    assert leaks(tmp_path / "kg") == []
    assert ("Q1", "P26", "Q1") in parts["train"]
    assert f"{len(kept):,} triples (train {len(parts['train']):,}" in done.stderr

    relations = {row["property"]: row for row in lines(tmp_path / "kg", "relations.tsv")}
    assert {p: row["left_out"] for p, row in relations.items() if row["left_out"]} == {
        "P8810": "inverse of P40",
        "P1019": "duplicate of P19",
    }
    assert (relations["P8810"]["label"], relations["P8810"]["inverses"], relations["P1019"]["label"]) == (
        "parent",
        "P40",
        "",
    )
    assert float(relations["P26"]["symmetric"]) == 1.0
    for name in parts:
        times = Counter(r for _, r, _ in parts[name])
        assert {p: int(row[name]) for p, row in relations.items() if row[name] != "0"} == times
    overlaps = lines(tmp_path / "kg", "overlaps.tsv")
    assert {
        (o["property"], o["other"], o["kind"], o["declared_inverse"]) for o in overlaps if float(o["share"]) == 1
    } == {
        ("P40", "P8810", "inverse", "yes"),
        ("P19", "P1019", "duplicate", "no"),
    }
    found = {row["qid"]: row for row in lines(tmp_path / "kg", "entities.tsv")}
    assert found.keys() == {e for h, _, t in kept for e in (h, t)}
    ids = {row["qid"]: row["id"] for row in rows(corpus, "tables/entity_vocab.parquet") if row["qid"]}
    assert {q: int(row["entity_id"]) for q, row in found.items() if row["entity_id"]} == {
        q: n for q, n in ids.items() if q in found
    }
    assert (found["Q1"]["title"], found["Q1"]["label"]) == ("Person 1", "tab here")
    assert found["Q201"]["title"] == 'Place 201, A "B" & 東京'


def test_pykeen_reads_it_and_nothing_is_lost(corpus: Path, tmp_path: Path) -> None:
    triples = pytest.importorskip("pykeen.triples", reason="pykeen is not installed; it is one of the dev dependencies")
    export_triples(str(corpus), str(tmp_path), Selection(), SplitOptions(0.1, 0.1, 5))
    train = triples.TriplesFactory.from_path(tmp_path / "train.tsv")
    assert train.num_triples == len(part(tmp_path, "train"))
    for name in ("valid", "test"):
        held_out = triples.TriplesFactory.from_path(
            tmp_path / f"{name}.tsv", entity_to_id=train.entity_to_id, relation_to_id=train.relation_to_id
        )
        assert held_out.num_triples == len(part(tmp_path, name)) > 0
        named = {tuple(row) for row in held_out.triples.tolist()}
        assert named == set(part(tmp_path, name))
    assert train.entity_to_id.keys() == {row["qid"] for row in lines(tmp_path, "entities.tsv")}
    # PyKEEN's own search for leaking relations finds none that is left.
    from pykeen.triples.leakage import Sealant

    sealant = Sealant(train, minimum_frequency=0.97)
    assert sealant.relations_to_delete == set()


def test_relations_that_are_kept_do_not_leak_either(corpus: Path, tmp_path: Path) -> None:
    export_triples(str(corpus), str(tmp_path), Selection(max_overlap=None), SplitOptions(0.1, 0.1, 5))
    assert leaks(tmp_path) == []
    train, test = part(tmp_path, "train"), part(tmp_path, "test")
    # The fact is said twice in test, as it would be in train.
    assert {(t, "P40", h) for h, r, t in test if r == "P8810"} == {(h, r, t) for h, r, t in test if r == "P40"}
    assert {r for _, r, _ in train} == {"P19", "P1019", "P26", "P40", "P551", "P8810"}


def test_options_leave_out_what_they_say(corpus: Path, tmp_path: Path) -> None:
    words = ("--vocabulary", "--min-degree", 5, "--min-relation", 40, "--keep-redundant", "--seed", 9, "--valid", 0)
    done = wikiprep("export-triples", corpus, "-o", tmp_path, *words)
    assert done.returncode == 0, done.stderr
    assert not (tmp_path / "valid.tsv").exists()
    kept = part(tmp_path, "train") + part(tmp_path, "test")
    assert min(Counter(e for h, _, t in kept for e in {h, t}).values()) >= 5
    assert {r for _, r, _ in kept} == {"P26", "P40", "P8810"}  # places are no entities of the vocabulary
    assert "left out: " in done.stderr
    options = report(tmp_path)["options"]
    assert (options["only_vocabulary"], options["seed"], options["max_overlap"]) == (True, 9, None)


def test_the_same_bytes_each_time_and_others_for_another_seed(corpus: Path, tmp_path: Path) -> None:
    for name, seed, hash_seed in (("a", 1, "1"), ("b", 1, "2"), ("c", 2, "1")):
        done = wikiprep("export-triples", corpus, "-o", tmp_path / name, "--seed", seed, PYTHONHASHSEED=hash_seed)
        assert done.returncode == 0, done.stderr
    assert hashes(tmp_path / "a") == hashes(tmp_path / "b")
    assert hashes(tmp_path / "a")["test.tsv"] != hashes(tmp_path / "c")["test.tsv"]
    # An export into the same folder leaves no part of the one before.
    export_triples(str(corpus), str(tmp_path / "a"), Selection(), SplitOptions(0, 0.1, 1))
    assert not (tmp_path / "a" / "valid.tsv").exists()


@pytest.mark.parametrize(
    ("words", "problem"),
    [
        (["--valid", 0.5, "--test", 0.5], "leave nothing to train on"),
        (["--min-degree", 10_000], "no triple is left of"),
        (["--test", 0.00001], "none that train can spare"),
        (["--valid", "nan"], "nothing to train on|Invalid value|not a valid"),
    ],
)
def test_what_cannot_be_is_told(corpus: Path, tmp_path: Path, words: list[Any], problem: str) -> None:
    done = wikiprep("export-triples", corpus, "-o", tmp_path / "kg", *words)
    assert done.returncode != 0
    assert any(p in done.stderr for p in problem.split("|")), done.stderr
    assert "Traceback" not in done.stderr
    assert not (tmp_path / "kg" / "train.tsv").exists()


def test_a_corpus_without_wikidata_is_told(tiny_corpus: Path, tmp_path: Path) -> None:
    for place, said, way_out in (
        (tiny_corpus, "no relations of Wikidata", "--wikidata"),
        (tmp_path / "nowhere", "no such folder", "a corpus that wikiprep made"),
    ):
        done = wikiprep("export-triples", place, "-o", tmp_path / "kg")
        assert done.returncode == 2
        assert said in done.stderr and way_out in done.stderr
    (tmp_path / "file").write_text("")
    done = wikiprep("export-triples", tiny_corpus, "-o", tmp_path / "file")
    assert done.returncode == 2
    assert "is a file" in done.stderr


def test_items_without_a_page_are_there_when_kept_and_asked_for(tmp_path: Path) -> None:
    people = [item(n, statement("P31", "Q9005"), title=f"P{n}") for n in (1, 2)]
    people += [item(3, statement("P22", "Q1"), statement("P31", "Q777"), statement("P19", "Q9006"), title="P3")]
    (tmp_path / "all.json").write_bytes(array([*people, item(9005), item(9006, statement("P17", "Q1"))]))
    dump = write_dump(tmp_path / "enwiki.xml", *(xml_page(n, f"P{n}", "Words about [[P1]].") for n in (1, 2, 3)))
    wikidata = {"wikidata": str(tmp_path / "all.json"), "wikidata_outside": True}
    commits = build(tmp_path / "out", dump, sections={"wikidata": wikidata}, until="tables")
    counts = commits["wikidata"].counts
    assert counts["triples.dropped.tail without page"] == counts["also.triples.outside"] == 3
    assert counts["triples.dropped.dangling"] == counts["triples.kept"] == 1  # Q777 is not in the dump
    build(tmp_path / "none", dump, sections={"wikidata": wikidata | {"wikidata_outside": False}}, until="tables")
    with pytest.raises(WikiprepError, match="--wikidata-outside --update"):
        export_triples(str(tmp_path / "none"), str(tmp_path / "kg"), Selection(), SplitOptions(0, 0), outside=True)
    export_triples(str(tmp_path / "out"), str(tmp_path / "kg"), Selection(), SplitOptions(0, 0), outside=True)
    assert part(tmp_path / "kg", "train") == [
        ("Q1", "P31", "Q9005"),
        ("Q2", "P31", "Q9005"),
        ("Q3", "P22", "Q1"),
        ("Q3", "P19", "Q9006"),
    ]
    assert tuple(lines(tmp_path / "kg", "entities.tsv")[3].values()) == ("Q9005", "", "", "", "")
    done = wikiprep("export-triples", tmp_path / "out", "-o", tmp_path / "kg", "--outside", "--vocabulary")
    assert done.returncode == 2
    assert "exclude each other" in done.stderr
