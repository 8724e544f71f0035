"""Rows by what a name can mean, by hand."""

import numpy as np

from wikiprep.inference.evaluation.disambiguation import ROWS, NameAnswers, name_rows


def test_by_hand() -> None:
    answers = NameAnswers(
        entities=np.array([5, 5, 6, 7, 8, 9]),
        pages=np.arange(6),
        meanings=np.array([2, 2, 2, 2, 1, 0]),
        trained=np.array([20, 20, 9, 0, 20, 3]),
        seen=np.array([0, 3, 4, 50, 0, 2]),
        hidden=np.array([1, 3, 0, 50, 0, 2]),
        seen_among=np.array([0, 1, 0, -1, 0, 0]),
        hidden_among=np.array([1, 1, 0, -1, 0, 1]),
        prior=np.array([5, 5, 5, 5, 8, 5]),
        guess=np.array([5, 5, 5, 5, 8, 9]),
    )
    found = {
        row.kind: (
            row.targets,
            *(
                None if share is None else round(share.value * row.targets)
                for share in (
                    *(row.candidates, row.visible_among, row.visible_top1, row.masked_among, row.masked_top1),
                    *(row.mention_prior, row.prior_or_title),
                )
            ),
        )
        for row in name_rows(answers)
    }
    assert found == {
        "all": (6, 5, 4, 2, 2, 2, 3, 4),
        "one meaning": (1, 1, 1, 1, 1, 1, 1, 1),
        "ambiguous": (4, 3, 2, 1, 1, 1, 2, 2),
        "… not the usual": (1, 1, 1, 0, 1, 1, 0, 0),  # that the name never meant the last one is no fault of context
        "unseen name": (1, 1, 1, 0, 0, 0, 0, 1),
        "rare entity": (3, 2, 2, 0, 1, 1, 0, 1),
    }


def test_rows_without_targets_are_there() -> None:
    nothing = np.zeros(0, np.int64)
    rows = name_rows(NameAnswers(*[nothing] * 10))
    assert [row.kind for row in rows] == list(ROWS)
    assert all(row.targets == 0 and row.visible_among is None for row in rows)
