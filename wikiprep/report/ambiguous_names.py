"""The names that mean most things: those whose commonest meaning is wrong most often.

By the mention table from its first row to its last, with the rows at which a new name starts.
"""

import heapq
from collections.abc import Iterator, Sequence

import numpy as np
import numpy.typing as npt
import pyarrow as pa
import pyarrow.compute as pc

from wikiprep.report.blocks import Cell, Section, Table
from wikiprep.report.corpus import ReportCorpus
from wikiprep.tables.mentions.mention_table import MentionTable

MENTIONS = "tables/mentions.parquet"
MOST, CANDIDATES = 25, 4


def first_rows(corpus: ReportCorpus, columns: Sequence[str]) -> Iterator[tuple[npt.NDArray[np.bool_], pa.RecordBatch]]:
    """Batches with `name` and `columns`, each with a mask of the first row of each name: its most linked target."""
    last: str | None = None
    for batch in corpus.batches(MENTIONS, ["name", *columns]):
        names = batch["name"]
        if not len(names):
            continue
        first = np.ones(len(names), np.bool_)
        first[1:] = pc.not_equal(names[1:], names[:-1]).to_numpy(zero_copy_only=False)
        first[0] = names[0].as_py() != last
        last = names[-1].as_py()
        yield first, batch


def ambiguous_names(corpora: Sequence[ReportCorpus]) -> Section:
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


def _table(corpus: ReportCorpus) -> Table | None:
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
