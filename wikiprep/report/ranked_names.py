"""A picture and a table of the greatest of many names, one corpus beside the other."""

from collections.abc import Mapping, Sequence

from wikiprep.report.blocks import Cell, Figure, Table
from wikiprep.report.charts import Axis, Bars, draw_bars
from wikiprep.report.themed_svg import inline

MOST = 15


def ranked_figure(
    key: str, title: str, what: str, axis: Axis, counts: Mapping[str, Mapping[str, int | float]], most: int = MOST
) -> Figure:
    """The `most` names that are greatest in any corpus. `axis.kind` "percent": shares, which the table has x 100."""
    best: dict[str, float] = {}
    for values in counts.values():
        for name, value in values.items():
            best[name] = max(best.get(name, 0), value)
    names = sorted(best, key=lambda name: (-best[name], name))[:most]
    columns: Sequence[Bars] = [Bars(corpus, [values.get(name) for name in names]) for corpus, values in counts.items()]
    summary = f"{title}. " + "; ".join(f"{name}: {_format_value(best[name], axis)}" for name in names[:3])
    share = axis.kind == "percent"
    rows: list[list[Cell]] = [[name, *(_cell(values.get(name), share) for values in counts.values())] for name in names]
    heads = [f"{corpus}, %" if share else corpus for corpus in counts]
    svg = inline(draw_bars(names, columns, axis), key, summary)
    return Figure(title, summary, svg, Table(title, [what, *heads], rows))


def _format_value(value: float, axis: Axis) -> str:
    return f"{value:.1%}" if axis.kind == "percent" else f"{value:,}"


def _cell(value: float | None, share: bool) -> Cell:
    return round(100 * value, 2) if share and value is not None else value
