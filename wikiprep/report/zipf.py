"""Zipf curves: how often the n-th most linked entity, and the n-th most linked name, is linked."""

from collections.abc import Mapping, Sequence

import numpy as np
import numpy.typing as npt
import pyarrow as pa

from wikiprep.report.ambiguous_names import MENTIONS, first_rows
from wikiprep.report.blocks import Cell, Figure, Section, Table, figure_title
from wikiprep.report.charts import Axis, ChartLine, draw_lines
from wikiprep.report.corpus import ReportCorpus
from wikiprep.report.coverage import log_spaced
from wikiprep.report.themed_svg import inline
from wikiprep.tables.entity_vocab import SPECIALS, VOCAB_PARQUET

Ints = npt.NDArray[np.int64]


class CountsOf:
    """How many things have each count: small whatever the table's size, since few counts differ."""

    def __init__(self) -> None:
        self._things_by_count: dict[int, int] = {}

    def add(self, counts: Ints) -> None:
        """Counts of some things; those of 0 are in no curve."""
        for count, things in zip(*(a.tolist() for a in np.unique(counts, return_counts=True)), strict=True):
            if count > 0:
                self._things_by_count[count] = self._things_by_count.get(count, 0) + things

    @property
    def size(self) -> int:
        """How many things there are."""
        return sum(self._things_by_count.values())

    def at(self, ranks: Sequence[int]) -> list[int]:
        """The count of the thing of each rank, the greatest being 1."""
        counts = sorted(self._things_by_count, reverse=True)
        last = np.cumsum([self._things_by_count[count] for count in counts])
        return [counts[place] for place in np.searchsorted(last, ranks).tolist()]


def zipf(corpora: Sequence[ReportCorpus]) -> Section:
    """One picture for entities, one for names."""
    section = Section(
        "zipf",
        "Entities and names by frequency",
        "Links of each entity of the vocabulary, and links that stand on each name, over their rank: both axes are "
        "logarithmic, Zipf's law is a straight line.",
    )
    entities, names = {}, {}
    for corpus in corpora:
        if corpus.has(f"tables/{VOCAB_PARQUET}"):
            entities[corpus.name] = _count_entities(corpus)
        else:
            section.notes.append(corpus.lacks("vocabulary", "`wikiprep tables` makes one"))
        if corpus.has(MENTIONS):
            names[corpus.name] = _count_names(corpus)
        else:
            section.notes.append(corpus.lacks("names", "the build's command with --mentions adds their table"))
    for key, title, counts_by_corpus in (("entities", "Entities", entities), ("names", "Names", names)):
        nonempty_counts = {name: counts for name, counts in counts_by_corpus.items() if counts.size}
        if nonempty_counts:
            section.figures.append(_figure(key, figure_title(title, nonempty_counts, corpora), nonempty_counts))
    return section


def _count_entities(corpus: ReportCorpus) -> CountsOf:
    counts = CountsOf()
    for batch in corpus.batches(f"tables/{VOCAB_PARQUET}", ["title", "count"]):
        special = pa.compute.is_in(batch["title"], value_set=pa.array(SPECIALS))
        counts.add(batch["count"].filter(pa.compute.invert(special)).fill_null(0).to_numpy())
    return counts


def _count_names(corpus: ReportCorpus) -> CountsOf:
    counts = CountsOf()
    for first, batch in first_rows(corpus, ["name_link_count"]):
        counts.add(batch["name_link_count"].to_numpy()[first])
    return counts


def _figure(key: str, title: str, counts_by_corpus: Mapping[str, CountsOf]) -> Figure:
    ranks = log_spaced(1, max(counts.size for counts in counts_by_corpus.values()))
    lines: list[ChartLine] = []
    columns: dict[str, dict[int, int]] = {}
    for name, counts in counts_by_corpus.items():
        own_ranks = [rank for rank in ranks if rank < counts.size] + [counts.size]
        columns[name] = dict(zip(own_ranks, counts.at(own_ranks), strict=True))
        lines.append(ChartLine(name, own_ranks, list(columns[name].values())))
    rows: list[list[Cell]] = [
        [rank, *(one.get(rank) for one in columns.values())]
        for rank in sorted({r for c in columns.values() for r in c})
    ]
    details = "; ".join(
        f"{name}: {c.size:,}, the first with {c.at([1])[0]:,} links" for name, c in counts_by_corpus.items()
    )
    summary = f"{title} by rank. {details}"
    svg = draw_lines(lines, Axis("rank", "log"), Axis("links", "log"))
    table = Table(f"{title} by rank", ["rank", *(f"links, {name}" for name in columns)], rows)
    return Figure(title, summary, inline(svg, f"zipf-{key}", summary), table)
