"""Graphs for tests, and what a leak is, said without any of the code that is to avoid it."""

from collections.abc import Iterable
from pathlib import Path

import numpy as np

from wikiprep.wikidata.graph.graph import WikidataGraph

Triple = tuple[str, str, str]


def graph_of(triples: Iterable[tuple[int, int, int]]) -> WikidataGraph:
    """The graph of (head, property, tail)."""
    heads, properties, tails = (list(column) for column in zip(*sorted(set(triples)), strict=True))
    return WikidataGraph.of(np.array(heads, np.int64), np.array(properties, np.int32), np.array(tails, np.int64))


def triples_of(graph: WikidataGraph) -> list[tuple[int, int, int]]:
    """Its triples as numbers, in their order."""
    columns = (graph.items[graph.heads], graph.properties[graph.relations], graph.items[graph.tails])
    return list(zip(*(column.tolist() for column in columns), strict=True))


def read_part(path: Path) -> list[Triple]:
    """The lines of a file of triples; none where there is no such file."""
    if not path.exists():
        return []
    rows = [line.split("\t") for line in path.read_text(encoding="utf-8").splitlines()]
    assert all(len(row) == 3 for row in rows), path
    return [(head, relation, tail) for head, relation, tail in rows]


def leaks(train: Iterable[Triple], held_out: Iterable[Triple]) -> list[Triple]:
    """The held-out triples that a look at train answers: its two entities stand together there, whatever the direction
    and the relation; or one of the three names is not there at all."""
    known, relations, together = set[str](), set[str](), set[frozenset[str]]()
    for head, relation, tail in train:
        known |= {head, tail}
        relations.add(relation)
        together.add(frozenset((head, tail)))
    return [
        triple
        for triple in held_out
        if frozenset((triple[0], triple[2])) in together
        or not {triple[0], triple[2]} <= known
        or triple[1] not in relations
    ]
