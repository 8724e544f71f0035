"""Joint extraction of entities and relations: micro P, R and F1 of (subject, relation, object), pooled over sentences.

Exact: whole names are compared. Partial: of subject and object only the first or the last word (which of them, a data
set decides): a result must say which.
"""

from collections.abc import Collection, Sequence
from typing import Literal

from wikiprep.tasks.metrics.counts import Counts, same_length

Triple = tuple[str, str, str]
Match = Literal["exact", "first", "last"]


def triple_counts(
    gold: Sequence[Collection[Triple]], predicted: Sequence[Collection[Triple]], match: Match = "exact"
) -> Counts:
    """Sets of triples a sentence. Under "first" and "last" triples that become equal count once.

    Raises ValueError where the lists differ in length, and for another `match`.
    """
    if match not in ("exact", "first", "last"):
        raise ValueError(f"match is exact, first or last, not {match!r}")
    same_length(gold, predicted)
    counts = Counts()
    for gold_triples, predicted_triples in zip(gold, predicted, strict=True):
        a, b = (
            {(_part(s, match), r, _part(o, match)) for s, r, o in triples}
            for triples in (gold_triples, predicted_triples)
        )
        counts += Counts(len(a & b), len(b), len(a))
    return counts


def _part(name: str, match: Match) -> str:
    words = name.split()
    if match == "exact" or not words:
        return name
    return words[0] if match == "first" else words[-1]
