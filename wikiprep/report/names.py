"""The names that mean most things: those whose commonest meaning is wrong most often."""

import heapq
from collections.abc import Sequence

import numpy as np

from wikiprep.report.blocks import Cell, Section, Table
from wikiprep.report.corpus import Corpus
from wikiprep.report.names_in_order import MENTIONS, first_rows
from wikiprep.tables.mentions.table import MentionTable

MOST, CANDIDATES = 25, 4


def ambiguous_names(corpora: Sequence[Corpus]) -> Section:
    """A table a corpus."""
    section = Section(
        "names",
        "The most ambiguous names",
        "By the links that would be wrong if each link on the name led to its commonest target. The prior of a target "
        "is its share of the name's links; entropy is 0 for one meaning and 1 for equally common ones.",
    )
    for corpus in corpora:
        if not corpus.has(MENTIONS):
            section.notes.append(corpus.lacks("names", "the build's command with --mentions adds their table"))
        elif table := _table(corpus):
            section.tables.append(table)
        else:
            section.notes.append(f"{corpus.name}: no name has links to more than one target.")
    return section


def _table(corpus: Corpus) -> Table | None:
    best: list[tuple[int, str]] = []  # a heap: links that the commonest target would get wrong, name
    for first, batch in first_rows(corpus, ["link_count", "name_link_count"]):
        wrong = (batch["name_link_count"].to_numpy() - batch["link_count"].to_numpy()) * first
        for place in np.argsort(-wrong, kind="stable")[:MOST].tolist():
            if wrong[place] > 0:
                best.append((int(wrong[place]), batch["name"][place].as_py()))
        best = heapq.nsmallest(MOST, best, key=lambda one: (-one[0], one[1]))
    if not best:
        return None
    with corpus.whole(MENTIONS):
        table = MentionTable.open(corpus.store)
    rows: list[list[Cell]] = []
    for wrong, name in best:
        counts, candidates = table.counts(name), table.candidates(name)
        priors = "; ".join(f"{one.title} {one.prior:.3f}" for one in candidates[:CANDIDATES])
        linked_count = sum(one.link_count > 0 for one in candidates)
        links = counts.link_count if counts else 0
        rows.append([name, links, int(wrong), linked_count, round(table.entropy(name), 3), priors])
    columns = ["name", "links", "not to the commonest", "targets", "entropy", "commonest targets and their priors"]
    return Table(f"Ambiguous names: {corpus.name}", columns, rows)
