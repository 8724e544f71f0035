"""A score for people and for machines: the figures beside the published ones, labels one by one, the worst errors."""

from collections.abc import Sequence
from dataclasses import asdict
from typing import Any

from rich.table import Table

from wikiprep.tasks.examples import Mention
from wikiprep.tasks.metrics.counts import Counts
from wikiprep.tasks.predictions import Extraction, Label, Prediction
from wikiprep.tasks.published import published_rows
from wikiprep.tasks.result_table import SPLIT_COLUMN, ResultRow, table_rows
from wikiprep.tasks.scorers import Score
from wikiprep.terminal.console import Terminal

SCHEMA = "score/1"
_MAX_TEXT = 300  # characters of a text


def as_json(score: Score, split: str, left_out: dict[str, int]) -> dict[str, Any]:
    """All figures, in per cent; counts of labels."""
    return {
        "schema": SCHEMA,
        "task": score.task,
        "split": split,
        **({"form": score.form} if score.form else {}),
        "main": score.main,
        "figures": score.figures,
        "examples": score.examples,
        "unanswered": score.unanswered,
        "left_out": left_out,
        "by_label": {label: asdict(counts) for label, counts in score.by_label.items()},
        "published": [asdict(row) for row in published_rows(score.task, split, score.form)],
    }


def show(score: Score, model: str, split: str) -> None:
    """Print the table of results, then that of the labels."""
    console = Terminal(markup=False)
    result = ResultRow(model, "this score", split, score.figures)
    head, *rows = table_rows(score.task, [result], list(score.figures), split, score.form, score.views)
    title = f"{score.task} ({score.form})" if score.form else score.task
    table = Table(title=f"{title}, {split}: {score.examples:,} examples, per cent", title_justify="left")
    for place, name in enumerate(_without_split(head)):
        table.add_column(name, justify="left" if place < SPLIT_COLUMN else "right", overflow="fold")
    for row in rows:
        table.add_row(*_without_split(row))
    console.print(table)
    if score.by_label:
        console.print(_labels(score.by_label))


def show_errors(errors: Sequence[Prediction]) -> None:
    """Print wrong predictions: gold, predicted, and the text, cut where it is long."""
    console = Terminal(markup=False)
    for error in errors:
        text = error.text if len(error.text) <= _MAX_TEXT else f"{error.text[:_MAX_TEXT]}…"
        console.print(
            f"{error.id}: gold {_label_text(error.gold, error.text)}, "
            f"predicted {_label_text(error.predicted, error.text)}"
        )
        console.print(f"    {' '.join(text.split())}")


def _without_split(row: list[str]) -> list[str]:
    return [*row[:SPLIT_COLUMN], *row[SPLIT_COLUMN + 1 :]]  # it is in the title


def _labels(by_label: dict[str, Counts]) -> Table:
    table = Table(title="by label", title_justify="left")
    table.add_column("label", overflow="fold")
    for name in ("precision", "recall", "f1", "right", "predicted", "gold"):
        table.add_column(name, justify="right")
    for label, counts in by_label.items():
        ratios = [f"{100 * value:.2f}" for value in (counts.precision, counts.recall, counts.f1)]
        table.add_row(label, *ratios, f"{counts.correct:,}", f"{counts.predicted:,}", f"{counts.gold:,}")
    return table


def _label_text(label: Label | None, text: str) -> str:
    if label is None:
        return "nothing"
    if isinstance(label, str):
        return label or '""'
    if isinstance(label, Extraction):
        return "; ".join(" | ".join(triple) for triple in label.triples) or "none"
    words = [f"{item.type} {text[item.start : item.end]!r}" if isinstance(item, Mention) else item for item in label]
    return ", ".join(words) if words else "none"
