"""Which row of another model's entity table belongs to which entity here: by QID or title, never by id.

A title there finds its entity here as any title of another dump does (`tables/carry_titles.py`). Rows that nothing
claims keep the values of a new model.
"""

from collections.abc import Mapping

import numpy as np
import numpy.typing as npt

from wikiprep.pretrain.luke.start_report import Matches
from wikiprep.tables.carry_titles import BY_QID, BY_REDIRECT, BY_TITLE, Carrier
from wikiprep.tables.vocab_files import SPECIALS

_TOKENS = (*SPECIALS, "[MASK2]")
_WAYS = (BY_QID, BY_TITLE, BY_REDIRECT)  # the best first


def match_rows(
    ours: Mapping[str, int],
    theirs: Mapping[str, int],
    redirects: Mapping[str, str],
    our_qids: Mapping[str, str],
    their_qids: Mapping[str, str],
) -> tuple[npt.NDArray[np.int64], Matches]:
    """(row there of each id here, -1 for none; counts). All by title; `redirects`: title -> title at the chain's end.

    Several rows can claim one entity (a page and its redirect): QID before title before redirect, then the lower id.
    """
    row_of = np.full(max(ours.values(), default=-1) + 1, -1, np.int64)
    entities = {title: number for title, number in ours.items() if title not in _TOKENS}
    carrier = Carrier(entities, {title: qid for title, qid in our_qids.items() if title in entities}, lambda: redirects)
    way_of: dict[int, int] = {}
    for title, row in sorted(theirs.items(), key=lambda item: item[1]):
        match = None if title in _TOKENS else carrier.find(title, their_qids.get(title))
        if match is None:
            continue
        entity, way = ours[match.title], _WAYS.index(match.way)
        if way < way_of.get(entity, len(_WAYS)):
            way_of[entity], row_of[entity] = way, row
    for token in _TOKENS:
        if token in ours and token in theirs:
            row_of[ours[token]] = theirs[token]
    used_rows = set(row_of[list(way_of)].tolist())
    rows = {row for title, row in theirs.items() if title not in _TOKENS}
    by_qid, by_title, by_redirect = (sum(1 for way in way_of.values() if way == kind) for kind in range(len(_WAYS)))
    unmatched = len(set(entities.values())) - len(way_of)
    return row_of, Matches(by_qid, by_title, by_redirect, unmatched, len(rows - used_rows))
