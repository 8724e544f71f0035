"""Which triples of a corpus make the graph: every other one is counted under why it is not."""

from collections import Counter
from dataclasses import dataclass

import numpy as np
import numpy.typing as npt

from wikiprep.counts import Count, Reasons
from wikiprep.wikidata.graph.graph import WikidataGraph
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
    """`min_degree`: triples that an entity has at least; `min_relation`: a relation.

    `max_overlap`: relations that overlap by as much are left out but for one (graph.overlap); None keeps all.
    """

    min_degree: int = 1
    min_relation: int = 1
    max_overlap: float | None = 0.97


@dataclass(frozen=True, slots=True)
class Selected:
    """`overlaps` and `redundant` are of `before`, the graph before relations were left out; `redundant` by place."""

    graph: WikidataGraph
    before: WikidataGraph
    overlaps: Overlaps
    redundant: dict[int, Overlap]


def select(
    graph: WikidataGraph,
    selection: Selection,
    counts: Counter[Count],
    vocabulary: npt.NDArray[np.int64] | None = None,
    left_out: LeftOutFacts | None = None,
) -> Selected:
    """The triples that are wanted.

    `vocabulary`: sorted items that both ends must be among. `left_out`: of evaluation sets.

    Adds to `counts`: READ is the sum of the triples of the result and of DROPPED.
    """
    counts[READ] += len(graph)
    if left_out is not None and len(left_out):
        pairs = pairs_of(graph.items[graph.heads], graph.items[graph.tails])
        graph = _filter_graph(graph, ~left_out.hidden(pairs, graph.properties[graph.relations]), "left out", counts)
    if vocabulary is not None:
        in_vocabulary = are_in(vocabulary, graph.items)
        graph = _filter_graph(
            graph, in_vocabulary[graph.heads] & in_vocabulary[graph.tails], "outside vocabulary", counts
        )
    before, shared = graph, overlaps(graph)
    redundant_relations = {} if selection.max_overlap is None else redundant(graph, shared, selection.max_overlap)
    if redundant_relations:
        graph = _filter_graph(graph, ~np.isin(graph.relations, list(redundant_relations)), "redundant relation", counts)
    return Selected(_prune_rare(graph, selection, counts), before, shared, redundant_relations)


def _prune_rare(graph: WikidataGraph, selection: Selection, counts: Counter[Count]) -> WikidataGraph:
    """Again and again, as what goes makes others rarer, until nothing does."""
    while True:
        size = len(graph)
        is_frequent = graph.sizes() >= selection.min_relation
        graph = _filter_graph(graph, is_frequent[graph.relations], "rare relation", counts)
        is_connected = graph.degrees() >= selection.min_degree
        graph = _filter_graph(graph, is_connected[graph.heads] & is_connected[graph.tails], "low degree", counts)
        if len(graph) == size:
            return graph


def _filter_graph(
    graph: WikidataGraph, mask: npt.NDArray[np.bool_], reason: str, counts: Counter[Count]
) -> WikidataGraph:
    drop_count = int(np.count_nonzero(~mask))
    counts[DROPPED.of(reason)] += drop_count
    return graph.keep(mask) if drop_count else graph
