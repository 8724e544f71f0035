"""What is masked and predicted: the options of the objective, as published unless another value is given."""

import math
from dataclasses import dataclass

from wikiprep.errors import UsageError

WORD_MASKING = ("whole-word", "subword")


@dataclass(frozen=True)
class Objective:
    """Shares are of a record's tokens or entities; see docs/luke-model.md for what each option does."""

    word_masking: str = "whole-word"
    word_share: float = 0.15
    mask_share: float = 0.8  # of the chosen words: these become <mask>
    random_share: float = 0.1  # and these other tokens; the rest stay as they are
    entity_share: float = 0.15
    random_entity_prob: float = 0.0  # of the chosen entities: another stands in their place, drawn from all
    unmasked_entity_prob: float = 0.0  # and these stay as they are; the rest become [MASK]
    mask_entity_words: bool = False  # the words of a masked entity are masked too, and predicted
    unk_targets: bool = True  # [UNK] is masked and predicted like an entity, as in the published run
    entity_weights: str = "uniform"  # or "links", "degree", or a file of numpy's with one number an entity id
    entity_exponent: float = -0.5  # of (1 + links) or of (1 + degree): under 0 masks rare entities more often
    word_weights: str = ""  # file of kg-weights, or of numpy's with one number a token id

    def __post_init__(self) -> None:
        """Raises UsageError for a share outside [0, 1] and for an unknown kind of masking."""
        for name in (
            *("word_share", "mask_share", "random_share", "entity_share"),
            *("random_entity_prob", "unmasked_entity_prob"),
        ):
            if not 0 <= getattr(self, name) <= 1:
                raise UsageError(f"objective.{name} = {getattr(self, name)}", "it takes a share, 0 to 1")
        if self.mask_share + self.random_share > 1:
            raise UsageError(
                f"objective.mask_share + random_share = {self.mask_share + self.random_share}",
                "together they take at most 1: the rest of the chosen words stay as they are",
            )
        if self.random_entity_prob + self.unmasked_entity_prob > 1:
            raise UsageError(
                f"objective.random_entity_prob + unmasked_entity_prob = "
                f"{self.random_entity_prob + self.unmasked_entity_prob}",
                "together they take at most 1: the rest of the chosen entities become [MASK]",
            )
        if not (self.word_share or self.entity_share):
            raise UsageError("objective.word_share and entity_share are both 0", "there would be nothing to learn")
        if not math.isfinite(self.entity_exponent):
            raise UsageError(f"objective.entity_exponent = {self.entity_exponent}", "it takes a finite number")
        if self.word_masking not in WORD_MASKING:
            raise UsageError(f"objective.word_masking = {self.word_masking!r}", f"takes {' or '.join(WORD_MASKING)}")
