"""Which row of another model's entity table belongs to which entity here: by QID or title, never by id.

Where both sides know an entity's QID, the QID decides, also against an equal title (two towns of one name). Else the
title, as it is or where this corpus's redirects lead it. Rows that nothing claims keep the values of a new model.
"""

from collections.abc import Mapping

import numpy as np
import numpy.typing as npt

from wikiprep.pretrain.luke.started import Matches
from wikiprep.tables.vocab_files import SPECIALS

_TOKENS = (*SPECIALS, "[MASK2]")


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
    title_of_qid = {qid: title for title, qid in our_qids.items()}
    way_of: dict[int, int] = {}
    for title, row in sorted(theirs.items(), key=lambda item: item[1]):
        found = _entity(title.replace("_", " "), title, ours, redirects, title_of_qid, our_qids, their_qids)
        if found is None:
            continue
        entity, way = found
        if way < way_of.get(entity, len(_WAYS)):
            way_of[entity], row_of[entity] = way, row
    for token in _TOKENS:
        if token in ours and token in theirs:
            row_of[ours[token]] = theirs[token]
    used = set(row_of[list(way_of)].tolist())
    entities = {entity for title, entity in ours.items() if title not in _TOKENS}
    rows = {row for title, row in theirs.items() if title not in _TOKENS}
    by_qid, by_title, by_redirect = (sum(1 for way in way_of.values() if way == kind) for kind in _WAYS)
    return row_of, Matches(by_qid, by_title, by_redirect, len(entities) - len(way_of), len(rows - used))


_QID, _TITLE, _REDIRECT = _WAYS = (0, 1, 2)


def _entity(
    title: str,
    as_written: str,
    ours: Mapping[str, int],
    redirects: Mapping[str, str],
    title_of_qid: Mapping[str, str],
    our_qids: Mapping[str, str],
    their_qids: Mapping[str, str],
) -> tuple[int, int] | None:
    """(entity here, way) that a row there is for."""
    if title in _TOKENS:
        return None
    qid = their_qids.get(as_written)
    if qid is not None and (known := title_of_qid.get(qid)) is not None:
        return ours[known], _QID
    for name, way in ((title, _TITLE), (redirects.get(title), _REDIRECT)):
        if name is None or name not in ours or name in _TOKENS:
            continue
        if qid is not None and our_qids.get(name, qid) != qid:
            return None  # both have a QID, and it is another's
        return ours[name], way
    return None
