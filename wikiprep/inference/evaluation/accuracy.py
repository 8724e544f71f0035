"""From answers to figures.

Shares of right answers with their standard errors, of all targets and by how often training had the entity. Answers of
one page are not independent.
"""

from collections.abc import Mapping
from dataclasses import dataclass, field

import numpy as np
import numpy.typing as npt

Ints = npt.NDArray[np.int64]
# Mentions of the entity in the training records: [first, last), None for no end.
BANDS = ((0, 1), (1, 10), (10, 100), (100, 1_000), (1_000, 10_000), (10_000, None))
ALL = "all"


@dataclass(frozen=True)
class EstimatedShare:
    """`value` in [0, 1]; `error`: its standard error, None where one page alone has targets."""

    value: float
    error: float | None


def share_of(right: npt.NDArray[np.bool_], pages: Ints) -> EstimatedShare | None:
    """The share of `right`, whose i-th entry is of page `pages[i]`; None without entries.

    The error is that of a mean of clusters, sqrt(G / (G - 1) · Σ over G pages of (Σ of the page's x - p)²) / n
    (Liang and Zeger 1986; Cameron and Miller 2015, equation 6 for a constant alone). A page says one name often: as if
    drawn one by one, sqrt(p (1 - p) / n), the error would be too small.
    """
    if not len(right):
        return None
    value = float(right.mean())
    _, page = np.unique(pages, return_inverse=True)
    of_pages = np.bincount(page, weights=right - value)
    count = len(of_pages)
    if count < 2:
        return EstimatedShare(value, None)
    return EstimatedShare(value, float(np.sqrt(count / (count - 1) * (of_pages**2).sum()) / len(right)))


@dataclass(frozen=True, eq=False)
class Answers:
    """Arrays with one entry a target (a masked mention that is not `[UNK]`).

    `seen`, `hidden`: ranks of the right entity (0: the model's first answer) with the mention's words visible and
    masked. `trained`: mentions of the entity in training. `pages`: of the targets, for the standard errors.
    """

    entities: Ints
    seen: Ints
    hidden: Ints
    prior: Ints
    name_known: npt.NDArray[np.bool_]
    trained: Ints
    commonest: int
    pages: Ints


@dataclass(frozen=True)
class AccuracyRow:
    """Shares in [0, 1] of `targets`, None where there are none. `errors`: standard errors by name, `EstimatedShare`."""

    band: str
    targets: int
    visible_top1: float | None
    visible_top10: float | None
    masked_top1: float | None
    masked_top10: float | None
    mention_prior: float | None
    most_frequent: float | None
    name_known: float | None
    errors: Mapping[str, float | None] = field(default_factory=dict)


def rows_of(answers: Answers) -> list[AccuracyRow]:
    """All targets first, then the bands that have some. The bands' targets add up to all."""
    rows = [_row(ALL, answers, np.ones(len(answers.entities), bool))]
    for first, last in BANDS:
        inside = answers.trained >= first
        if last is not None:
            inside &= answers.trained < last
        if inside.any():
            rows.append(_row(_band_name(first, last), answers, inside))
    return rows


def _row(band: str, answers: Answers, inside: npt.NDArray[np.bool_]) -> AccuracyRow:
    right = {
        "visible_top1": answers.seen < 1,
        "visible_top10": answers.seen < 10,
        "masked_top1": answers.hidden < 1,
        "masked_top10": answers.hidden < 10,
        "mention_prior": answers.prior == answers.entities,
        "most_frequent": answers.entities == answers.commonest,
        "name_known": answers.name_known,
    }
    shares = {name: share_of(truths[inside], answers.pages[inside]) for name, truths in right.items()}
    return AccuracyRow(
        band,
        int(inside.sum()),
        **{name: None if share is None else share.value for name, share in shares.items()},
        errors={name: None if share is None else share.error for name, share in shares.items()},
    )


def _band_name(first: int, last: int | None) -> str:
    if last is None:
        return f"{first:,} and more"
    return f"{first:,}" if last == first + 1 else f"{first:,} to {last - 1:,}"
