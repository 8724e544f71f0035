"""What is masked, drawn and predicted: the options of the objective; which are published is in docs/spot-model.md."""

from dataclasses import dataclass

from wikiprep.errors import UsageError
from wikiprep.options.option_fields import check_all, option

DRAWN, MEAN = SEVERAL = ("drawn", "mean")
PER_ENTITY, PER_TOKEN = REPLACEMENT_UNITS = ("entity", "token")


@dataclass(frozen=True, kw_only=True)
class Objective:
    """Table `[objective]`. Shares are of a record's tokens or mentions."""

    token_share: float = option(
        0.10, "Single tokens that are predicted, beside those of the chosen mentions.", minimum=0, maximum=1
    )
    entity_share: float = option(0.20, "Mentions that are, all tokens of each.", minimum=0, maximum=1)
    mask_share: float = option(0.8, "Of what is chosen: these become the mask.", minimum=0, maximum=1)
    random_share: float = option(0.1, "And these other tokens; the rest stay as they are.", minimum=0, maximum=1)
    replacement_unit: str = option(
        PER_ENTITY,
        "entity: one draw of the three for a mention. token: one for each of its tokens.",
        choices=REPLACEMENT_UNITS,
    )
    single_tokens_in_mentions: bool = option(True, "false: single tokens are drawn outside of all mentions.")
    negatives: int = option(1, "Spans that are no mention, for each mention.", minimum=0)
    negative_width: int = option(8, "Tokens of such a span at most.", minimum=1)
    negatives_overlap: bool = option(True, "It may share tokens with a mention, if it is not one.")
    unk_targets: bool = option(False, "Mentions outside the vocabulary are predicted as [UNK].")
    several_properties: str = option(
        DRAWN, "Of a pair: drawn: one of them, for each epoch. mean: of their losses.", choices=SEVERAL
    )
    pairs_of_record: int = option(
        256, "Pairs with a relation that are learned from at most, drawn for each epoch.", minimum=1
    )

    def __post_init__(self) -> None:
        """Raises UsageError for a value that cannot be."""
        check_all(self, "objective")
        if self.mask_share + self.random_share > 1:
            raise UsageError(
                f"objective.mask_share + random_share = {self.mask_share + self.random_share}",
                "together they take at most 1: the rest of what is chosen stays as it is",
            )
