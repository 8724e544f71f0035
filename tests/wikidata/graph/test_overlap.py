"""Overlap of relations against a count with sets; what is left out repeats what stays."""

import random

from graphs import graph_of, triples_of
from hypothesis import given
from hypothesis import strategies as st

from wikiprep.wikidata.graph.graph import WikidataGraph
from wikiprep.wikidata.graph.overlap import overlaps, redundant

TRIPLES = st.lists(st.tuples(st.integers(1, 6), st.integers(1, 4), st.integers(1, 6)), min_size=1, max_size=60)


def naive(graph: WikidataGraph) -> tuple[dict[tuple[int, int, str], tuple[int, float]], dict[int, float]]:
    """(relation, relation, kind) -> (pairs, share), and the symmetric share of each relation."""
    pairs: dict[int, set[tuple[int, int]]] = {}
    for head, relation, tail in triples_of(graph):
        pairs.setdefault(relation, set()).add((head, tail))
    found = {}
    for one in pairs:
        for other in (r for r in pairs if r > one):
            turned = {(tail, head) for head, tail in pairs[other]}
            for kind, theirs in (("duplicate", pairs[other]), ("inverse", turned)):
                if common := pairs[one] & theirs:
                    share = min(len(common) / len(pairs[one]), len(common) / len(pairs[other]))
                    found[one, other, kind] = (len(common), share)
    symmetric = {}
    for relation, mine in pairs.items():
        proper = {(h, t) for h, t in mine if h != t}
        symmetric[relation] = len({(h, t) for h, t in proper if (t, h) in proper}) / len(proper) if proper else 0.0
    return found, symmetric


@given(TRIPLES)
def test_the_same_as_counting_with_sets(triples: list[tuple[int, int, int]]) -> None:
    graph = graph_of(triples)
    expected, symmetric = naive(graph)
    made = overlaps(graph)
    names = graph.properties.tolist()
    assert {(names[o.one], names[o.other], o.kind): (o.pairs, o.share) for o in made.overlapping} == expected
    assert dict(zip(names, made.symmetric.tolist(), strict=True)) == symmetric
    assert [o.share for o in made.overlapping] == sorted((o.share for o in made.overlapping), reverse=True)


@given(TRIPLES, st.sampled_from([0.3, 0.6, 0.97, 1.0]))
def test_no_two_relations_that_stay_overlap_and_what_goes_repeats_one_that_stays(
    triples: list[tuple[int, int, int]], threshold: float
) -> None:
    graph = graph_of(triples)
    found = overlaps(graph)
    gone = redundant(graph, found, threshold)
    sizes = graph.sizes()
    for overlap in found.overlapping:
        if overlap.share >= threshold:
            assert overlap.one in gone or overlap.other in gone
    for relation, overlap in gone.items():
        other = overlap.other if overlap.one == relation else overlap.one
        assert other not in gone
        assert (sizes[other], -other) > (sizes[relation], -relation)


def test_inverse_duplicate_symmetric_and_neither() -> None:
    rng = random.Random(2)
    triples = set()
    for number in range(100):
        child, parent, place = number + 1000, rng.randint(1, 40), rng.randint(500, 520)
        triples |= {(child, 22, parent), (parent, 40, child)}  # father, child: inverse
        triples |= {(child, 19, place), (child, 1019, place)}  # the same twice
        friend = rng.randint(2000, 2100)
        triples |= {(child, 26, friend), (friend, 26, child)}
        triples |= {(child, 69, rng.randint(600, 700))}
    triples.discard((1005, 1019, next(t for h, p, t in triples if (h, p) == (1005, 19))))
    graph = graph_of(triples)
    made = overlaps(graph)
    names = graph.properties.tolist()
    assert {names[r]: names[o.one if o.other == r else o.other] for r, o in redundant(graph, made, 0.97).items()} == {
        40: 22,
        1019: 19,
    }
    assert redundant(graph, made, 1.0).keys() == {names.index(40)}
    assert made.symmetric[names.index(26)] == 1.0
    assert made.symmetric[names.index(69)] == 0.0
