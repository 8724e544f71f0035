"""Charts by matplotlib, as SVG with text as text: the same numbers, the same bytes. Imported when one is drawn.

SVG of matplotlib, and not plotly or Vega: their scripts alone are 3.5 and 0.8 MB, draw nothing without JavaScript, and
what they draw has no text for a screen reader. Of one SVG the browser makes both themes (themed_svg.py).
"""

import io
import math
import warnings
from collections.abc import Sequence
from dataclasses import dataclass
from typing import TYPE_CHECKING, Any

from wikiprep.errors import UsageError
from wikiprep.report.blocks import shorten
from wikiprep.report.themed_svg import GRID, SERIES, TEXT

if TYPE_CHECKING:
    from matplotlib.axes import Axes

WIDTH, HEIGHT, BAR = 4.8, 3.1, 0.24  # inches, of 72 units: letters can be read where a phone makes it narrower
_LABEL, _COLUMN = 30, 22  # characters of a bar's name, and of a legend's where it has two columns
_STYLES = ("-", "--", "-.", ":")  # colour is not all that tells lines apart
_HATCHES = ("", "///", "...", "xxx")


@dataclass(frozen=True, slots=True)
class ChartLine:
    """Points of one line; a y of None is a gap."""

    label: str
    x: Sequence[float]
    y: Sequence[float | None]


@dataclass(frozen=True, slots=True)
class Mark:
    """A place on a line to be pointed out, with a word on it."""

    x: float
    y: float
    label: str


@dataclass(frozen=True, slots=True)
class Bars:
    """The values of one colour, one for each name."""

    label: str
    values: Sequence[float | None]


@dataclass(frozen=True, slots=True)
class Axis:
    """`kind`: linear, log, or percent (of shares, 0 to 1)."""

    label: str
    kind: str = "linear"


