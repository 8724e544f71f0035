"""How many subwords have an entity, in the paper's unit: of the subwords of a sequence."""

from collections.abc import Sequence
from dataclasses import dataclass

from wikiprep.tasks.features import NO_ENTITY, Features


@dataclass(frozen=True)
class Coverage:
    """Sums over all sequences of a split; special tokens and markers are no subwords."""

    sequences: int
    subwords: int
    found: int

    def in_words(self, part: str) -> str:
        """A line for the user."""
        share = 100 * self.found / max(1, self.subwords)
        mean, most = (value / max(1, self.sequences) for value in (self.found, self.subwords))
        return f"{part}: {mean:.1f} of {most:.1f} subwords of a sequence have an entity of the graph ({share:.1f} %)"

    def as_json(self) -> dict[str, float]:
        """As results.json has it."""
        return {
            "sequences": self.sequences,
            "subwords": self.subwords,
            "subwords_with_entity": self.found,
            "mean_with_entity": self.found / max(1, self.sequences),
        }


def coverage_of(features: Sequence[Features]) -> Coverage:
    """Of sequences with `knowledge`."""
    sequences = [one for item in features for one in item.alternatives]
    subwords = sum(int((one.knowledge >= NO_ENTITY).sum()) for one in sequences if one.knowledge is not None)
    with_entity = sum(int((one.knowledge >= 0).sum()) for one in sequences if one.knowledge is not None)
    return Coverage(len(sequences), subwords, with_entity)
