"""Points in panels with one legend, as PNG and SVG; the same points have the same bytes."""

from collections.abc import Sequence
from dataclasses import dataclass
from pathlib import Path

import numpy as np

from wikiprep.files import whole_file
from wikiprep.tasks.extra_packages import needs_extra
from wikiprep.tasks.frozen.encoders import Floats

_SIDE, _COLUMNS, _MOST_COLOURS = 4.2, 4, 10  # inches; panels in a row; colours told apart
_MARKERS = "osD^vP*X"


@dataclass(frozen=True)
class Panel:
    """`places` [n, 2] of points with a label and a text each."""

    title: str
    labels: list[str]
    texts: list[str]
    places: Floats


def draw_points(panels: Sequence[Panel], labels: Sequence[str], title: str, png: Path, svg: Path) -> None:
    """Write both files. Raises UsageError where matplotlib is missing."""
    with needs_extra("picture", "matplotlib"):
        import matplotlib
        from matplotlib.figure import Figure
    columns = min(_COLUMNS, len(panels))
    height = -(-len(panels) // columns)
    with matplotlib.rc_context({"svg.hashsalt": "wikiprep", "svg.fonttype": "path"}):
        figure = Figure(figsize=(_SIDE * columns, _SIDE * height + 0.8), layout="constrained")
        axes = figure.subplots(height, columns, squeeze=False).ravel()
        for number, panel in enumerate(panels):
            point_labels = np.array(panel.labels)
            for place, label in enumerate(labels):
                label_places = panel.places[point_labels == label]
                marker = _MARKERS[place // _MOST_COLOURS % len(_MARKERS)]
                colour = f"C{place % _MOST_COLOURS}"
                axes[number].scatter(
                    label_places[:, 0],
                    label_places[:, 1],
                    s=6,
                    c=colour,
                    marker=marker,
                    alpha=0.7,
                    linewidths=0,
                    label=label,
                    rasterized=len(panel.labels) > 5000,  # in an SVG of 30,000 points nobody can look at one
                )
            axes[number].set_title(panel.title, fontsize=9)
            axes[number].set_xticks([])
            axes[number].set_yticks([])
        for empty in axes[len(panels) :]:
            empty.set_visible(False)
        figure.suptitle(title, fontsize=11)
        handles, names = axes[0].get_legend_handles_labels()
        figure.legend(handles, names, loc="outside lower center", ncols=min(6, len(labels)), markerscale=3)
        with whole_file(png) as file:
            figure.savefig(file, format="png", dpi=150, metadata={"Software": None})
        with whole_file(svg) as file:
            figure.savefig(file, format="svg", metadata={"Date": None, "Creator": None})
