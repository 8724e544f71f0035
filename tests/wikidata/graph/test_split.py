"""No split leaks, whatever the graph; a seed gives one split, and near graphs give near ones."""

import random
from collections import Counter
from pathlib import Path

import numpy as np
import pytest
from graphs import graph_of, leaks, triples_of
from hypothesis import given
from hypothesis import strategies as st
from table_makers import make_tables

from wikiprep.wikidata.graph.graph import WikidataGraph
from wikiprep.wikidata.graph.select import Selection, select
from wikiprep.wikidata.graph.split import PARTS, TripleSplit, split
from wikiprep.wikidata.lookups import Triples

TRIPLES = st.lists(st.tuples(st.integers(1, 9), st.integers(1, 4), st.integers(1, 9)), min_size=1, max_size=80)
SHARES = st.floats(0, 0.49)


def parts_of(graph: WikidataGraph, made: TripleSplit) -> dict[str, list[tuple[str, str, str]]]:
    found: dict[str, list[tuple[str, str, str]]] = {part: [] for part in PARTS}
    for (head, relation, tail), code in zip(triples_of(graph), made.part.tolist(), strict=True):
        found[PARTS[code]].append((f"Q{head}", f"P{relation}", f"Q{tail}"))
    return found


def random_graph(size: int, seed: int = 1) -> WikidataGraph:
    rng = random.Random(seed)
    return graph_of((rng.randint(1, size // 5), rng.randint(1, 8), rng.randint(1, size // 5)) for _ in range(size))


@given(TRIPLES, SHARES, SHARES, st.integers(0, 2**63 - 1))
def test_nothing_leaks(triples: list[tuple[int, int, int]], valid: float, test: float, seed: int) -> None:
    graph = graph_of(triples)
    made = split(graph, valid, test, seed)
    parts = parts_of(graph, made)
    assert sum(map(len, parts.values())) == len(graph)
    assert leaks(parts["train"], parts["valid"] + parts["test"]) == []
    together = {frozenset((h, t)) for h, _, t in parts["valid"]}
    assert not together & {frozenset((h, t)) for h, _, t in parts["test"]}
    assert all(len(parts[name]) <= wanted for name, wanted in zip(PARTS[1:], made.requested[1:], strict=True))


def test_the_checker_finds_each_kind_of_leak() -> None:
    train = [("Q1", "P1", "Q2"), ("Q2", "P1", "Q3"), ("Q3", "P2", "Q4")]
    assert leaks(train, [("Q1", "P1", "Q4"), ("Q4", "P2", "Q2")]) == []
    for leak in (("Q2", "P1", "Q1"), ("Q1", "P2", "Q2"), ("Q1", "P1", "Q9"), ("Q1", "P9", "Q4")):
        assert leaks(train, [leak]) == [leak]


def test_the_shares_are_as_asked_where_the_graph_is_dense() -> None:
    graph = random_graph(20_000)
    made = split(graph, 0.05, 0.1, 0)
    assert made.sizes()[2] == pytest.approx(0.1 * len(graph), rel=0.001)
    assert made.sizes()[1] == pytest.approx(0.05 * len(graph), rel=0.001)


def test_a_random_split_of_the_same_graph_does_leak() -> None:
    """So that the test above can fail."""
    graph = graph_of([(i, 1, i + 1) for i in range(1, 500)] + [(i + 1, 2, i) for i in range(1, 500)])
    order = np.random.default_rng(0).permutation(len(graph))
    made = TripleSplit(np.where(order < 100, 2, 0).astype(np.int8), (0, 0, 0))
    parts = parts_of(graph, made)
    assert len(leaks(parts["train"], parts["test"])) > 50


def test_the_seed_decides_and_the_order_of_triples_does_not() -> None:
    graph = random_graph(3000)
    made = split(graph, 0.1, 0.1, 7)
    assert split(graph, 0.1, 0.1, 7).part.tolist() == made.part.tolist()
    assert split(graph, 0.1, 0.1, 8).part.tolist() != made.part.tolist()
    order = np.random.default_rng(1).permutation(len(graph))
    assert split(graph.keep(order), 0.1, 0.1, 7).part.tolist() == made.part[order].tolist()


def test_a_pair_goes_where_it_went_when_a_few_triples_come_or_go() -> None:
    graph = random_graph(5000)
    test = set(parts_of(graph, split(graph, 0.1, 0.1, 7))["test"])
    fewer = graph.keep(np.arange(len(graph)) % 50 != 0)
    again = set(parts_of(fewer, split(fewer, 0.1, 0.1, 7))["test"])
    assert len(test & again) > 0.85 * len(test)


def test_test_triples_are_of_all_relations() -> None:
    parts = parts_of(graph := random_graph(10_000), split(graph, 0.0, 0.2, 3))
    times = Counter(relation for _, relation, _ in parts["test"])
    assert len(times) == 8
    assert min(times.values()) > 0.7 * max(times.values())


@given(TRIPLES, st.integers(1, 4), st.integers(1, 4), st.sampled_from([None, 0.5, 0.97]))
def test_selection_counts_every_triple_and_leaves_what_is_asked(
    triples: list[tuple[int, int, int]], degree: int, relation: int, overlap: float | None
) -> None:
    graph = graph_of(triples)
    counts: Counter[str] = Counter()
    vocabulary = np.arange(1, 8, dtype=np.int64)
    made = select(graph, Selection(degree, relation, overlap), counts, vocabulary)
    kept = triples_of(made.graph)
    assert counts["triples.read"] == len(graph) == len(kept) + sum(n for k, n in counts.items() if "dropped" in k)
    assert counts["triples.dropped.outside vocabulary"] == sum(max(h, t) > 7 for h, _, t in triples_of(graph))
    assert set(kept) <= set(triples_of(graph))
    degrees = Counter(e for h, _, t in kept for e in {h, t})
    assert all(n >= degree for n in degrees.values())
    assert all(n >= relation for n in Counter(r for _, r, _ in kept).values())


def test_real_triples(shared_data: Path, tmp_path: Path) -> None:
    """Neighbouring countries: nearly all of the triples are of one symmetric relation, which a random split leaks."""
    make_tables(shared_data / "wikidata" / "items-100-enwiki.json.bz2", tmp_path)
    heads, tails, properties, _ = Triples.open(tmp_path).rows(0, 1000)
    graph = WikidataGraph.of(heads, properties, tails)
    assert len(graph) == 164
    made = split(graph, 0.1, 0.1, 0)
    parts = parts_of(graph, made)
    assert leaks(parts["train"], parts["valid"] + parts["test"]) == []
    assert made.sizes() == (133, 15, 16)  # a pair with two triples found no place in valid
