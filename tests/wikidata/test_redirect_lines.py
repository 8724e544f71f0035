"""Lines of a dump that say that an item was merged into another: read in every form, resolved, and counted."""

from collections import Counter
from pathlib import Path
from typing import Any

import numpy as np
import pyarrow.parquet as pq
import pytest
from entity_dumps import array, item, prop, statement
from hypothesis import given, settings
from hypothesis import strategies as st
from table_makers import WANTED, make_tables

from wikiprep.wikidata.item import BadEntity, MergedEntity, read_entity, redirect_beside
from wikiprep.wikidata.merge_runs import REJECTS
from wikiprep.wikidata.merged_ids import MERGED, MergedIds, with_redirects

ITEMS = [
    item(1, statement("P31", "Q95"), statement("P40", "Q99", "preferred"), title="One"),
    item(2, statement("P22", "Q98"), statement("P25", "Q90"), statement("P26", "Q77"), title="Two"),
    item(5, title="Human"),
    item(6, statement("P31", "Q5")),  # without a page
    prop(31),
]
LINES = [
    {"entity": "Q99", "redirect": "Q2"},
    {"entity": "Q98", "redirect": "Q97"},
    {"entity": "Q97", "redirect": "Q1"},  # a chain
    {"entity": "Q95", "redirect": "Q5"},
    {"entity": "Q90", "redirect": "Q6"},  # to an item without a page
    {"entity": "Q80", "redirect": "Q81"},  # a loop
    {"entity": "Q81", "redirect": "Q80"},
    {"entity": "Q99", "redirect": "Q5"},  # given twice: the first counts
    {"entity": "Q5", "redirect": "Q1"},  # has a line of its own
    {"entity": "L7", "redirect": "L8"},
    {"entity": "P7", "redirect": "P31"},
    {"entity": "Q70", "redirect": "P5"},  # rejected
    {"entity": "Q71", "redirect": None},
]


@pytest.mark.parametrize("range_bytes", [150, 700, 1 << 30])
@pytest.mark.parametrize("first", [True, False])
def test_values_of_triples_are_the_items_of_now(tmp_path: Path, range_bytes: int, first: bool) -> None:
    dump = tmp_path / "dump.json"
    dump.write_bytes(array([*LINES, *ITEMS] if first else [*ITEMS, *LINES]))
    read, made = make_tables(dump, tmp_path / "out", range_bytes=range_bytes)
    assert (read["entities.redirects"], read["also.redirects.of items"]) == (11, 9)
    assert read["entities.rejected.bad redirect"] == 2
    kinds = ("items", "without page", "properties", "redirects")
    assert read["entities.read"] == sum(read[f"entities.{kind}"] for kind in kinds) + 2
    redirects = {key: n for key, n in made.counts.items() if key.startswith("redirects.")}
    assert redirects == {
        "redirects.read": 9,
        "redirects.kept": 5,
        "redirects.given twice": 1,
        "redirects.item is there": 1,
        "redirects.loop": 2,
    }
    rows = pq.read_table(tmp_path / "out" / "wikidata_triples.parquet").to_pylist()
    assert {(r["head"], r["property"], r["tail"], r["rank"]) for r in rows} == {
        (1, 31, 5, 0),
        (1, 40, 2, 1),
        (2, 22, 1, 0),
    }
    assert made.counts["also.triples.to a merged item"] == 3
    assert made.counts["triples.dropped.tail without page"] == 1  # Q90, which is Q6
    assert made.counts["triples.dropped.dangling"] == 1  # Q77
    merged = MergedIds.open(tmp_path / "out" / MERGED)
    assert [merged.item(n) for n in (99, 98, 97, 95, 90, 5, 80, 1)] == [2, 1, 1, 5, 6, 5, 80, 1]
    rejects = pq.read_table(tmp_path / "out" / REJECTS).to_pylist()
    assert [(r["title"], r["reason"]) for r in rejects] == [("Q70", "bad redirect"), ("Q71", "bad redirect")]


def test_classes_are_those_of_now(tmp_path: Path) -> None:
    """An item's class can have been merged too: a disambiguation page stays one."""
    dump = tmp_path / "dump.json"
    dump.write_bytes(
        array(
            [
                item(1, statement("P31", "Q900"), statement("P31", "Q5"), title="One"),
                item(2, statement("P31", "Q901"), title="Two"),
                item(3, statement("P31", "Q5"), title="Three"),
                {"entity": "Q900", "redirect": "Q4167410"},
                {"entity": "Q901", "redirect": "Q13406463"},
            ]
        )
    )
    _, made = make_tables(dump, tmp_path / "out", range_bytes=200)
    rows = pq.read_table(tmp_path / "out" / "wikidata_items.parquet").to_pylist()
    found = [(r["qid"], r["instance_of"], r["disambiguation"], r["list"]) for r in rows]
    assert found == [(1, [5, 4167410], True, False), (2, [13406463], False, True), (3, [5], False, False)]
    assert (made.counts["also.items.disambiguation"], made.counts["also.items.list"]) == (1, 1)
    assert made.counts["also.items.of a merged class"] == 2


