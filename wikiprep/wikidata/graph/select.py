"""Which triples of a corpus make the graph: every other one is counted under why it is not."""

from collections import Counter
from dataclasses import dataclass

import numpy as np
import numpy.typing as npt

from wikiprep.counts import Count, Reasons
from wikiprep.wikidata.graph.graph import Graph
from wikiprep.wikidata.graph.overlap import Overlap, Overlaps, overlaps, redundant
from wikiprep.wikidata.left_out_facts import LeftOutFacts
from wikiprep.wikidata.triples_table import are_in, pairs_of

READ = Count("triples.read", "Triples of the corpus.")
DROPPED = Reasons(
    "triples.dropped.",
    "Triples that are not in the graph.",
    **{
        "left out": "On a list of evaluation sets.",
        "outside vocabulary": "An end is no entity of the vocabulary.",
        "redundant relation": "Its property repeats another.",
        "rare relation": "Its property has fewer triples than --min-relation.",
        "low degree": "An end has fewer triples than --min-degree.",
    },
)


@dataclass(frozen=True, slots=True)
class Selection:
    """`min_degree`: triples that an entity has at least; `min_relation`: a relation. `max_overlap`: relations that
    overlap by as much are left out but for one (graph.overlap); None keeps all."""

    min_degree: int = 1
    min_relation: int = 1
    max_overlap: float | None = 0.97


@dataclass(frozen=True, slots=True)
class Selected:
    """`overlaps` and `redundant` are of `before`, the graph before relations were left out; `redundant` by place."""

    graph: Graph
    before: Graph
    overlaps: Overlaps
    redundant: dict[int, Overlap]


def select(
    graph: Graph,
    selection: Selection,
    counts: Counter[Count],
    vocabulary: npt.NDArray[np.int64] | None = None,
    left_out: LeftOutFacts | None = None,
) -> Selected:
    """The triples that are wanted. `vocabulary`: sorted items that both ends must be among. `left_out`: of evaluation
    sets.

    Adds to `counts`: READ is the sum of the triples of the result and of DROPPED.
    """
    counts[READ] += len(graph)
    if left_out is not None and len(left_out):
        pairs = pairs_of(graph.items[graph.heads], graph.items[graph.tails])
        graph = _kept(graph, ~left_out.hidden(pairs, graph.properties[graph.relations]), "left out", counts)
    if vocabulary is not None:
        known = are_in(vocabulary, graph.items)
        graph = _kept(graph, known[graph.heads] & known[graph.tails], "outside vocabulary", counts)
    before, found = graph, overlaps(graph)
    gone = {} if selection.max_overlap is None else redundant(graph, found, selection.max_overlap)
    if gone:
        graph = _kept(graph, ~np.isin(graph.relations, list(gone)), "redundant relation", counts)
    return Selected(_frequent(graph, selection, counts), before, found, gone)


def _frequent(graph: Graph, selection: Selection, counts: Counter[Count]) -> Graph:
    """Again and again, as what goes makes others rarer, until nothing does."""
    while True:
        size = len(graph)
        often = graph.sizes() >= selection.min_relation
        graph = _kept(graph, often[graph.relations], "rare relation", counts)
        enough = graph.degrees() >= selection.min_degree
        graph = _kept(graph, enough[graph.heads] & enough[graph.tails], "low degree", counts)
        if len(graph) == size:
            return graph


def _kept(graph: Graph, mask: npt.NDArray[np.bool_], reason: str, counts: Counter[Count]) -> Graph:
    lost = int(np.count_nonzero(~mask))
    counts[DROPPED.of(reason)] += lost
    return graph.keep(mask) if lost else graph
