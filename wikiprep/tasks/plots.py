"""Pictures of results. matplotlib is imported when one is drawn: most results need none."""

from pathlib import Path
from typing import TYPE_CHECKING

from wikiprep.errors import UsageError
from wikiprep.files import whole_file
from wikiprep.tasks.confusion import Confusion

if TYPE_CHECKING:
    from matplotlib.figure import Figure

_CELL, _MARGIN = 0.42, 2.2  # inches
_NUMBERS = 30  # labels up to which cells show their counts


def draw_confusion(confusion: Confusion, path: str | Path, title: str = "") -> None:
    """Write the matrix as PNG: rows gold, columns predicted, colours by the share of the row.

    Raises UsageError where matplotlib is missing or the path is no PNG, OSError where it cannot be written.
    """
    if Path(path).suffix.lower() != ".png":
        raise UsageError(f"{path}: a confusion matrix is drawn as PNG", "give a name that ends in .png")
    if not confusion.labels:
        raise UsageError("a confusion matrix needs at least one prediction", "the predictions are empty")
    figure = _figure(confusion, title)
    with whole_file(path) as file:
        # Without the version of matplotlib in it the same matrix has the same bytes.
        figure.savefig(file, format="png", dpi=120, metadata={"Software": None})


def _figure(confusion: Confusion, title: str) -> "Figure":
    try:
        from matplotlib.figure import Figure
    except ModuleNotFoundError as error:
        raise UsageError("matplotlib is not installed", 'pip install "wikiprep[plots]"') from error
    size = len(confusion.labels)
    figure = Figure(figsize=(_MARGIN + _CELL * size, _MARGIN + _CELL * size), layout="constrained")
    axes = figure.add_subplot()
    shares = [[count / (sum(row) or 1) for count in row] for row in confusion.counts]
    axes.imshow(shares, cmap="Blues", vmin=0, vmax=1)
    axes.set_xticks(range(size), confusion.labels, rotation=90, fontsize=8)
    axes.set_yticks(range(size), confusion.labels, fontsize=8)
    axes.set_xlabel("predicted")
    axes.set_ylabel("gold")
    axes.set_title(title, fontsize=10)
    for i, row in enumerate(confusion.counts if size <= _NUMBERS else ()):
        for j, count in enumerate(row):
            if count:
                colour = "white" if shares[i][j] > 0.5 else "black"
                axes.text(j, i, str(count), ha="center", va="center", fontsize=7, color=colour)
    return figure
