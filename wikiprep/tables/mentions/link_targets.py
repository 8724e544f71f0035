"""Where the targets of links lead, for counting names: to a page that can be meant, or nowhere, by reason."""

from collections.abc import Sequence
from dataclasses import dataclass

import numpy as np
import numpy.typing as npt

from wikiprep.tables.mentions.normalize import EMPTY, NO_LETTER_OR_DIGIT, TOO_LONG, UNWRITABLE
from wikiprep.tables.schema import (
    DISAMBIGUATION,
    ENDS_ELSEWHERE,
    ENDS_MISSING,
    REDIRECT,
    RESOLVED,
    STATUSES,
    IsMain,
)
from wikiprep.tables.title_lookup import TitleTable

KEPT = ""
# What the reasons of `ResolvedTargets` and `normalize.refusal` mean
NOT_MEANT = {
    "other_namespace": "It leads to what is no article.",
    "missing": "The dump lacks the page; --vocab-targets linked counts it.",
    "disambiguation": "It leads to a disambiguation page, without --keep-disambiguation.",
    "unresolved_other_namespace": "It leads to a redirect to what is no article.",
    "unresolved_loop": "It leads to a redirect in a circle.",
    "unresolved_self": "It leads to a redirect to itself.",
    "unresolved_interwiki": "It leads to a redirect to another wiki.",
    "unresolved_special": "It leads to a redirect to a special page.",
    "unresolved_invalid": "It leads to a redirect to what is no title.",
    EMPTY: "The name is white space alone.",
    NO_LETTER_OR_DIGIT: "The name has no letter and no digit.",
    UNWRITABLE: "The name has a character that no table can hold.",
    TOO_LONG: "The name is longer than 1,000 characters.",
}


@dataclass(frozen=True, slots=True)
class Rules:
    """What can be meant. `disambiguation`: pages of that kind too. `missing`: titles without a page in the dump too."""

    disambiguation: bool = False
    missing: bool = False

    @property
    def kinds(self) -> tuple[str, ...]:
        """The kinds of pages whose text and links count."""
        return ("article", "disambiguation") if self.disambiguation else ("article",)


@dataclass(frozen=True, slots=True)
class ResolvedTargets:
    """For each target its end as a title number (-1: a title that the table lacks) and why it is dropped (KEPT: not).

    Reasons: other_namespace, missing, disambiguation, and unresolved_STATUS for a redirect that ends nowhere.
    """

    number: npt.NDArray[np.int32]
    reason: list[str]

    @property
    def leads_to_page(self) -> npt.NDArray[np.bool_]:
        """Which targets lead to a page that can be meant."""
        return np.fromiter((reason == KEPT for reason in self.reason), np.bool_, len(self.reason))


class LinkTargetResolver:
    """Finds where link targets and title numbers lead, redirects followed, by `rules`."""

    def __init__(self, titles: TitleTable, is_main: IsMain, rules: Rules) -> None:
        self._titles, self._is_main, self._rules = titles, is_main, rules

    def targets(self, targets: Sequence[str]) -> ResolvedTargets:
        """LinkTargets of normalised titles."""
        resolved = self.numbers(self._titles.of_targets(list(targets))[0])
        for place in np.flatnonzero(resolved.number < 0).tolist():
            if resolved.reason[place] == "missing" and not self._is_main(targets[place]):
                resolved.reason[place] = "other_namespace"
            elif resolved.reason[place] == "missing" and self._rules.missing:
                resolved.reason[place] = KEPT
        return resolved

    def numbers(self, numbers: npt.NDArray[np.int32]) -> ResolvedTargets:
        """LinkTargets of title numbers; a number of -1 is a missing title, whatever the rules."""
        titles = self._titles
        is_known = numbers >= 0
        at = np.where(is_known, numbers, 0)
        if not len(titles):
            return ResolvedTargets(np.full(len(numbers), -1, np.int32), ["missing"] * len(numbers))
        status, final = titles.status_of[at], titles.final_of[at]
        kind = titles.kind_of[np.maximum(final, 0)]
        via_redirect = titles.kind_of[at] == REDIRECT
        reasons = np.array([f"unresolved_{word}" for word in STATUSES], dtype=object)[status]
        reasons[~via_redirect & (status == ENDS_ELSEWHERE)] = "other_namespace"
        reasons[status == ENDS_MISSING] = KEPT if self._rules.missing else "missing"
        reasons[status == RESOLVED] = KEPT
        if not self._rules.disambiguation:
            reasons[(status == RESOLVED) & (kind == DISAMBIGUATION)] = "disambiguation"
        reasons[~is_known] = "missing"
        return ResolvedTargets(np.where(is_known & (reasons == KEPT), final, -1).astype(np.int32), reasons.tolist())
