"""From answers to figures: shares of right answers, of all targets and by how often training had the entity."""

from collections.abc import Mapping
from dataclasses import dataclass, field

import numpy as np
import numpy.typing as npt

from wikiprep.apply.evaluation.shares import share_of

Ints = npt.NDArray[np.int64]

# Mentions of the entity in the training records: [first, last), None for no end.
BANDS = ((0, 1), (1, 10), (10, 100), (100, 1_000), (1_000, 10_000), (10_000, None))
ALL = "all"


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
class Row:
    """Shares in [0, 1] of `targets`; None where there are none. `errors`: their standard errors by name (`Share`)."""

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


def rows_of(answers: Answers) -> list[Row]:
    """All targets first, then the bands that have some. The bands' targets add up to all."""
    rows = [_row(ALL, answers, np.ones(len(answers.entities), bool))]
    for first, last in BANDS:
        inside = answers.trained >= first
        if last is not None:
            inside &= answers.trained < last
        if inside.any():
            rows.append(_row(_band_name(first, last), answers, inside))
    return rows


def _row(band: str, answers: Answers, inside: npt.NDArray[np.bool_]) -> Row:
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
    return Row(
        band,
        int(inside.sum()),
        **{name: None if share is None else share.value for name, share in shares.items()},
        errors={name: None if share is None else share.error for name, share in shares.items()},
    )


def _band_name(first: int, last: int | None) -> str:
    if last is None:
        return f"{first:,} and more"
    return f"{first:,}" if last == first + 1 else f"{first:,} to {last - 1:,}"