def test_a_dump_without_such_lines_leaves_no_table_and_no_counts(tmp_path: Path) -> None:
    dump = tmp_path / "dump.json"
    dump.write_bytes(array(ITEMS))
    _, made = make_tables(dump, tmp_path / "out")
    assert not (tmp_path / "out" / MERGED).exists()
    assert not [key for key in made.counts if key.startswith("redirects.")]


def test_lines_count_before_the_tables_of_another_day(tmp_path: Path) -> None:
    dump = tmp_path / "dump.json"
    dump.write_bytes(array([*ITEMS, {"entity": "Q99", "redirect": "Q2"}]))
    old = MergedIds(np.array([77, 99], np.int64), np.array([5, 1], np.int64))
    _, made = make_tables(dump, tmp_path / "out", old=old)
    merged = MergedIds.open(tmp_path / "out" / MERGED)
    assert [merged.item(n) for n in (77, 99)] == [5, 2]
    assert made.counts["redirects.kept"] == 1
    rows = pq.read_table(tmp_path / "out" / "wikidata_triples.parquet").to_pylist()
    assert (2, 26, 5) in {(r["head"], r["property"], r["tail"]) for r in rows}


@pytest.mark.parametrize(
    ("found", "read"),
    [
        ({"entity": "Q1", "redirect": "Q2"}, MergedEntity(1, 2)),
        ({"type": "item", "id": "Q1", "redirect": "Q2"}, MergedEntity(1, 2)),
        ({"entity": "Q1", "redirect": "Q2", "labels": []}, MergedEntity(1, 2)),
        ({"entity": "L1", "redirect": "L2"}, MergedEntity(0, 0)),
        ({"entity": "Q1", "redirect": 2}, "bad redirect"),
        ({"entity": "q1", "redirect": "Q2"}, "bad redirect"),
        ({"entity": "Q4294967296", "redirect": "Q2"}, "id too large"),
        ({"redirect": "Q2"}, "bad redirect"),
    ],
)
def test_forms(found: dict[str, Any], read: MergedEntity | str) -> None:
    made = read_entity(found, WANTED, Counter())
    assert (made.reason if isinstance(made, BadEntity) else made) == read


def test_an_entity_of_the_api_names_the_id_it_was_asked_for(tmp_path: Path) -> None:
    """wbgetentities gives the target's own JSON with the redirect beside."""
    found = item(2, title="Two", redirects={"from": "Q99", "to": "Q2"})
    assert redirect_beside(found) == MergedEntity(99, 2)
    assert redirect_beside(item(2)) is None
    dump = tmp_path / "dump.json"
    dump.write_bytes(array([item(1, statement("P40", "Q99"), title="One"), found]))
    read, made = make_tables(dump, tmp_path / "out")
    assert (read["entities.items"], read["entities.redirects"], read["also.redirects.of items"]) == (2, 0, 1)
    assert made.counts["also.triples.to a merged item"] == 1


@settings(max_examples=100, deadline=None)
@given(
    st.lists(st.tuples(st.integers(1, 12), st.integers(1, 12)), max_size=15),
    st.dictionaries(st.integers(1, 12), st.integers(1, 12), max_size=5),
    st.sets(st.integers(1, 12)),
)
def test_as_a_plain_script_would(lines: list[tuple[int, int]], tables: dict[int, int], there: set[int]) -> None:
    known = MergedIds(np.array(sorted(tables), np.int64), np.array([tables[k] for k in sorted(tables)], np.int64))
    old, new = (np.array([pair[i] for pair in lines], np.int64) for i in (0, 1))
    made, counts = with_redirects(known, old, new, lambda ids: np.isin(ids, list(there)))
    step = dict(tables)
    own = {}
    for source, target in lines:
        own.setdefault(source, target)
    step |= {source: target for source, target in own.items() if source not in there}

    def end(number: int) -> int:
        seen = set()
        while number in step:
            if number in seen:
                return -1
            seen.add(number)
            number = step[number]
        return number

    for number in range(1, 13):
        assert made.item(number) == (end(number) if end(number) > 0 else number)
    assert counts["redirects.read"] == len(lines) == sum(n for key, n in counts.items() if key != "redirects.read")
    assert counts["redirects.kept"] == sum(end(k) > 0 for k in own if k not in there)
