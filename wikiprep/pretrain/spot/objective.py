"""What is masked, drawn and predicted: the options of the objective; which are published is in docs/spot-model.md."""

from dataclasses import dataclass

from wikiprep.errors import UsageError

DRAWN, MEAN = SEVERAL = ("drawn", "mean")
PER_ENTITY, PER_TOKEN = REPLACEMENT_UNITS = ("entity", "token")


@dataclass(frozen=True)
class Objective:
    """Shares are of a record's tokens or mentions."""

    token_share: float = 0.10  # single tokens, beside those of the chosen mentions
    entity_share: float = 0.20  # mentions, all tokens of each
    mask_share: float = 0.8  # of what is chosen: these become <mask>
    random_share: float = 0.1  # and these other tokens; the rest stay as they are
    replacement_unit: str = PER_ENTITY  # one draw of the three for a mention, or "token": one for each of its tokens
    single_tokens_in_mentions: bool = True  # false: single tokens are drawn outside of all mentions
    negatives: int = 1  # spans that are no mention, for each mention
    negative_width: int = 8  # tokens of such a span at most
    negatives_overlap: bool = True  # it may share tokens with a mention, if it is not one
    unk_targets: bool = False  # mentions outside the vocabulary are predicted as [UNK]
    several_properties: str = DRAWN  # of a pair: one of them, drawn for each epoch, or the "mean" of their losses
    pairs_of_record: int = 256  # pairs with a relation that are learned from at most, drawn for each epoch

    def __post_init__(self) -> None:
        """Raises UsageError for a value that cannot be."""
        for name in ("token_share", "entity_share", "mask_share", "random_share"):
            if not 0 <= getattr(self, name) <= 1:
                raise UsageError(f"objective.{name} = {getattr(self, name)}", "it takes a share, 0 to 1")
        if self.mask_share + self.random_share > 1:
            raise UsageError(
                f"objective.mask_share + random_share = {self.mask_share + self.random_share}",
                "together they take at most 1: the rest of what is chosen stays as it is",
            )
        for name, known in (("several_properties", SEVERAL), ("replacement_unit", REPLACEMENT_UNITS)):
            if getattr(self, name) not in known:
                raise UsageError(f"objective.{name} = {getattr(self, name)!r}", f"it takes {' or '.join(known)}")
        for name, least in (("negatives", 0), ("negative_width", 1), ("pairs_of_record", 1)):
            if getattr(self, name) < least:
                raise UsageError(f"objective.{name} = {getattr(self, name)}", f"the least is {least}")