def draw_lines(
    lines: Sequence[ChartLine], x: Axis, y: Axis, *, marks: Sequence[Mark] = (), steps: bool = False, title: str = ""
) -> str:
    """SVG of lines over one another, those of more than one with a legend. `steps`: x is where a bin starts.

    Up to eight `marks` get letters. Raises UsageError where matplotlib is missing.
    """
    with _Drawing(HEIGHT + 0.22 * (len(marks) + (len(lines) if len(lines) > 1 else 0))) as (axes, render):
        for place, line in enumerate(lines):
            values = [math.nan if value is None else value for value in line.y]
            style = _STYLES[place // len(SERIES) % len(_STYLES)] if len(lines) > len(SERIES) else _STYLES[place % 4]
            line_options = {"drawstyle": "steps-post"} if steps else {}
            marker_options = {"marker": "o", "markersize": 4} if len(values) < 3 else {}
            axes.plot(
                line.x,
                values,
                style,
                color=_colour(place),
                linewidth=2,
                label=line.label,
                **line_options,
                **marker_options,
            )
        _scale(axes, "x", x)
        _scale(axes, "y", y)
        if y.kind == "percent":
            axes.set_ylim(bottom=0)
        for place, mark in enumerate(marks):
            letter = "abcdefgh"[place]
            text_options = {"ha": "center", "va": "center", "fontweight": "bold"}
            label = f"{letter}  {mark.label}"
            axes.plot(
                [mark.x],
                [mark.y],
                "o",
                color=_colour(1) if len(lines) == 1 else TEXT,
                markersize=7,
                label=label,
                zorder=3,
            )
            axes.annotate(letter, (mark.x, mark.y), (0, 11), textcoords="offset points", color=TEXT, **text_options)
        if len(lines) > 1 or marks:
            handles, labels = axes.get_legend_handles_labels()
            first = 0 if len(lines) > 1 else 1  # a line alone needs no name
            _legend(axes, handles[first:], labels[first:], one_column=bool(marks))
        if title:
            axes.set_title(shorten(title, 60), fontsize=12, loc="left")
        svg: str = render()
    return svg


def draw_bars(names: Sequence[str], bars: Sequence[Bars], x: Axis) -> str:
    """SVG of horizontal bars, the first name above. Values of each name stand under one another."""
    height = BAR * max(1.5, len(bars)) * len(names) + 0.9 + (0.3 if len(bars) > 1 else 0)
    with _Drawing(height) as (axes, render):
        thickness = 0.8 / len(bars)
        for place, series in enumerate(bars):
            rows = [row + (place - (len(bars) - 1) / 2) * thickness for row in range(len(names))]
            values = [value or 0 for value in series.values]
            axes.barh(
                rows,
                values,
                thickness * 0.92,
                color=_colour(place),
                label=series.label,
                hatch=_HATCHES[place % 4],
                edgecolor="none" if place == 0 else GRID,
                linewidth=0,
            )
            for row, value in zip(rows, series.values, strict=True):
                if value is not None:
                    axes.annotate(
                        _format_value(value, x.kind),
                        (value, row),
                        (3, 0),
                        textcoords="offset points",
                        va="center",
                        fontsize=9,
                        color=TEXT,
                    )
        axes.set_yticks(range(len(names)), [shorten(name, _LABEL) for name in names])
        axes.invert_yaxis()
        axes.grid(visible=False, axis="y")
        axes.margins(x=0.16, y=0.01)
        _scale(axes, "x", x)
        axes.set_xlim(left=0)
        axes.xaxis.set_major_locator(
            _tick_locator(all(isinstance(v, int | None) for series in bars for v in series.values))
        )
        if len(bars) > 1:
            _legend(axes, *axes.get_legend_handles_labels(), one_column=False)
        svg: str = render()
    return svg


def _legend(axes: "Axes", handles: Sequence[Any], labels: Sequence[str], *, one_column: bool) -> None:
    """Above the axes, in two columns where the names are short enough to be seen whole."""
    columns = 1 if one_column or any(len(label) > _COLUMN for label in labels) else 2
    names = [shorten(label, 2 * _COLUMN) for label in labels]
    axes.figure.legend(handles, names, loc="outside upper left", frameon=False, labelcolor=TEXT, ncols=columns)


def short_number(number: float) -> str:
    """0.5, 1, 20K, 1.5M: a number on an axis."""
    for unit, word in ((1e9, "G"), (1e6, "M"), (1e3, "K")):
        if abs(number) >= unit:
            return f"{number / unit:.3g}{word}"
    return f"{number:.4g}"


def _format_value(value: float, kind: str) -> str:
    return f"{value:.1%}" if kind == "percent" else f"{value:,}" if isinstance(value, int) else f"{value:,.3g}"


def _colour(place: int) -> str:
    return SERIES[place % len(SERIES)]


def _tick_locator(integers: bool = False) -> Any:
    from matplotlib.ticker import MaxNLocator

    return MaxNLocator(4, integer=integers)


def _scale(axes: "Axes", axis_name: str, axis: Axis) -> None:
    from matplotlib.ticker import FuncFormatter, NullFormatter

    axis_ticks = axes.xaxis if axis_name == "x" else axes.yaxis
    (axes.set_xlabel if axis_name == "x" else axes.set_ylabel)(axis.label)
    if axis.kind == "log":
        (axes.set_xscale if axis_name == "x" else axes.set_yscale)("log")
        axis_ticks.set_minor_formatter(NullFormatter())
    elif axis_name == "x":
        axis_ticks.set_major_locator(_tick_locator())
    format_log = (lambda value, _: f"{value:.3g}" if value < 1 else short_number(value)) if axis.kind == "log" else None
    if axis.kind == "percent":
        axis_ticks.set_major_formatter(FuncFormatter(lambda value, _: f"{100 * value:.4g} %"))
    else:
        axis_ticks.set_major_formatter(FuncFormatter(format_log or (lambda value, _: short_number(value))))


class _Drawing:
    """One axes in our style, whatever a user's matplotlibrc says; what it gives besides the axes renders the SVG."""

    def __init__(self, height: float) -> None:
        self._height = height

    def __enter__(self) -> Any:
        try:
            import matplotlib
            from matplotlib.figure import Figure
        except ModuleNotFoundError as error:
            raise UsageError("matplotlib is not installed", 'pip install "wikiprep[report]"') from error
        self._context = matplotlib.rc_context()
        self._context.__enter__()
        matplotlib.rcdefaults()
        matplotlib.rcParams.update(
            {
                "svg.fonttype": "none",
                "svg.hashsalt": "wikiprep",
                "font.size": 11,
                "text.parse_math": False,
                "text.color": TEXT,
                "axes.labelcolor": TEXT,
                "axes.edgecolor": GRID,
                "xtick.color": TEXT,
                "ytick.color": TEXT,
                "grid.color": GRID,
                "axes.grid": True,
                "axes.spines.top": False,
                "axes.spines.right": False,
                "axes.axisbelow": True,
                "axes.unicode_minus": False,
                "hatch.color": GRID,
                "hatch.linewidth": 0.7,
                "xtick.minor.visible": False,
            }
        )
        self._figure = Figure(figsize=(WIDTH, self._height), layout="constrained")
        self._figure.patch.set_visible(False)
        axes = self._figure.add_subplot()
        axes.patch.set_visible(False)
        return axes, self._render

    def __exit__(self, *error: object) -> None:
        self._context.__exit__(None, None, None)

    def _render(self) -> str:
        out = io.StringIO()
        with warnings.catch_warnings():
            # The browser has the letters that matplotlib's own font lacks.
            warnings.filterwarnings("ignore", r"Glyph \d+", UserWarning)
            warnings.filterwarnings("ignore", "Matplotlib currently does not support", UserWarning)
            self._figure.savefig(out, format="svg", metadata={"Date": None, "Creator": None})
        return out.getvalue()
