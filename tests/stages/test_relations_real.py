"""Real pages with real items, and with made-up triples between all that they link: as a plain script aligns them."""

import bz2
from collections import Counter
from pathlib import Path
from random import Random
from typing import Any

import orjson
import pytest
from entity_dumps import array, item, prop, statement
from inline import build, rows, vocabulary

from wikiprep.checks import check_corpus
from wikiprep.files import Store
from wikiprep.manifest import read_manifest

WIKI, DUMP = "enwiki", "enwiki-2016-206pages.xml.bz2"
Json = dict[str, Any]


class Plain:
    """What a Wikidata dump says, held in dicts, and the relations of records by it: nothing of wikiprep is used."""

    def __init__(self, entities: list[Json], output: Path) -> None:
        self.items = {e["sitelinks"][WIKI]["title"]: e["id"] for e in entities if WIKI in (e.get("sitelinks") or {})}
        known = set(self.items.values())
        self.triples: dict[tuple[str, str], set[tuple[int, int]]] = {}
        for entity in entities:
            for name, group in (entity.get("claims") or {}).items() if entity["id"] in known else ():
                ranks = {s["rank"] for s in group}
                best = "preferred" if "preferred" in ranks else "normal"
                for made in group:
                    value = made["mainsnak"].get("datavalue", {}).get("value")
                    if made["rank"] == best and isinstance(value, dict) and value.get("id") in known:
                        pair = (entity["id"], value["id"])
                        self.triples.setdefault(pair, set()).add((int(name[1:]), int(best == "preferred")))
        self.titles = {number: title for title, number in vocabulary(output).items()}
        self.redirects = {r["title"]: r["final"] for r in rows(output, "tables/redirects.parquet")}

    def relations(self, row: Json, scope: str) -> tuple[list[Json], int, int]:
        """The relations of a record, in order; pairs of mentions that share the scope; pairs with an item each."""
        sentence = [sum(start <= first for start in row["sentence_starts"]) for first in row["entity_starts"]]
        items = [self.items.get(self.titles[entity]) for entity in row["entity_ids"]]
        found, pairs, with_items = [], 0, 0
        for i, head in enumerate(items):
            for j, tail in enumerate(items):
                if i == j or (scope == "sentence" and sentence[i] != sentence[j]):
                    continue
                pairs += 1
                with_items += head is not None and tail is not None and head != tail
                if head is None or tail is None or head == tail:
                    continue
                source = max(row["entity_sources"][i], row["entity_sources"][j])
                for number, rank in sorted(self.triples.get((head, tail), ())):
                    found.append({"head": i, "tail": j, "property": number, "rank": rank, "source": source})
        return found, pairs, with_items


def compare(output: Path, plain: Plain, scope: str) -> int:
    """Demand that all records have the relations of the plain script, and the counts; returns how many."""
    manifest = read_manifest(Store(str(output)))
    counts, wikidata = manifest.counts["records"], manifest.counts["wikidata"]
    assert wikidata["items.kept"] == wikidata["titles.kept"] == len(plain.items)
    assert wikidata["triples.kept"] == sum(map(len, plain.triples.values()))
    total: Counter[str] = Counter()
    by_property: Counter[int] = Counter()
    for row in rows(output, "records"):
        found, pairs, with_items = plain.relations(row, scope)
        assert row["relations"] == found, row["title"]
        total += Counter(pairs=pairs, with_items=with_items, relations=len(found))
        total["related"] += len({(r["head"], r["tail"]) for r in found})
        by_property.update(r["property"] for r in found)
    assert counts["pairs.found"] == total["pairs"]
    assert counts["pairs.related"] == total["related"]
    assert counts["pairs.related"] + counts.get("pairs.unrelated", 0) == total["with_items"]
    assert counts["relations.found"] == total["relations"]
    vocabulary = rows(output, "tables/relation_vocab.parquet")
    assert [(r["property"], r["count"]) for r in vocabulary] == sorted(by_property.items(), key=lambda e: (-e[1], e[0]))
    assert list(check_corpus(Store(str(output)), manifest)) == []
    return total["relations"]


@pytest.fixture(scope="module")
def real_items(shared_data: Path, tmp_path_factory: pytest.TempPathFactory) -> Path:
    """A file of real items."""
    path = tmp_path_factory.mktemp("items") / "items.json"
    names = ("items-100-enwiki.json.bz2", "items-20-array.json.bz2")
    path.write_bytes(b"".join(bz2.decompress((shared_data / "wikidata" / name).read_bytes()) for name in names))
    return path


@pytest.fixture(scope="module")
def output(tmp_path_factory: pytest.TempPathFactory) -> Path:
    """One folder for both scopes: only the records differ, and are made anew."""
    return tmp_path_factory.mktemp("real") / "out"


@pytest.mark.parametrize(("scope", "least"), [("sentence", 20), ("record", 30)])
def test_real_pages_and_real_items(shared_data: Path, real_items: Path, output: Path, scope: str, least: int) -> None:
    lines = real_items.read_bytes().split(b"\n")
    entities = [orjson.loads(line.strip(b", ")) for line in lines if line.strip(b"[], ")]
    sections = {
        "wikidata": {"wikidata": str(real_items)},
        "vocabulary": {"vocab_targets": "linked"},
        "relations": {"relations": scope},
    }
    build(output, shared_data / "dumps" / DUMP, sections=sections)
    assert compare(output, Plain(entities, output), scope) >= least


def test_real_pages_with_triples_between_what_they_link(shared_data: Path, tmp_path: Path) -> None:
    """The 1,000 most linked titles, each related to some of the first 100, or to itself, by properties of any rank."""
    dump = shared_data / "dumps" / "enwiki-27pages-longarticles.xml.bz2"
    build(tmp_path, dump, until="vocabulary", sections={"vocabulary": {"vocab_targets": "linked"}})
    titles = [title for title in vocabulary(tmp_path) if not title.startswith("[")][:1000]
    random, items = Random(6), []
    for number, title in enumerate(titles, 1):
        claims = [
            statement(f"P{random.randint(1, 30)}", f"Q{random.choice([number, *range(1, 101)])}", rank)
            for rank in random.choices(("normal", "preferred", "deprecated"), (8, 1, 1), k=60)
        ]
        items.append(item(number, *claims, title=title))
    (tmp_path / "items.json").write_bytes(array([*items, *(prop(n) for n in range(1, 29))]))
    sections = {
        "wikidata": {"wikidata": str(tmp_path / "items.json")},
        "vocabulary": {"vocab_targets": "linked"},
        "records": {"densify": True, "lists": False},
        "mentions": {"mentions": True},
        "input": {"range_mb": 0.5},
    }
    commits = build(tmp_path / "out", dump, sections=sections)
    assert compare(tmp_path / "out", Plain(items, tmp_path / "out"), "sentence") > 400
    counts = commits["relations"].counts
    assert counts["relations.unknown_property"] > 0
    assert min(commits["records"].counts[f"relations.{s}"] for s in ("link", "densified", "subject")) > 0
