"""Items, titles, properties and triples of a dump: against plain scripts, and the same however the dump is cut."""

import bz2
import hashlib
import random
from collections import Counter, defaultdict
from pathlib import Path
from typing import Any

import numpy as np
import orjson
import pyarrow.parquet as pq
import pytest
from entity_dumps import array, compact, item, packed, prop, statement
from hypothesis import given, settings
from hypothesis import strategies as st
from table_makers import WANTED, make_tables

from wikiprep.errors import WikiprepError
from wikiprep.wikidata.item import WikiSelection
from wikiprep.wikidata.lookups import ItemTitles, Triples
from wikiprep.wikidata.merge_runs import PROPERTIES, REJECTS, TABLES
from wikiprep.wikidata.merged_ids import MergedIds
from wikiprep.wikidata.triples_table import SeenItems

ENTITIES = [
    item(1, statement("P31", "Q5"), statement("P40", "Q2"), statement("P40", "Q3", "preferred"), title="One"),
    item(2, statement("P22", "Q1"), statement("P25", "Q1"), statement("P31", "Q5"), title="Two"),
    item(3, statement("P1889", "Q3"), statement("P31", "Q4167410", "preferred"), title="Three"),
    item(5, statement("P279", "Q999"), title="Human"),
    item(6, statement("P31", "Q5")),
    item(7, statement("P361", "Q6"), statement("P31", "Q13406463"), title="Lists of things"),
    prop(31, label="instance of"),
    prop(40, label="child"),
    prop(22, label="father"),
    {"type": "lexeme", "id": "L5", "lemmas": {}},
    item(4167410, title="Disambiguation"),
    item(13406463, title="List"),
]


def table(folder: Path, name: str) -> list[dict[str, Any]]:
    found: list[dict[str, Any]] = pq.read_table(folder / name).to_pylist()
    return found


def triples(folder: Path) -> set[tuple[int, int, int, int]]:
    rows = table(folder, "wikidata_triples.parquet")
    assert [(r["head"], r["tail"], r["property"]) for r in rows] == sorted(
        (r["head"], r["tail"], r["property"]) for r in rows
    )
    return {(r["head"], r["property"], r["tail"], r["rank"]) for r in rows}


def closes(counts: dict[str, int], whole: str, *parts: str) -> bool:
    found = {k: n for k, n in counts.items() if k in parts or any(p.endswith(".") and k.startswith(p) for p in parts)}
    return sum(found.values()) == counts[whole]


def both_close(read: Counter[str], merged: dict[str, int]) -> None:
    assert closes(read, "lines.read", "lines.brackets", "lines.skipped", "lines.decoded", "lines.rejected.")
    kinds = ("items", "without page", "properties", "lexemes", "rejected.")
    assert closes(read, "entities.read", *(f"entities.{k}" for k in kinds))
    assert closes(read, "statements.read", "statements.kept", "statements.dropped.", "statements.rejected.")
    assert closes(merged, "items.read", "items.kept", "items.duplicate")
    assert closes(merged, "triples.read", "triples.kept", "triples.dropped.")
    assert closes(merged, "titles.read", "titles.kept", "titles.of a smaller item")
    assert merged["triples.read"] == read["statements.kept"]
    assert merged["items.read"] == read["entities.items"]


def test_a_small_dump(tmp_path: Path) -> None:
    dump = tmp_path / "dump.json"
    dump.write_bytes(array(ENTITIES))
    read, made = make_tables(dump, tmp_path / "out")
    both_close(read, made.counts)
    assert (read["lines.skipped"], read["entities.lexemes"], read["entities.items"]) == (1, 1, 7)
    assert triples(tmp_path / "out") == {
        (1, 31, 5, 0),
        (1, 40, 3, 1),
        (2, 22, 1, 0),
        (2, 25, 1, 0),
        (2, 31, 5, 0),
        (3, 1889, 3, 0),
        (3, 31, 4167410, 1),
        (7, 31, 13406463, 0),
    }
    counts = made.counts
    assert (counts["triples.dropped.dangling"], counts["triples.dropped.tail without page"]) == (1, 1)
    assert (counts["also.triples.to itself"], counts["also.triples.preferred"]) == (1, 2)
    assert counts["also.triples.unknown property"] == 2
    assert "2 of 8 triples have a property that the dump does not hold" in made.warnings[0]
    titles = ItemTitles.open(tmp_path / "out")
    assert titles.qid("enwiki", "Human") == "Q5"
    assert titles.qid("enwiki", "human") is titles.qid("dewiki", "Human") is None
    assert [titles.is_disambiguation("enwiki", t) for t in ("One", "Three", "Nowhere")] == [False, True, False]
    assert titles.is_list("enwiki", "Lists of things")
    assert titles.qids("enwiki", ["Two", "x", "One"]).tolist() == [2, -1, 1]
    rows = table(tmp_path / "out", "wikidata_items.parquet")
    assert [r["qid"] for r in rows] == [1, 2, 3, 5, 7, 4167410, 13406463]
    assert rows[2] == {
        "qid": 3,
        "titles": [{"wiki": "enwiki", "title": "Three"}],
        "label": "label 3",
        "label_language": "en",
        "description": None,
        "description_language": None,
        "instance_of": [4167410],
        "disambiguation": True,
        "list": False,
    }
    properties = {r["pid"]: (r["label"], r["triples"]) for r in table(tmp_path / "out", PROPERTIES)}
    assert properties == {22: ("father", 1), 31: ("instance of", 4), 40: ("child", 1)}


