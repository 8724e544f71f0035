"""Which share of the links a vocabulary of each size covers."""

from collections.abc import Sequence

import numpy as np

from wikiprep.errors import WikiprepError
from wikiprep.report.blocks import Figure, Section, Table, figure_title, percent, shorten
from wikiprep.report.charts import Axis, ChartLine, Mark, draw_lines
from wikiprep.report.corpus import ReportCorpus
from wikiprep.report.themed_svg import inline
from wikiprep.tables.choose_entities import ENTITIES, FIRST_ENTITY
from wikiprep.tables.coverage import Curve, coverage_of

_POINTS = 60


def coverage(corpora: Sequence[ReportCorpus]) -> Section:
    """One curve a corpus."""
    section = Section(
        "coverage",
        "Coverage by size of the vocabulary",
        "The share of all links of text that lead to one of the most linked pages, for every --vocab-size.",
    )
    curves: dict[str, Curve] = {}
    for corpus in corpora:
        try:
            curve = coverage_of(corpus.store, corpus.manifest)
        except WikiprepError as error:
            reason = error.what.removeprefix(f"{corpus.store.url}: ")
            section.notes.append(f"{corpus.name}: {reason}.")
            continue
        if not len(curve.counts):
            section.notes.append(f"{corpus.name}: no page is linked.")
            continue
        if not curve.whole:
            section.notes.append(f"{corpus.name}: _state/links is gone, the curve ends with its vocabulary.")
        curves[corpus.name] = curve
    if curves:
        title = figure_title("Coverage", curves, corpora)
        section.figures.append(
            _figure(title, curves, _vocabulary_marks([c for c in corpora if c.name in curves], curves))
        )
    return section


def _vocabulary_marks(corpora: Sequence[ReportCorpus], curves: dict[str, Curve]) -> list[Mark]:
    """Where the corpora's own vocabularies stand."""
    marks = []
    for corpus in corpora:
        size = corpus.counts("vocabulary")[ENTITIES] + FIRST_ENTITY
        share = curves[corpus.name].share([size])[0]
        marks.append(Mark(size, share, f"{shorten(corpus.name, 24)}, {size:,}: {share:.1%}"))
    return marks


def log_spaced(first: int, last: int, points: int = _POINTS) -> list[int]:
    """Whole numbers from `first` to `last`, equally far on a logarithmic scale."""
    return sorted({*np.geomspace(first, max(first, last), points).round().astype(np.int64).tolist(), first, last})


def _figure(title: str, curves: dict[str, Curve], marks: Sequence[Mark]) -> Figure:
    lines, columns = [], ["--vocab-size"]
    sizes = log_spaced(FIRST_ENTITY + 1, max(curve.largest for curve in curves.values()))
    for name, curve in curves.items():
        curve_sizes = [size for size in sizes if size < curve.largest] + [curve.largest]
        lines.append(ChartLine(name, curve_sizes, curve.share(curve_sizes)))
        columns.append(f"{name}, % of links")
    rows = [
        [size, *(percent(curve.share([size])[0]) for curve in curves.values())]
        for size in sorted({*sizes, *(curve.largest for curve in curves.values())})
    ]
    details = "; ".join(f"{n}: at most {c.share([c.largest])[0]:.1%} of {c.links:,} links" for n, c in curves.items())
    summary = f"Share of links covered by the size of the vocabulary. {details}"
    svg = draw_lines(lines, Axis("size of the vocabulary", "log"), Axis("links covered", "percent"), marks=marks)
    return Figure(title, summary, inline(svg, "coverage", summary), Table("Coverage by vocabulary size", columns, rows))
