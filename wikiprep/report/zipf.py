"""Zipf curves: how often the n-th most linked entity, and the n-th most linked name, is linked."""

from collections.abc import Mapping, Sequence

import numpy as np
import numpy.typing as npt
import pyarrow as pa

from wikiprep.report.blocks import Cell, Figure, Section, Table, titled
from wikiprep.report.charts import Axis, Line, draw_lines
from wikiprep.report.corpus import Corpus
from wikiprep.report.coverage import spread
from wikiprep.report.names_in_order import MENTIONS, first_rows
from wikiprep.report.themed_svg import inline
from wikiprep.tables.entity_vocab import SPECIALS, VOCAB_PARQUET

Ints = npt.NDArray[np.int64]


class CountsOf:
    """How many things have each count: small whatever the table's size, since few counts differ."""

    def __init__(self) -> None:
        self._of: dict[int, int] = {}

    def add(self, counts: Ints) -> None:
        """Counts of some things; those of 0 are in no curve."""
        for count, things in zip(*(a.tolist() for a in np.unique(counts, return_counts=True)), strict=True):
            if count > 0:
                self._of[count] = self._of.get(count, 0) + things

    @property
    def size(self) -> int:
        """How many things there are."""
        return sum(self._of.values())

    def at(self, ranks: Sequence[int]) -> list[int]:
        """The count of the thing of each rank, the greatest being 1."""
        counts = sorted(self._of, reverse=True)
        last = np.cumsum([self._of[count] for count in counts])
        return [counts[place] for place in np.searchsorted(last, ranks).tolist()]


def zipf(corpora: Sequence[Corpus]) -> Section:
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
            entities[corpus.name] = _entities(corpus)
        else:
            section.notes.append(corpus.lacks("vocabulary", "`wikiprep tables` makes one"))
        if corpus.has(MENTIONS):
            names[corpus.name] = _names(corpus)
        else:
            section.notes.append(corpus.lacks("names", "the build's command with --mentions adds their table"))
    for key, title, found in (("entities", "Entities", entities), ("names", "Names", names)):
        counted = {name: counts for name, counts in found.items() if counts.size}
        if counted:
            section.figures.append(_figure(key, titled(title, counted, corpora), counted))
    return section


def _entities(corpus: Corpus) -> CountsOf:
    made = CountsOf()
    for batch in corpus.batches(f"tables/{VOCAB_PARQUET}", ["title", "count"]):
        special = pa.compute.is_in(batch["title"], value_set=pa.array(SPECIALS))
        made.add(batch["count"].filter(pa.compute.invert(special)).fill_null(0).to_numpy())
    return made


def _names(corpus: Corpus) -> CountsOf:
    made = CountsOf()
    for first, batch in first_rows(corpus, ["name_link_count"]):
        made.add(batch["name_link_count"].to_numpy()[first])
    return made


def _figure(key: str, title: str, found: Mapping[str, CountsOf]) -> Figure:
    ranks = spread(1, max(counts.size for counts in found.values()))
    lines: list[Line] = []
    columns: dict[str, dict[int, int]] = {}
    for name, counts in found.items():
        own = [rank for rank in ranks if rank < counts.size] + [counts.size]
        columns[name] = dict(zip(own, counts.at(own), strict=True))
        lines.append(Line(name, own, list(columns[name].values())))
    rows: list[list[Cell]] = [
        [rank, *(one.get(rank) for one in columns.values())]
        for rank in sorted({r for c in columns.values() for r in c})
    ]
    said = "; ".join(f"{name}: {c.size:,}, the first with {c.at([1])[0]:,} links" for name, c in found.items())
    summary = f"{title} by rank. {said}"
    svg = draw_lines(lines, Axis("rank", "log"), Axis("links", "log"))
    table = Table(f"{title} by rank", ["rank", *(f"links, {name}" for name in columns)], rows)
    return Figure(title, summary, inline(svg, f"zipf-{key}", summary), table)
