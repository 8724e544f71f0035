"""What building a table gives to the stage that does it."""

from dataclasses import dataclass

from wikiprep.counts import Count


@dataclass(frozen=True, slots=True)
class TableResult:
    """What building a table gives besides its files: counts that close, and lines for the person who runs it."""

    counts: dict[Count, int]
    warnings: tuple[str, ...] = ()
