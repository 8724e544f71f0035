"""What a build counts: every key is declared once, with its meaning, by the code that counts it.

A module that counts declares its keys at its top and the equations that they belong to beside them (where several
modules share an equation, in a small module of their room); a stage collects the equations of what it runs, and whoever
reads a manifest imports the keys. They are strings, but a literal in their place is an error to mypy, so that no key is
ever misspelt, or written and not explained. `docs/make_counts.py` makes docs/counts.md of the declarations.
"""

from collections.abc import Mapping
from dataclasses import dataclass
from typing import Any, TypeVar

Key = TypeVar("Key", bound=str)


class Count(str):
    """A key of counts. `meaning`: a sentence of what it counts; empty where it came from a file or another process."""

    __slots__ = ("meaning",)
    meaning: str

    def __new__(cls, key: str, meaning: str = "") -> "Count":
        """`key`: as it stands in manifest.json."""
        count = super().__new__(cls, key)
        count.meaning = meaning
        return count

    def __reduce__(self) -> tuple[Any, ...]:
        return Count, (str(self),)


class Reasons:
    """Keys of one prefix: a count by reason.

    `known`: reasons that are few and fixed, each with its meaning; neither goes along to another process.
    """

    __slots__ = ("_made", "known", "meaning", "prefix")

    def __init__(self, prefix: str, meaning: str, /, **known: str) -> None:
        self.prefix, self.meaning, self.known = prefix, meaning, known
        self._made: dict[str, Count] = {}

    def of(self, reason: str) -> Count:
        """The key of a reason, one of few words."""
        key = self._made.get(reason)
        if key is None:
            key = self._made[reason] = Count(self.prefix + reason)
        return key

    def __eq__(self, other: object) -> bool:
        return isinstance(other, Reasons) and self.prefix == other.prefix

    def __hash__(self) -> int:
        return hash(self.prefix)

    def __reduce__(self) -> tuple[Any, ...]:
        return Reasons, (self.prefix, "")

    def within(self, counts: Mapping[Key, int]) -> dict[str, int]:
        """The counts of this prefix, by reason."""
        return {key.removeprefix(self.prefix): n for key, n in counts.items() if key.startswith(self.prefix)}

    def total(self, counts: Mapping[Key, int]) -> int:
        """Their sum."""
        return sum(self.within(counts).values())


def declare_counts(prefix: str, /, **meanings: str) -> dict[str, Count]:
    """Declares a key for each word, by word."""
    return {word: Count(prefix + word, meaning) for word, meaning in meanings.items()}


@dataclass(frozen=True, slots=True)
class EquationCounts:
    """An equation with the numbers of a build: `total` is the count of the whole, `parts` those of the parts by key."""

    name: str
    whole: Count
    total: int
    parts: Mapping[Count, int]

    def in_json(self) -> dict[str, Any]:
        """As manifests and reports show it."""
        return {"name": self.name, "whole": str(self.whole), "total": self.total, "parts": in_json(self.parts)}


@dataclass(frozen=True, slots=True)
class Equation:
    """counts[whole] is the sum of its parts: everything read is in exactly one of them. `name` is for people."""

    name: str
    whole: Count
    parts: tuple[Count | Reasons, ...]

    def terms(self, counts: Mapping[Key, int]) -> dict[Key, int]:
        """The parts' counts by key, keys sorted."""
        return {key: n for key, n in sorted(counts.items()) if any(_is_of(key, part) for part in self.parts)}

    def closes(self, counts: Mapping[Count, int]) -> bool:
        """Whether the sum holds."""
        return sum(self.terms(counts).values()) == counts.get(self.whole, 0)

    def of(self, counts: Mapping[Count, int]) -> EquationCounts:
        """The equation with its numbers."""
        return EquationCounts(self.name, self.whole, counts.get(self.whole, 0), self.terms(counts))


def _is_of(key: str, part: Count | Reasons) -> bool:
    return key.startswith(part.prefix) if isinstance(part, Reasons) else key == part


def in_json(counts: Mapping[Count, int]) -> dict[str, int]:
    """Counts for orjson, which takes no key that is not exactly a string."""
    return {str(key): n for key, n in counts.items()}
