"""`wikiprep picture`: frozen vectors of mentions or pairs in two dimensions, by UMAP (McInnes, Healy, Melville 2018).

Cosine distance, 10 neighbours, all else at UMAP's defaults, a seed. A mention that occurs several times, whatever its
case, is one point: the mean of its vectors. Points are drawn in panels with one legend, as PNG and SVG; the same points
have the same bytes.
"""

import warnings
from collections import Counter, defaultdict
from collections.abc import Sequence
from dataclasses import dataclass
from pathlib import Path

import numpy as np
import pyarrow as pa
import pyarrow.parquet as pq

from wikiprep.errors import WikiprepError
from wikiprep.extra_packages import must_have, needs_extra
from wikiprep.files import whole_file
from wikiprep.tasks.frozen.cluster import in_words, order_of
from wikiprep.tasks.frozen.drawn_relations import labels_named
from wikiprep.tasks.frozen.encoders import Floats, Note, must_have_some, open_encoder, select_kinds
from wikiprep.tasks.frozen.items import TextItem, find_ambiguous_texts
from wikiprep.tasks.frozen.sets import SETS, read_set, set_at

_SIDE, _COLUMNS, _MOST_COLOURS = 4.2, 4, 10  # inches; panels in a row; colours told apart
_MARKERS = "osD^vP*X"
NEIGHBOURS = 10
POINTS, PNG, SVG = "points.parquet", "picture.png", "picture.svg"
_SCHEMA = pa.schema([("model", pa.string()), ("label", pa.string()), ("x", pa.float32()), ("y", pa.float32())])
SCHEMA = _SCHEMA.append(pa.field("text", pa.string()))


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


@dataclass(frozen=True)
class PictureOptions:
    """What the user asked for; `labels`: () for those of the published picture, or all."""

    what: str
    data: Path
    models: tuple[str, ...]
    vectors: tuple[str, ...] = ()
    set_name: str | None = None
    labels: tuple[str, ...] = ()
    seed: int = 1
    language: str | None = None


@dataclass(frozen=True, slots=True)
class Point:
    """`text`: a mention as it is most often written, or a pair."""

    label: str
    text: str


def picture(options: PictureOptions, folder: Path, note: Note) -> int:
    """Write the points as a table and as PNG and SVG, a panel a model and kind of vectors; how many points there are.

    Raises UsageError for what cannot be asked, WikiprepError for data or models that are missing or damaged, and for
    too few points.
    """
    must_have("picture", "umap", "matplotlib")
    name = set_at(options.what, options.data, options.set_name)
    read_items = read_set(name, options.data)
    note(f"{SETS[name].source.name}: {in_words(read_items.read)}")
    known_labels = sorted({item.label for item in read_items.items})
    label_names = options.labels or SETS[name].picture
    labels = sorted(labels_named(label_names, known_labels) if label_names else known_labels)
    items = [item for item in read_items.items if item.label in labels]
    if options.what == "relations":
        texts = find_ambiguous_texts(items)
        items = [item for item in items if item.text not in texts]
        if texts:
            note(f"left out: texts in which a pair has several of the labels ({len(texts):,})")
    panels = [panel for model in options.models for panel in _panels(options, model, items, note)]
    folder.mkdir(parents=True, exist_ok=True)
    with whole_file(folder / POINTS) as file:
        pq.write_table(_table(panels), file)
    draw_points(panels, labels, f"{name}: {options.what}", folder / PNG, folder / SVG)
    return sum(len(panel.labels) for panel in panels)


def merge_mentions(items: Sequence[TextItem], rows: Floats) -> tuple[list[Point], Floats]:
    """Mentions of one name (white space and case apart) and label as one point, the mean of their rows.

    Pairs as they are. The points are sorted by label and text, whatever the order of the items.
    """
    groups: dict[tuple[str, str, str], list[int]] = defaultdict(list)
    for place, item in enumerate(items):
        pair_id = item.id if len(item.spans) == 2 else ""
        groups[item.label, item.words.casefold(), pair_id].append(place)
    points, point_rows = [], []
    for (label, _, _), places in sorted(groups.items()):
        names = Counter(items[place].words for place in places)
        points.append(Point(label, min(names, key=lambda name: (-names[name], name))))
        group_rows = rows[places]
        point_rows.append(group_rows[order_of(group_rows)[0]].mean(axis=0, dtype=np.float64).astype(np.float32))
    return points, np.stack(point_rows)


def reduce_dimensions(rows: Floats, seed: int) -> Floats:
    """[n, 2] of [n, D]. The same whatever the order of the rows, but where two of them are equal.

    Raises WikiprepError for fewer rows than UMAP can do with.
    """
    if len(rows) <= NEIGHBOURS + 1:
        raise WikiprepError(f"{len(rows)} points are too few for a picture", f"more than {NEIGHBOURS + 1} are needed")
    order, _ = order_of(rows)
    places = np.empty((len(rows), 2), np.float32)
    with warnings.catch_warnings():
        warnings.simplefilter("ignore")  # of umap-learn, of TensorFlow that is not there, and of packages beneath
        with needs_extra("picture", "umap"):
            from umap import UMAP
        reducer = UMAP(n_neighbors=NEIGHBOURS, metric="cosine", random_state=seed, n_jobs=1)
        places[order] = reducer.fit_transform(rows[order])
    return places


def _panels(options: PictureOptions, model: str, items: Sequence[TextItem], note: Note) -> list[Panel]:
    encoder = open_encoder(model, options.language, note)
    kinds, missing_kinds = select_kinds(encoder, model, options.vectors)
    if missing_kinds:
        note(f"{model}: has no vectors of {', '.join(missing_kinds)}")
    item_vectors = encoder.vectors(items, kinds)
    must_have_some(item_vectors, model)
    if +item_vectors.left_out:
        note(f"{model}: {in_words(+item_vectors.left_out)}")
    panels = []
    for kind in kinds:
        points, rows = merge_mentions([items[place] for place in item_vectors.kept], item_vectors.rows[kind])
        places = reduce_dimensions(rows, options.seed)
        note(f"{model}, {kind}: {len(points):,} points of {len(item_vectors.kept):,} {options.what}")
        labels, texts = [point.label for point in points], [point.text for point in points]
        panels.append(Panel(f"{model}, {kind}", labels, texts, places))
    return panels


def _table(panels: Sequence[Panel]) -> pa.Table:
    columns: dict[str, list[object]] = {name: [] for name in SCHEMA.names}
    for panel in panels:
        columns["model"] += [panel.title] * len(panel.labels)
        columns["label"] += panel.labels
        columns["x"] += panel.places[:, 0].tolist()
        columns["y"] += panel.places[:, 1].tolist()
        columns["text"] += panel.texts
    return pa.table(columns, SCHEMA)
