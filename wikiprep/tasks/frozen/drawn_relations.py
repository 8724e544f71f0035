"""Which relations are clustered, and which of their pairs.

A few are drawn, several times, since the draw moves the figures more than the model does (SPOT, section 4.1).
"""

from collections.abc import Sequence
from dataclasses import dataclass
from math import comb

import numpy as np

from wikiprep.errors import UsageError
from wikiprep.suggestions import names_hint
from wikiprep.tasks.frozen.items import TextItem, find_ambiguous_texts


@dataclass(frozen=True, slots=True)
class Draw:
    """`labels`, sorted; `places`: of the set's items, those of these labels that are not ambiguous; `seed`: of k-means.
    Texts in which a pair has several of the labels are left out, with all their pairs: both are counted."""

    labels: tuple[str, ...]
    places: tuple[int, ...]
    seed: int
    ambiguous_texts: int
    ambiguous_items: int


def draws_of(items: Sequence[TextItem], classes: int, runs: int, seed: int, labels: Sequence[str] = ()) -> list[Draw]:
    """`runs` different draws of `classes` labels of the items, whatever the order of these.

    `labels`: these and no others, in one draw a run, of another seed of k-means each.

    Raises UsageError where there are not so many labels, or different draws.
    """
    known_labels = tuple(sorted({item.label for item in items}))
    if labels:
        return [_draw(items, tuple(sorted(labels)), seed + number) for number in range(runs)]
    if not 2 <= classes <= len(known_labels):
        raise UsageError(
            f"{classes} of {len(known_labels)} labels cannot be drawn", f"labels: {', '.join(known_labels)}"
        )
    if runs > comb(len(known_labels), classes):
        raise UsageError(
            f"{runs} different draws of {classes} of {len(known_labels)} labels: "
            f"there are {comb(len(known_labels), classes)}",
            "fewer --runs",
        )
    rng = np.random.default_rng(seed)
    label_sets: list[tuple[str, ...]] = []
    while len(label_sets) < runs:
        label_set = tuple(
            known_labels[number] for number in sorted(rng.permutation(len(known_labels))[:classes].tolist())
        )
        if label_set not in label_sets:
            label_sets.append(label_set)
    return [_draw(items, label_set, seed + number) for number, label_set in enumerate(label_sets)]


def _draw(items: Sequence[TextItem], labels: tuple[str, ...], seed: int) -> Draw:
    places = [place for place, item in enumerate(items) if item.label in labels]
    texts = find_ambiguous_texts([items[place] for place in places])
    kept_places = tuple(place for place in places if items[place].text not in texts)
    return Draw(labels, kept_places, seed, len(texts), len(places) - len(kept_places))


def labels_named(names: Sequence[str], known: Sequence[str]) -> list[str]:
    """The labels that are asked for, whole or by their last part ("place_lived" for "/people/person/place_lived").

    Raises UsageError for one that is not there, or is several.
    """
    labels = []
    for name in names:
        matches = [label for label in known if label == name] or [k for k in known if k.rpartition("/")[2] == name]
        if len(matches) != 1:
            what = f"is {' and '.join(matches)}" if matches else "is no label of the set"
            raise UsageError(f"--labels: {name} {what}", names_hint("labels", name, sorted(known)))
        labels.append(matches[0])
    if len(set(labels)) < max(2, len(labels)):
        raise UsageError("--labels: two different ones at least are needed", f"labels: {', '.join(sorted(known))}")
    return labels
