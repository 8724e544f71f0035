"""What a checkpoint to start from gave: to be logged, and to be read before a long run is begun."""

from dataclasses import asdict, dataclass, field


@dataclass(frozen=True)
class Matches:
    """How entities here found their rows, and rows their entities. Special tokens are matched by name beside these."""

    by_qid: int
    by_title: int
    by_redirect: int
    unmatched: int  # entities here without a row there
    unused: int  # rows there without an entity here

    def as_dict(self) -> dict[str, int]:
        """The counts by name."""
        return asdict(self)


@dataclass(frozen=True)
class StartReport:
    """`new`: tensors that the checkpoint does not have; `entities`: None where it has no entity table."""

    new: list[str] = field(default_factory=list)
    entities: Matches | None = None
