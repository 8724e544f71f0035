"""How well a model tells apart what a name can mean: rows by what training has of the name and of the entity.

A mention whose name means one thing is a look-up. What a model adds to a table of names is seen where a name has
several meanings, above all where the one meant is not the usual one, where the name is in no page of training, and
where the entity is rare.
"""

from dataclasses import dataclass

import numpy as np
import numpy.typing as npt

from wikiprep.inference.evaluation.accuracy import EstimatedShare, share_of

Ints = npt.NDArray[np.int64]
Truths = npt.NDArray[np.bool_]

RARE = 10  # an entity with fewer mentions in training is rare
ROWS = ALL, ONE, AMBIGUOUS, UNUSUAL, UNSEEN, RARE_ROW = (
    "all",
    "one meaning",
    "ambiguous",
    "… not the usual",
    "unseen name",
    "rare entity",
)


@dataclass(frozen=True, eq=False)
class NameAnswers:
    """Arrays with one entry a target.

    `meanings`: entities that the name has in training, 0 for a name that is not there. `seen`, `hidden`: ranks of the
    right entity over all; `seen_among`, `hidden_among`: among the name's candidates, -1 where it is none of them.
    `prior`, `guess`: the mention prior, and the same with titles for names that are not there. `trained`: mentions of
    the right entity in training.
    """

    entities: Ints
    pages: Ints
    meanings: Ints
    trained: Ints
    seen: Ints
    hidden: Ints
    seen_among: Ints
    hidden_among: Ints
    prior: Ints
    guess: Ints


@dataclass(frozen=True)
class NameRow:
    """Shares of `targets`; None where there are none. `candidates`: the right entity is among the name's."""

    kind: str
    targets: int
    candidates: EstimatedShare | None
    visible_among: EstimatedShare | None
    visible_top1: EstimatedShare | None
    masked_among: EstimatedShare | None
    masked_top1: EstimatedShare | None
    mention_prior: EstimatedShare | None
    prior_or_title: EstimatedShare | None


def name_rows(answers: NameAnswers) -> list[NameRow]:
    """In the order of ROWS, empty ones too: that there is nothing to disambiguate must be seen.

    ONE, AMBIGUOUS and UNSEEN add up to ALL. UNUSUAL: of the AMBIGUOUS those whose right entity is a candidate, and not
    the one that the name means most often: what context alone can get right.
    """
    is_candidate, prior_is_right = answers.seen_among >= 0, answers.prior == answers.entities
    ambiguous = answers.meanings > 1
    masks = {
        ALL: np.ones(len(answers.entities), bool),
        ONE: answers.meanings == 1,
        AMBIGUOUS: ambiguous,
        UNUSUAL: ambiguous & is_candidate & ~prior_is_right,
        UNSEEN: answers.meanings == 0,
        RARE_ROW: answers.trained < RARE,
    }
    return [_row(kind, answers, masks[kind]) for kind in ROWS]


def _row(kind: str, answers: NameAnswers, inside: Truths) -> NameRow:
    def share(right: Truths) -> EstimatedShare | None:
        return share_of(right[inside], answers.pages[inside])

    return NameRow(
        kind,
        int(inside.sum()),
        share(answers.seen_among >= 0),
        share(answers.seen_among == 0),
        share(answers.seen == 0),
        share(answers.hidden_among == 0),
        share(answers.hidden == 0),
        share(answers.prior == answers.entities),
        share(answers.guess == answers.entities),
    )
