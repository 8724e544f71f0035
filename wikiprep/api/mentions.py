"""What names mean in a corpus, and entity spans for any text: the mention table, with the annotator on top of it."""

from collections.abc import Sequence
from pathlib import Path
from typing import TYPE_CHECKING, cast, overload

from wikiprep.errors import UsageError
from wikiprep.files import Store
from wikiprep.tables.mentions.mention_table import MIN_LINK_PROBABILITY, Candidate, MentionTable, NameCounts

if TYPE_CHECKING:
    from wikiprep.annotate.annotator import Annotator, Rule, Span
    from wikiprep.tables.mentions.detect import Detected

Blocked = Sequence[tuple[int, int]]


class Mentions:
    """Names and the pages that they can mean, by the counts of a build with `--mentions` (docs/mentions.md).

    Memory-mapped: opened at once, and one copy a machine, however many processes. Not for several threads at once.
    """

    def __init__(self, store: Store) -> None:
        self._store = store
        self._table = MentionTable.open(store)
        self._annotators: dict[Rule, Annotator] = {}

    def __reduce__(self) -> tuple[type["Mentions"], tuple[Store]]:
        return Mentions, (self._store,)

    def __repr__(self) -> str:
        return f"<Mentions of {self._store.url}: {len(self):,} names>"

    def __len__(self) -> int:
        """How many names there are."""
        return len(self._table)

    def __contains__(self, name: object) -> bool:
        return isinstance(name, str) and self.counts(name) is not None

    def counts(self, name: str, *, folded: bool = False) -> NameCounts | None:
        """The raw counts of a name; None for an unknown one.

        `folded`: of all its forms together, whatever the case, quotes and hyphens. Without, the answer's `name` says
        which form was found where the one asked for is none.
        """
        return self._table.counts(name, folded=folded)

    def candidates(self, name: str, k: int | None = None, *, folded: bool = False) -> list[Candidate]:
        """At most `k` pages that a name can mean, the most linked first; none for an unknown name.

        The page whose own title the name is stays among them whatever its counts (from k = 2 on).
        """
        return self._table.candidates(name, k, folded=folded)

    def forms(self, name: str) -> list[NameCounts]:
        """Every name that differs in case, quotes, hyphens and the like, the most frequent in text first."""
        return self._table.forms(name)

    def near(self, name: str) -> list[str]:
        """Up to three names that are nearly the same: for who mistyped one."""
        return self._table.names.near(name)

    def prior(self, name: str, title: str, *, folded: bool = False) -> float:
        """The share of a name's links that lead to the page `title`; 0 where it is no candidate."""
        return self._table.prior(name, title, folded=folded)

    def link_probability(self, name: str, *, folded: bool = False) -> float:
        """Pages where the name is linked / pages where it occurs; 0 for an unknown name."""
        return self._table.link_probability(name, folded=folded)

    def entropy(self, name: str, *, folded: bool = False) -> float:
        """Of the name's links over its candidates, in [0, 1]: 0 one meaning, 1 all equally common."""
        return self._table.entropy(name, folded=folded)

    def detect(
        self,
        text: str,
        *,
        min_link_probability: float = MIN_LINK_PROBABILITY,
        min_prior: float = 0.0,
        k: int | None = 10,
        folded: bool = False,
        blocked: Blocked = (),
    ) -> "list[Detected]":
        """The names in a text with what they can mean, in order of place; the longest match, left to right.

        `min_link_probability`: names that are linked on a smaller share of the pages where they occur are left alone.
        `min_prior`: candidates with a lower one are left out. `k`: candidates at most. `blocked`: spans to keep clear
        of.
        """
        _check_shares(min_link_probability=min_link_probability, min_prior=min_prior)
        return self._table.detect(
            text, min_link_probability, min_prior=min_prior, k=k, folded=folded, blocked=list(blocked)
        )

    @overload
    def annotate(
        self, text: str, *, page: str | int | None = ..., blocked: Blocked = ..., min_link_probability: float = ...,
        min_prior: float = ..., subject: bool = ..., by_prior: bool = ..., folded: bool = ..., match_case: bool = ...,
        names: str | Path | None = ..., candidates: int = ...,
    ) -> "list[Span]": ...  # fmt: skip

    @overload
    def annotate(
        self, text: list[str] | tuple[str, ...], *, page: str | int | None = ..., blocked: Sequence[Blocked] = ...,
        min_link_probability: float = ..., min_prior: float = ..., subject: bool = ..., by_prior: bool = ...,
        folded: bool = ..., match_case: bool = ..., names: str | Path | None = ...,
        candidates: int = ...,
    ) -> "list[list[Span]]": ...  # fmt: skip

    def annotate(
        self,
        text: str | list[str] | tuple[str, ...],
        *,
        page: str | int | None = None,
        blocked: "Blocked | Sequence[Blocked]" = (),
        min_link_probability: float = MIN_LINK_PROBABILITY,
        min_prior: float = 0.0,
        subject: bool = False,
        by_prior: bool = False,
        folded: bool = False,
        match_case: bool = False,
        names: str | Path | None = None,
        candidates: int = 0,
    ) -> "list[Span] | list[list[Span]]":
        """Entity spans of a text, in order of place, none over another; of several texts, a list for each.

        `page`: the page of the corpus that the text is from, by title or page id: its names are what it links. Without
        one that the corpus has, each name means what links on it mean most often. The other options are those of
        `wikiprep annotate` (docs/annotate.md). A page's names cost some tens of ms and are kept: put texts of a page
        together.

        Raises WikiprepError for a share outside [0, 1] and for a file of `names` that is none.
        """
        from wikiprep.annotate.annotator import Rule

        names_path = None if names is None else str(names)
        rule = Rule(min_link_probability, min_prior, subject, by_prior, folded, match_case, names_path, candidates)
        annotator = annotator_of(self, rule)
        page_id = annotator.page_id(page)
        if isinstance(text, str):
            return annotator.annotate([text], page_id, [list(cast(Blocked, blocked))])[0]
        blocked_spans = [list(its) for its in cast(Sequence[Blocked], blocked)]
        return annotator.annotate(text, page_id, blocked_spans or None)


def annotator_of(mentions: Mentions, rule: "Rule") -> "Annotator":
    """What `annotate` does it with, kept for as long as `mentions` is. Raises UsageError for a share outside [0, 1]."""
    from wikiprep.annotate.annotator import Annotator

    annotators = mentions._annotators
    if rule not in annotators:
        _check_shares(min_link_probability=rule.min_link_probability, min_prior=rule.min_prior)
        annotators[rule] = Annotator(mentions._store, rule, mentions._table)
    return annotators[rule]


def _check_shares(**shares: float) -> None:
    for name, value in shares.items():
        if not 0 <= value <= 1:
            raise UsageError(f"{name} = {value} is no probability", "give a number from 0 to 1")
