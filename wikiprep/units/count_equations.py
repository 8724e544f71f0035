"""Counts of units are added up, and a stage whose sums do not close fails (`counts.py` has the words)."""

from collections.abc import Mapping, Sequence

from wikiprep.counts import Count, Equation
from wikiprep.errors import WikiprepError
from wikiprep.units.unit import Result


def label(whole: str, part: str) -> str:
    """A part's key in words, without what it shares with the whole: "links.dropped.in_table" is "in table"."""
    shared = next((p for p in (f"{whole}.", whole.rpartition(".")[0] + ".") if part.startswith(p)), "")
    rest = part.removeprefix(shared) if shared else part.partition(".")[2]
    return rest.removeprefix("dropped.").replace("_", " ").replace(".", " ")


def sum_counts(results: Sequence[Result]) -> dict[Count, int]:
    """Counts added over units, keys sorted."""
    total: dict[Count, int] = {}
    for result in results:
        for key, n in result.counts.items():
            total[key] = total.get(key, 0) + n
    return dict(sorted(total.items()))


def must_close(stage: str, counts: Mapping[Count, int], equations: Sequence[Equation]) -> None:
    """Raises WikiprepError for the first equation that does not hold."""
    for equation in equations:
        if not equation.closes(counts):
            terms = equation.terms(counts)
            raise WikiprepError(
                f"stage {stage}: {equation.whole} is {counts.get(equation.whole, 0)}, "
                f"but its parts sum to {sum(terms.values())}: {terms}",
                "this is a fault in wikiprep: please report it with these numbers",
            )
