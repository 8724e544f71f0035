"""Accounting equations: everything read is in exactly one of the parts. A stage whose sums do not close fails."""

from collections.abc import Mapping, Sequence
from dataclasses import dataclass

from wikiprep.errors import WikiprepError
from wikiprep.units.unit import Result


@dataclass(frozen=True, slots=True)
class Equation:
    """counts[whole] is the sum of its parts; a part that ends in "." stands for every count with that prefix."""

    name: str
    whole: str
    parts: tuple[str, ...]

    def terms(self, counts: Mapping[str, int]) -> dict[str, int]:
        """The parts' counts by key, keys sorted."""
        return {
            key: n
            for key, n in sorted(counts.items())
            if any(key == p or (p.endswith(".") and key.startswith(p)) for p in self.parts)
        }

    def closes(self, counts: Mapping[str, int]) -> bool:
        """Whether the sum holds."""
        return sum(self.terms(counts).values()) == counts.get(self.whole, 0)


def label(whole: str, part: str) -> str:
    """A part's key in words, without what it shares with the whole: "links.dropped.in_table" is "in table"."""
    shared = next((p for p in (f"{whole}.", whole.rpartition(".")[0] + ".") if part.startswith(p)), "")
    rest = part.removeprefix(shared) if shared else part.partition(".")[2]
    return rest.removeprefix("dropped.").replace("_", " ").replace(".", " ")


def summed(results: Sequence[Result]) -> dict[str, int]:
    """Counts added over units, keys sorted."""
    total: dict[str, int] = {}
    for result in results:
        for key, n in result.counts.items():
            total[key] = total.get(key, 0) + n
    return dict(sorted(total.items()))


def must_close(stage: str, counts: Mapping[str, int], equations: Sequence[Equation]) -> None:
    """Raises WikiprepError for the first equation that does not hold."""
    for equation in equations:
        if not equation.closes(counts):
            terms = equation.terms(counts)
            raise WikiprepError(
                f"stage {stage}: {equation.whole} is {counts.get(equation.whole, 0)}, "
                f"but its parts sum to {sum(terms.values())}: {terms}",
                "this is a fault in wikiprep: please report it with these numbers",
            )