def test_all_properties_of_a_pair_in_both_directions(tmp_path: Path) -> None:
    dump = tmp_path / "dump.json"
    dump.write_bytes(array(ENTITIES))
    make_tables(dump, tmp_path / "out")
    found = Triples.open(tmp_path / "out").between(
        np.array([2, 1, 9, 3, -1, 1, 1 << 40]), np.array([1, 3, 1, 3, 5, 2, 5])
    )
    assert list(zip(found.pair.tolist(), found.property.tolist(), found.rank.tolist(), strict=True)) == [
        (0, 22, 0),
        (0, 25, 0),
        (1, 40, 1),
        (3, 1889, 0),
    ]
    nothing = Triples.open(tmp_path / "out").between(np.empty(0, np.int64), np.empty(0, np.int64))
    assert len(nothing.pair) == 0


def test_merged_items_end_where_they_were_merged_into(tmp_path: Path) -> None:
    dump = tmp_path / "dump.json"
    dump.write_bytes(array([*ENTITIES, item(8, statement("P31", "Q99"), statement("P31", "Q5"), title="Eight")]))
    _, without = make_tables(dump, tmp_path / "without")
    assert without.counts["triples.dropped.dangling"] == 2
    old = MergedIds(np.array([98, 99, 999]), np.array([99, 5, 6]))
    read, made = make_tables(dump, tmp_path / "with", old=old)
    both_close(read, made.counts)
    assert (8, 31, 5, 0) in triples(tmp_path / "with")
    counts = made.counts
    assert counts["triples.dropped.dangling"] == 0
    assert counts["triples.dropped.same triple again"] == 1  # Q8 has P31 Q5 of its own
    assert counts["triples.dropped.tail without page"] == 2
    assert counts["also.triples.to a merged item"] == 1


def test_merged_ids_follow_chains_and_end_in_loops() -> None:
    old = MergedIds(np.array([1, 2, 3, 8, 9]), np.array([2, 3, 4, 9, 8]))
    assert old.resolve(np.array([1, 2, 3, 4, 8, 7])).tolist() == [4, 4, 4, 4, -1, 7]
    assert MergedIds.none().resolve(np.array([5])).tolist() == [5]


@pytest.mark.parametrize("rows", [3, 1000])
def test_a_line_given_twice_is_one_reject_with_its_place(tmp_path: Path, rows: int) -> None:
    again = item(1, statement("P31", "Q3"), statement("P40", "Q7"), title="Other")
    lines = [compact(e) for e in (*ENTITIES, again, prop(31, label="again"))]
    dump = tmp_path / "dump.json"
    dump.write_bytes(b"[\n" + b",\n".join(lines) + b"\n]\n")
    read, made = make_tables(dump, tmp_path / "out", rows=rows)
    both_close(read, made.counts)
    make_tables(tmp_path / "dump.json", tmp_path / "cut", range_bytes=1024, rows=rows)
    clean = tmp_path / "clean.json"
    clean.write_bytes(array(ENTITIES))
    make_tables(clean, tmp_path / "clean")
    for folder in ("out", "cut"):
        rejects = table(tmp_path / folder, REJECTS)
        assert [(r["title"], r["reason"]) for r in rejects] == [("Q1", "duplicate"), ("P31", "duplicate")]
        offset = dump.read_bytes().index(lines[12])
        assert rejects[0]["detail"] == f"dump.json, line 14, byte {offset:,}: an earlier line has it"
        assert triples(tmp_path / folder) == triples(tmp_path / "clean")
        assert ItemTitles.open(tmp_path / folder).qid("enwiki", "Other") is None


