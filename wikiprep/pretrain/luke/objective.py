"""What is masked and predicted: the options of the objective, as published unless another value is given."""

from dataclasses import dataclass

from wikiprep.errors import UsageError
from wikiprep.options.option_fields import check_all, option

WORD_MASKING = ("whole-word", "subword")


@dataclass(frozen=True, kw_only=True)
class Objective:
    """Table `[objective]`. Shares are of a record's tokens or entities; docs/luke-model.md has their sources."""

    word_masking: str = option(
        "whole-word",
        "whole-word: a word begins after a space, at ASCII punctuation, and with a sentence. subword: each by itself; "
        "for languages without spaces, where a word would be long.",
        choices=WORD_MASKING,
    )
    word_share: float = option(0.15, "Of subwords that are chosen to be predicted.", minimum=0, maximum=1)
    mask_share: float = option(0.8, "Of the chosen words: these become the mask.", minimum=0, maximum=1)
    random_share: float = option(
        0.1, "And these other tokens; the rest stay as they are, and are predicted too.", minimum=0, maximum=1
    )
    entity_share: float = option(0.15, "Of entities that are chosen to be predicted.", minimum=0, maximum=1)
    random_entity_prob: float = option(
        0.0,
        "Of the chosen entities: another stands in their place, drawn from all but special ones.",
        minimum=0,
        maximum=1,
    )
    unmasked_entity_prob: float = option(
        0.0, "And these stay as they are; the rest become [MASK].", minimum=0, maximum=1
    )
    mask_entity_words: bool = option(False, "The words of a masked entity are masked too, and predicted.")
    unk_targets: bool = option(True, "[UNK] is masked and predicted like an entity, as in the published run.")
    entity_weights: str = option(
        "uniform",
        "How likely an entity is chosen: uniform, or by links or degree (different items that its item has triples "
        "with), or a file of numpy's with one number an entity id.",
    )
    entity_exponent: float = option(
        -0.5,
        "Of (1 + links) or of (1 + degree): under 0 chooses rare entities more often.",
        minimum=-1000,
        maximum=1000,
    )
    word_weights: str = option("", "Likewise of words: a file of kg-weights, or of numpy's with one number a token id.")

    def __post_init__(self) -> None:
        """Raises UsageError for a value that cannot be."""
        check_all(self, "objective")
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
