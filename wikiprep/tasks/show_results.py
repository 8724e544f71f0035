"""`wikiprep results`: rows of runs beside the published ones, a table a task, as Markdown and as JSON."""

from collections.abc import Sequence
from dataclasses import asdict
from typing import Any

from wikiprep.tasks.collected import SCHEMA, Row
from wikiprep.tasks.published import published_rows

PARTS = ("dev", "test")
_BOTH = {"squad": ("em", "f1"), "record": ("em", "f1")}  # figures that papers give side by side


def tables(rows: Sequence[Row], *, every_figure: bool = False) -> str:
    """Markdown, in per cent: means, and over several seeds ± their standard deviation."""
    tasks = list(dict.fromkeys(row.runs[0].task for row in rows))
    parts = []
    for task in tasks:
        lines = _table(task, [row for row in rows if row.runs[0].task == task], every_figure)
        parts.append(f"{task}, per cent\n\n" + "".join(f"| {' | '.join(map(_cell, line))} |\n" for line in lines))
    return "\n".join(parts)


def as_json(rows: Sequence[Row]) -> dict[str, Any]:
    """All figures of the rows, and what was published of their tasks."""
    tasks = list(dict.fromkeys(row.runs[0].task for row in rows))
    published = {task: [asdict(row) for row in published_rows(task)] for task in tasks}
    return {"schema": SCHEMA, "rows": [row.as_json() for row in rows], "published": published}


def _table(task: str, rows: Sequence[Row], every_figure: bool) -> list[list[str]]:
    columns = _columns(task, rows, every_figure)
    lines = [["encoder", "setting", "seeds", *(f"{part} {name}" for part, name in columns)]]
    lines.append([*("---",) * 3, *("---:",) * len(columns)])
    published: dict[tuple[str, str], dict[tuple[str, str], float]] = {}
    for published_row in published_rows(task):
        row_figures = published.setdefault((published_row.model, published_row.table), {})
        row_figures |= {(published_row.split, name): value for name, value in published_row.figures.items()}
    for (model, table), figures in published.items():
        cells = [f"{figures[column]:.1f}" if column in figures else "-" for column in columns]
        if any(cell != "-" for cell in cells):
            lines.append([model, f"published: {table}", "-", *cells])
    for row in rows:
        first = row.runs[0]
        values_by_column = {(part, name): values for part in PARTS for name, values in row.figures(part).items()}
        cells = [_figure(*values_by_column[column]) if column in values_by_column else "-" for column in columns]
        lines.append([f"**{first.model}**", first.setting, str(len(row.runs)), *cells])
    return lines


def _columns(task: str, rows: Sequence[Row], every_figure: bool) -> list[tuple[str, str]]:
    names = dict.fromkeys(_BOTH.get(task, ()) or (row.runs[0].main for row in rows))
    if every_figure:
        names |= dict.fromkeys(name for row in rows for part in PARTS for name in row.figures(part))
    present_parts = {part for row in rows for part in PARTS if row.figures(part)}
    return [(part, name) for part in PARTS if part in present_parts for name in names]


def _figure(mean: float, spread: float | None) -> str:
    return f"{mean:.2f}" + ("" if spread is None else f" ± {spread:.2f}")


def _cell(text: str) -> str:
    return text.replace("|", "\\|").replace("\n", " ")
