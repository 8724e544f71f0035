"""A result beside the published rows, as rows of text: for the terminal, and as Markdown for a README or a paper."""

from collections.abc import Mapping, Sequence
from dataclasses import dataclass

from wikiprep.tasks.published import published_rows

HEAD = ("model", "published in", "split")
SPLIT_COLUMN = 2


@dataclass(frozen=True, slots=True)
class ResultRow:
    """`figures` in per cent; `deviations` over seeds where there are several.

    `source`: where it is from: "ours", or the folder of a run.
    """

    model: str
    source: str
    split: str
    figures: Mapping[str, float]
    deviations: Mapping[str, float] | None = None


Views = Sequence[tuple[str, str]]
VIEWED = ("precision", "recall", "f1")


def table_rows(
    task: str, results: Sequence[ResultRow], figures: Sequence[str], split: str, form: str = "", views: Views = ()
) -> list[list[str]]:
    """A head and the rows: published ones of the split first, in the papers' order, then the results.

    The columns are model, paper and table (of a result: its source), split, and the figures, of results with two
    digits. Published rows are those of the data's `form` alone. With `views` each of them is a row, with its precision,
    recall and f1.
    """
    if views:
        return _rows_by_view(task, results, split, form, views)
    rows = [[*HEAD, *figures]]
    for row in published_rows(task, split, form):
        cells = [f"{row.figures[name]:.1f}" if name in row.figures else "-" for name in figures]
        rows.append([row.model, row.table, row.split, *cells])
    for result in results:
        cells = [_cell(result, name) for name in figures]
        rows.append([result.model, result.source, result.split, *cells])
    return rows


def _rows_by_view(task: str, results: Sequence[ResultRow], split: str, form: str, views: Views) -> list[list[str]]:
    rows = [[*HEAD, *VIEWED]]
    for row in published_rows(task, split, form):
        for name, prefix in views:
            cells = [f"{row.figures[prefix + f]:.1f}" if prefix + f in row.figures else "-" for f in VIEWED]
            if any(cell != "-" for cell in cells):
                rows.append([row.model, f"{row.table}: {name}", row.split, *cells])
    for result in results:
        for name, prefix in views:
            cells = [_cell(result, prefix + f) for f in VIEWED]
            rows.append([result.model, f"{result.source}: {name}", result.split, *cells])
    return rows


def markdown_table(
    task: str, results: Sequence[ResultRow], figures: Sequence[str], split: str, form: str = "", views: Views = ()
) -> str:
    """The same as a Markdown table; the results are bold."""
    head, *rows = table_rows(task, results, figures, split, form, views)
    first = len(rows) - len(results) * max(1, len(views))
    lines = [head, ["---", "---", "---", *["---:"] * (len(head) - len(HEAD))]]
    for place, row in enumerate(rows):
        cells = [cell.replace("|", "\\|").replace("\n", " ") for cell in row]
        lines.append([f"**{cell}**" for cell in cells] if place >= first else cells)
    return "".join(f"| {' | '.join(line)} |\n" for line in lines)


def _cell(result: ResultRow, name: str) -> str:
    if name not in result.figures:
        return "-"
    spread = (result.deviations or {}).get(name)
    return f"{result.figures[name]:.2f}" + (f" ± {spread:.2f}" if spread is not None else "")
