"""`wikiprep cluster`: frozen vectors of mentions or pairs by k-means, against their types or relations."""

from collections import Counter
from collections.abc import Mapping, Sequence
from dataclasses import dataclass
from pathlib import Path

import numpy as np
import numpy.typing as npt

from wikiprep.tasks.extra_packages import must_have
from wikiprep.tasks.frozen.draws import Draw, draws_of, labels_named
from wikiprep.tasks.frozen.encoders import Note, kinds_asked, must_have_some, open_encoder
from wikiprep.tasks.frozen.items import Item, ReadItems
from wikiprep.tasks.frozen.k_means import k_means
from wikiprep.tasks.frozen.sets import SETS, read_set, set_at
from wikiprep.tasks.metrics.clustering import ClusteringScores, clustering_scores


@dataclass(frozen=True)
class Asked:
    """What the user asked for. `vectors`: kinds, () for all that a model has; `labels`: () for drawn ones (or all, of
    sets that draw none); `classes`: labels of a draw, 0 for the set's own number; `starts`: of k-means; `language`: see
    `open_encoder`."""

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
class Run:
    """The scores of one draw. `items` had vectors, with `different` ones among them."""

    scores: ClusteringScores
    items: int
    different: int


@dataclass(frozen=True)
class Row:
    """One model and kind of vectors of `size` numbers, a run a draw. `left_out`, `told`: of the model."""

    model: str
    vectors: str
    size: int
    runs: tuple[Run, ...]
    left_out: Counter[str]
    notes: Counter[str]


@dataclass(frozen=True)
class Clustered:
    """All of a command. `chance[i]`: the scores of draw i with all items in one cluster."""

    asked: Asked
    set_name: str
    found: ReadItems
    draws: tuple[Draw, ...]
    chance: tuple[ClusteringScores, ...]
    rows: tuple[Row, ...]


def cluster(asked: Asked, note: Note) -> Clustered:
    """Read, draw, and cluster the vectors of every model.

    Raises UsageError for what cannot be asked, WikiprepError for data or models that are missing or damaged.
    """
    must_have("cluster", "sklearn", "scipy")
    name = set_at(asked.what, asked.data, asked.set_name)
    found = read_set(name, asked.data)
    note(f"{SETS[name].source.name}: {in_words(found.read)}")
    if found.left_out:
        note(f"left out: {in_words(found.left_out)}")
    draws = tuple(_draws(asked, name, found.items))
    for number, draw in enumerate(draws, 1):
        lost = f" ({draw.ambiguous_items:,} left out, of ambiguous texts)" if draw.ambiguous_items else ""
        note(f"draw {number}: {', '.join(draw.labels)}: {len(draw.places):,} items{lost}")
    golds = [[found.items[place].label for place in draw.places] for draw in draws]
    chance = tuple(clustering_scores(gold, [0] * len(gold)) for gold in golds)
    rows: list[Row] = []
    for model in asked.models:
        rows += _of_model(asked, model, found.items, draws, note)
    return Clustered(asked, name, found, draws, chance, tuple(rows))


def in_words(counts: Mapping[str, int]) -> str:
    """Counts for people."""
    return ", ".join(f"{name} ({count:,})" for name, count in sorted(counts.items()))


def _draws(asked: Asked, name: str, items: Sequence[Item]) -> list[Draw]:
    known = sorted({item.label for item in items})
    labels = labels_named(asked.labels, known) if asked.labels else []
    classes = asked.classes or SETS[name].classes
    return draws_of(items, classes, asked.runs, asked.seed, labels or ([] if classes else known))


def _of_model(asked: Asked, model: str, items: Sequence[Item], draws: Sequence[Draw], note: Note) -> list[Row]:
    encoder = open_encoder(model, asked.language, note)
    kinds, lacking = kinds_asked(encoder, model, asked.vectors)
    if lacking:
        note(f"{model}: has no vectors of {', '.join(lacking)}")
    needed = sorted({place for draw in draws for place in draw.places})
    found = encoder.vectors([items[place] for place in needed], kinds)
    must_have_some(found, model)
    for counts in (found.left_out, found.notes):
        if +counts:
            note(f"{model}: {in_words(+counts)}")
    at = {needed[number]: row for row, number in enumerate(found.kept)}
    rows = []
    for kind in kinds:
        runs = tuple(_run(found.rows[kind], at, items, draw, asked.starts) for draw in draws)
        rows.append(Row(model, kind, found.rows[kind].shape[1], runs, +found.left_out, +found.notes))
    return rows


def _run(
    vectors: npt.NDArray[np.float32], at: Mapping[int, int], items: Sequence[Item], draw: Draw, starts: int
) -> Run:
    places = [place for place in draw.places if place in at]
    clusters, different = k_means(vectors[[at[place] for place in places]], len(draw.labels), draw.seed, starts)
    gold = [items[place].label for place in places]
    return Run(clustering_scores(gold, clusters.tolist()), len(places), different)