def test_broken_lines_are_one_reject_each_and_the_rest_is_unchanged(tmp_path: Path) -> None:
    lines = [compact(e) for e in ENTITIES]
    broken = [
        lines[0][: len(lines[0]) // 2],
        b"\0\0\0\0",
        b'{"type":"item","id":"Q77","labels":{"en":{"value":"\\ud800"}},"sitelinks":{"enwiki":{"title":"X"}}}',
        b'{"id":"Q78","sitelinks":{"enwiki":{"title":"' + b"x" * 30_000_000 + b'"}}}',
        b'{"type":"item","sitelinks":{"enwiki":{"title":"X"}}}',
        b'{"type":"item","id":"Q79",}',
    ]
    mixed = [b"[", *(x + b"," for pair in zip(lines, broken, strict=False) for x in pair), b"]", b"["]
    mixed += [lines[1] + b",,", *(line + b"," for line in lines[len(broken) :]), b"]"]
    dump, clean = tmp_path / "dump.json", tmp_path / "clean.json"
    dump.write_bytes(b"\xef\xbb\xbf" + b"\r\n".join(mixed) + b"\r\n")
    clean.write_bytes(array(ENTITIES))
    read, made = make_tables(dump, tmp_path / "out")
    both_close(read, made.counts)
    make_tables(clean, tmp_path / "clean")
    rejects = table(tmp_path / "out", REJECTS)
    assert [(int(r["detail"].split("line ")[1].split(",")[0]), r["reason"]) for r in rejects] == [
        (3, "cut line"),
        (5, "NUL byte"),
        (7, "not JSON"),
        (9, "line too long"),
        (11, "no id"),
        (13, "not JSON"),
        (16, "duplicate"),
    ]
    for name in TABLES:
        assert (tmp_path / "out" / name).read_bytes() == (tmp_path / "clean" / name).read_bytes(), name


def generated(count: int, seed: int = 3) -> list[dict[str, Any]]:
    rng = random.Random(seed)
    ranks = ["normal"] * 5 + ["preferred"]
    made = []
    for i in range(1, count + 1):
        statements = [
            statement(f"P{rng.randint(1, 9)}", f"Q{rng.randint(1, count + 9)}", rng.choice(ranks))
            for _ in range(rng.randint(0, 6))
        ]
        made.append(item(i, *statements, title=f"T{i}" if rng.random() < 0.7 else None))
    rng.shuffle(made)
    return made


def digest(folder: Path) -> dict[str, str]:
    return {name: hashlib.sha256((folder / name).read_bytes()).hexdigest() for name in TABLES}


def test_tables_do_not_depend_on_how_the_dump_is_cut(tmp_path: Path) -> None:
    entities = generated(700)
    data = array(entities)
    expected = None
    for i, (kind, step, rows, merge_rows) in enumerate(
        [("plain", 1 << 30, 1000, 100_000), ("plain", 20_000, 7, 50), ("bz2", 5000, 64, 40), ("gz", 9, 100, 7)]
    ):
        dump = tmp_path / f"dump-{kind}-{i}.json"
        dump.write_bytes(packed(data, kind))
        out = tmp_path / f"out-{i}"
        read, made = make_tables(dump, out, range_bytes=step, rows=rows, merge_rows=merge_rows)
        both_close(read, made.counts)
        expected = expected or digest(out)
        assert digest(out) == expected, (kind, step)
    paged = {int(e["id"][1:]) for e in entities if e["sitelinks"]}
    plain = set()
    for e in entities:
        for name, group in (e["claims"] or {}).items():
            best = max(s["rank"] == "preferred" for s in group)
            for s in group:
                tail = s["mainsnak"]["datavalue"]["value"]["numeric-id"]
                if (s["rank"] == "preferred") == best and int(e["id"][1:]) in paged and tail in paged:
                    plain.add((int(e["id"][1:]), int(name[1:]), tail, int(best)))
    assert triples(tmp_path / "out-0") == plain
    pairs = defaultdict(list)
    for head, name, tail, rank in sorted(plain):
        pairs[head, tail].append((name, rank))
    lookup = Triples.open(tmp_path / "out-1")
    heads, tails = np.meshgrid(np.arange(720), np.arange(720))
    found = lookup.between(heads.ravel(), tails.ravel())
    looked: dict[tuple[int, int], list[tuple[int, int]]] = defaultdict(list)
    for at, name, rank in zip(found.pair.tolist(), found.property.tolist(), found.rank.tolist(), strict=True):
        looked[int(heads.ravel()[at]), int(tails.ravel()[at])].append((name, rank))
    assert looked == pairs


@given(st.lists(st.integers(0, 3000)))
@settings(max_examples=60, deadline=None)
def test_seen_items(numbers: list[int]) -> None:
    seen = SeenItems()
    for start in range(0, len(numbers), 5):
        seen.add(np.array(numbers[start : start + 5], np.uint32))
    asked = np.arange(-2, 40_000)
    assert set(asked[seen.has(asked)].tolist()) == set(numbers)


def test_several_wikis(tmp_path: Path) -> None:
    links = {w: {"site": w, "title": t, "badges": []} for w, t in (("dewiki", "Belgien"), ("enwiki", "Belgium"))}
    dump = tmp_path / "dump.json"
    dump.write_bytes(array([item(31) | {"sitelinks": links}, item(1, wiki="dewiki", title="Welt"), item(2, title="A")]))
    make_tables(dump, tmp_path / "out", wanted=WikiSelection(("enwiki", "dewiki"), ("de",)))
    titles = ItemTitles.open(tmp_path / "out")
    assert [titles.qid("enwiki", "Belgium"), titles.qid("dewiki", "Belgien"), titles.qid("dewiki", "Belgium")] == [
        "Q31",
        "Q31",
        None,
    ]
    assert len(titles) == 4


def test_two_items_of_one_title(tmp_path: Path) -> None:
    dump = tmp_path / "dump.json"
    dump.write_bytes(array([item(9, title="A"), item(4, title="A")]))
    _, made = make_tables(dump, tmp_path / "out")
    assert ItemTitles.open(tmp_path / "out").qid("enwiki", "A") == "Q4"
    assert made.counts["titles.of a smaller item"] == 1


def test_two_dumps_in_one_are_refused(tmp_path: Path) -> None:
    entities = [item(i, title=f"T{i}") for i in range(1, 120)]
    dump = tmp_path / "dump.json"
    dump.write_bytes(array(entities) + array(entities))
    with pytest.raises(WikiprepError, match="119 items of Wikidata's dump come twice, Q1 among them"):
        make_tables(dump, tmp_path / "out", rows=50)


@pytest.mark.parametrize("content", [b"[\n]\n", array([prop(31)]), array([item(1)])])
def test_dumps_without_items_make_empty_tables(tmp_path: Path, content: bytes) -> None:
    dump = tmp_path / "dump.json"
    dump.write_bytes(content)
    read, made = make_tables(dump, tmp_path / "out")
    both_close(read, made.counts)
    assert (
        made.counts["items.kept"] == len(ItemTitles.open(tmp_path / "out")) == len(Triples.open(tmp_path / "out")) == 0
    )


def test_missing_tables_are_named(tmp_path: Path) -> None:
    with pytest.raises(WikiprepError, match="wikidata_titles"):
        ItemTitles.open(tmp_path)
    with pytest.raises(WikiprepError, match="wikidata_triples"):
        Triples.open(tmp_path)


def test_real_items_against_a_plain_script(shared_data: Path, tmp_path: Path) -> None:
    data = b""
    raw = []
    for name in ("items-100-enwiki.json.bz2", "items-20-array.json.bz2"):
        text = bz2.decompress((shared_data / "wikidata" / name).read_bytes())
        raw += [orjson.loads(line.strip(b", ")) for line in text.split(b"\n") if line.strip(b"[], ")]
        data += text
    data += (shared_data / "wikidata" / "sitelinks-10-nocommas.json").read_bytes()
    dump = tmp_path / "real.json"
    dump.write_bytes(data)
    read, made = make_tables(dump, tmp_path / "out", range_bytes=1 << 20, wanted=WANTED)
    both_close(read, made.counts)
    paged = {int(e["id"][1:]): e["sitelinks"]["enwiki"]["title"] for e in raw if "enwiki" in e["sitelinks"]}
    assert made.counts["items.kept"] == read["sitelinks"] == len(paged)
    assert read["entities.rejected.no id"] == 10
    plain = set()
    for e in raw:
        for name, group in e["claims"].items():
            ranks = {s["rank"] for s in group}
            best = "preferred" if "preferred" in ranks else "normal"
            for s in group:
                value = s["mainsnak"].get("datavalue", {}).get("value")
                if s["rank"] != best or not isinstance(value, dict) or value.get("entity-type") != "item":
                    continue
                if int(e["id"][1:]) in paged and value["numeric-id"] in paged:
                    plain.add((int(e["id"][1:]), int(name[1:]), value["numeric-id"], int(best == "preferred")))
    assert triples(tmp_path / "out") == plain
    assert len(plain) > 100
    titles = ItemTitles.open(tmp_path / "out")
    assert {q: titles.qid("enwiki", t) for q, t in paged.items()} == {q: f"Q{q}" for q in paged}
