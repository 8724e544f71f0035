"""`wikiprep cluster`: frozen vectors of mentions or pairs by k-means, against their types or relations.

K-means is Lloyd's, scikit-learn's; vectors go to it in an order that is theirs alone, so that the clusters are the same
however they came.
"""

import warnings
from collections import Counter
from collections.abc import Mapping, Sequence
from dataclasses import dataclass
from pathlib import Path

import numpy as np
import numpy.typing as npt

from wikiprep.errors import WikiprepError
from wikiprep.extra_packages import must_have, needs_extra
from wikiprep.tasks.frozen.drawn_relations import Draw, draws_of, labels_named
from wikiprep.tasks.frozen.encoders import Floats, Note, must_have_some, open_encoder, select_kinds
from wikiprep.tasks.frozen.items import ReadItems, TextItem
from wikiprep.tasks.frozen.sets import SETS, read_set, set_at
from wikiprep.tasks.metrics.clustering import ClusteringScores, clustering_scores


@dataclass(frozen=True)
class ClusterOptions:
    """What the user asked for.

    `vectors`: kinds, () for all that a model has; `labels`: () for drawn ones (or all, of sets that draw none);
    `classes`: labels of a draw, 0 for the set's own number; `starts`: of k-means; `language`: see `open_encoder`.
    """

    what: str
    data: Path
    models: tuple[str, ...]
    vectors: tuple[str, ...] = ()
    set_name: str | None = None
    labels: tuple[str, ...] = ()
    classes: int = 0
    runs: int = 5
    seed: int = 1
    starts: int = 10
    language: str | None = None


@dataclass(frozen=True)
class ClusterRun:
    """The scores of one draw. `items` had vectors, with `different` ones among them."""

    scores: ClusteringScores
    items: int
    different: int


@dataclass(frozen=True)
class ClusterRow:
    """One model and kind of vectors of `size` numbers, a run a draw. `left_out`, `notes`: of the model."""

    model: str
    vectors: str
    size: int
    runs: tuple[ClusterRun, ...]
    left_out: Counter[str]
    notes: Counter[str]


@dataclass(frozen=True)
class ClusterResult:
    """All of a command. `chance[i]`: the scores of draw i with all items in one cluster."""

    options: ClusterOptions
    set_name: str
    items: ReadItems
    draws: tuple[Draw, ...]
    chance: tuple[ClusteringScores, ...]
    rows: tuple[ClusterRow, ...]


def cluster(options: ClusterOptions, note: Note) -> ClusterResult:
    """Read, draw, and cluster the vectors of every model.

    Raises UsageError for what cannot be asked, WikiprepError for data or models that are missing or damaged.
    """
    must_have("cluster", "sklearn", "scipy")
    name = set_at(options.what, options.data, options.set_name)
    read_items = read_set(name, options.data)
    note(f"{SETS[name].source.name}: {in_words(read_items.read)}")
    if read_items.left_out:
        note(f"left out: {in_words(read_items.left_out)}")
    draws = tuple(_draws(options, name, read_items.items))
    for number, draw in enumerate(draws, 1):
        ambiguous_text = f" ({draw.ambiguous_items:,} left out, of ambiguous texts)" if draw.ambiguous_items else ""
        note(f"draw {number}: {', '.join(draw.labels)}: {len(draw.places):,} items{ambiguous_text}")
    golds = [[read_items.items[place].label for place in draw.places] for draw in draws]
    chance = tuple(clustering_scores(gold, [0] * len(gold)) for gold in golds)
    rows: list[ClusterRow] = []
    for model in options.models:
        rows += _cluster_model(options, model, read_items.items, draws, note)
    return ClusterResult(options, name, read_items, draws, chance, tuple(rows))


def in_words(counts: Mapping[str, int]) -> str:
    """Counts for people."""
    return ", ".join(f"{name} ({count:,})" for name, count in sorted(counts.items()))


def _draws(options: ClusterOptions, name: str, items: Sequence[TextItem]) -> list[Draw]:
    known_labels = sorted({item.label for item in items})
    labels = labels_named(options.labels, known_labels) if options.labels else []
    classes = options.classes or SETS[name].classes
    return draws_of(items, classes, options.runs, options.seed, labels or ([] if classes else known_labels))


def _cluster_model(
    options: ClusterOptions, model: str, items: Sequence[TextItem], draws: Sequence[Draw], note: Note
) -> list[ClusterRow]:
    encoder = open_encoder(model, options.language, note)
    kinds, missing_kinds = select_kinds(encoder, model, options.vectors)
    if missing_kinds:
        note(f"{model}: has no vectors of {', '.join(missing_kinds)}")
    needed_places = sorted({place for draw in draws for place in draw.places})
    item_vectors = encoder.vectors([items[place] for place in needed_places], kinds)
    must_have_some(item_vectors, model)
    for counts in (item_vectors.left_out, item_vectors.notes):
        if +counts:
            note(f"{model}: {in_words(+counts)}")
    row_of = {needed_places[number]: row for row, number in enumerate(item_vectors.kept)}
    rows = []
    for kind in kinds:
        runs = tuple(_run(item_vectors.rows[kind], row_of, items, draw, options.starts) for draw in draws)
        rows.append(
            ClusterRow(model, kind, item_vectors.rows[kind].shape[1], runs, +item_vectors.left_out, +item_vectors.notes)
        )
    return rows


def _run(
    vectors: npt.NDArray[np.float32], row_of: Mapping[int, int], items: Sequence[TextItem], draw: Draw, starts: int
) -> ClusterRun:
    places = [place for place in draw.places if place in row_of]
    clusters, different = k_means(vectors[[row_of[place] for place in places]], len(draw.labels), draw.seed, starts)
    gold = [items[place].label for place in places]
    return ClusterRun(clustering_scores(gold, clusters.tolist()), len(places), different)


def k_means(rows: Floats, clusters: int, seed: int, starts: int) -> tuple[npt.NDArray[np.int32], int]:
    """The cluster of each of [n, D], and how many different rows there are.

    The best of `starts` beginnings (k-means++, from `seed`) by the sum of squared distances. Where different rows are
    fewer than `clusters`, so are the clusters.

    Raises WikiprepError for fewer rows than clusters, UsageError where scikit-learn is missing.
    """
    with needs_extra("cluster", "sklearn", "threadpoolctl"):
        from sklearn.cluster import KMeans
        from sklearn.exceptions import ConvergenceWarning
        from threadpoolctl import threadpool_limits
    if len(rows) < clusters:
        raise WikiprepError(f"{len(rows)} vectors make no {clusters} clusters", "are there so few in the set?")
    order, different = order_of(rows)
    assignment = np.empty(len(rows), np.int32)
    # Sums of several threads come in no fixed order, which a tie would show.
    with threadpool_limits(1), warnings.catch_warnings():
        warnings.simplefilter("ignore", ConvergenceWarning)  # fewer different rows than clusters: the result says so
        assignment[order] = KMeans(clusters, n_init=starts, random_state=seed).fit(rows[order]).labels_
    return assignment, different


def order_of(rows: Floats) -> tuple[npt.NDArray[np.int64], int]:
    """Places of [n, D] in the order of their bytes, and how many different rows there are."""
    contiguous = np.ascontiguousarray(rows + np.float32(0), np.float32)  # -0.0 is 0.0
    keys = contiguous.view(np.dtype((np.void, contiguous.dtype.itemsize * contiguous.shape[1]))).ravel()
    order = np.argsort(keys, kind="stable")
    in_order = keys[order]
    return order, 1 + int((in_order[1:] != in_order[:-1]).sum()) if len(rows) else 0
