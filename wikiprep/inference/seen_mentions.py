"""What a model sees of the links of a text: its own entities, and what stands for those that it does not know.

The paper has `[UNK]` for an entity outside the vocabulary. `[MASK]` says that there is an entity and not which one, so
that its vector comes from the words.
"""

from collections import Counter
from collections.abc import Sequence
from dataclasses import dataclass, replace

from wikiprep.pretrain.trained import BadText, MarkedText, Trained
from wikiprep.tables.titles_to_vocabulary import Carrier, TitleSource

UNK, MASK, REJECT = "unk", "mask", "reject"
UNKNOWN = (UNK, MASK, REJECT)
NOT_GIVEN, NOT_KNOWN = "not_given", "unknown"
_STANDS_FOR = {UNK: "[UNK]", MASK: "[MASK]"}


@dataclass(frozen=True)
class SeenMention:
    """A mention as the model sees it.

    `target`, the title (or else the item) that the text gives, `entity`, the title there, `way`, by what it was found:
    as `titles_to_vocabulary.EntityMatch` has it, or NOT_KNOWN, or NOT_GIVEN.
    """

    target: str | None
    entity: str
    way: str


class MentionResolver:
    """Resolves the links of texts for one model. `unknown`: one of UNKNOWN. `source`: whose titles the links have."""

    def __init__(self, trained: Trained, unknown: str, source: TitleSource | None = None) -> None:
        self._trained, self._unknown = trained, unknown
        self._carrier = trained.carrier(source) if trained.entities else None

    def resolve(self, text: MarkedText) -> tuple[MarkedText, tuple[SeenMention, ...]]:
        """The text with the model's own titles. Raises BadText for an unknown entity with REJECT.

        A model without entities sees none: titles are left out.
        """
        if self._carrier is None:
            return MarkedText(text.text, text.spans, (None,) * len(text.spans)), ()
        qids = text.qids or (None,) * len(text.spans)
        seen = tuple(
            self._resolve_link(self._carrier, title, qid) for title, qid in zip(text.titles, qids, strict=True)
        )
        titles = tuple(None if one.entity == _STANDS_FOR[MASK] else one.entity for one in seen)
        return replace(text, titles=titles, qids=()), seen

    def _resolve_link(self, carrier: Carrier, title: str | None, qid: str | None) -> SeenMention:
        if title is None and qid is None:
            return SeenMention(None, _STANDS_FOR[MASK], NOT_GIVEN)
        match = carrier.find(title, qid)
        if match is not None:
            return SeenMention(title or qid, match.title, match.way)
        if self._unknown == REJECT:
            raise BadText(f"the entity {title or qid!r} is not in the model's vocabulary")
        return SeenMention(title or qid, _STANDS_FOR[self._unknown], NOT_KNOWN)


def ways(seen: Sequence[SeenMention]) -> Counter[str]:
    """How many links were found which way; mentions without a link are not counted."""
    return Counter(one.way for one in seen if one.way != NOT_GIVEN)


def in_words(links: Counter[str], unknown: str) -> str:
    """The sum for people; "" where there was no link."""
    if not links.total():
        return ""
    known_text = ", ".join(f"{count:,} by {way}" for way, count in sorted(links.items()) if way != NOT_KNOWN)
    unknown_text = f"{links[NOT_KNOWN]:,} are no entities of the model and stand as {_STANDS_FOR.get(unknown)}"
    parts = [part for part in (known_text, unknown_text if links[NOT_KNOWN] else "") if part]
    return f"links: {links.total():,} ({'; '.join(parts)})"
