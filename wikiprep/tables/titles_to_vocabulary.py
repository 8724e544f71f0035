"""Titles of one dump as entities of another's vocabulary: by QID, then title, then redirect, else lost.

Where both sides know an item, the item decides, also against an equal title (two towns of one name). This is the one
rule by which links, mentions and rows of another model's entity table find their entities.
"""

from collections.abc import Callable, Mapping
from dataclasses import dataclass
from functools import cached_property
from typing import Protocol

BY_QID, BY_TITLE, BY_REDIRECT, LOST = WAYS = ("qid", "title", "redirect", "lost")
_SPECIALS = ("[PAD]", "[UNK]", "[MASK]", "[MASK2]")


@dataclass(frozen=True)
class EntityMatch:
    """An entity of the vocabulary: its title there, and by what it was found: BY_QID, BY_TITLE or BY_REDIRECT."""

    title: str
    way: str


def ways_in_words(counts: Mapping[str, int]) -> str:
    """The sum and its parts, for people."""
    total = sum(counts.get(way, 0) for way in WAYS)
    parts = (f"{counts[way]:,} {'lost' if way == LOST else f'by {way}'}" for way in WAYS if counts.get(way))
    return f"{total:,} links to entities ({', '.join(parts)})"


class TitleSource(Protocol):
    """What the dump that titles are from says of them; see `title_source.py`."""

    def end(self, title: str) -> str:
        """Where its redirects lead from a title; the title itself where it is none."""
        ...

    def qid(self, title: str) -> str | None:
        """The Wikidata item of a title's page, redirects followed."""
        ...


class Carrier:
    """Finds entities of one vocabulary.

    `ids` and `qids` by title, `redirects` (title -> title at the chain's end) of its own dump, asked for at the first
    title that is no entity.

    `source`: of which dump the titles are that are looked up; None: nothing more is known of them.
    """

    def __init__(
        self,
        ids: Mapping[str, int],
        qids: Mapping[str, str],
        redirects: Callable[[], Mapping[str, str]],
        source: TitleSource | None = None,
    ) -> None:
        self._ids, self._qids, self._read_redirects, self._source = ids, qids, redirects, source

    def find(self, title: str | None, qid: str | None = None) -> EntityMatch | None:
        """The entity that a link's title or item means; None: lost. Underscores of a title are spaces too."""
        names = [] if title is None else list(dict.fromkeys((title, title.replace("_", " "))))
        if qid is None and self._source is not None:
            qid = next((item for name in names if (item := self._source.qid(name))), None)
        if qid is not None and (title_of_item := self._title_of_qid.get(qid)) is not None:
            return EntityMatch(title_of_item, BY_QID)
        for name in names:
            if name in self._ids:
                return EntityMatch(name, BY_TITLE) if self._is_compatible(name, qid) else None
        for name in names:
            for end in self._redirect_ends(name):
                if end in self._ids:
                    return EntityMatch(end, BY_REDIRECT) if self._is_compatible(end, qid) else None
        moved_title = self._by_shared_target(names, qid) if self._source is not None else None
        return (
            EntityMatch(moved_title, BY_REDIRECT)
            if moved_title is not None and self._is_compatible(moved_title, qid)
            else None
        )

    def _is_compatible(self, name: str, qid: str | None) -> bool:
        return qid is None or self._qids.get(name, qid) == qid

    def _redirect_ends(self, name: str) -> list[str]:
        """Where the redirects of either dump lead, those of one behind those of the other too."""
        source_end = name if self._source is None else self._source.end(name)
        own_ends = (self._redirects.get(name), self._redirects.get(source_end))
        return [end for end in (source_end, *own_ends) if end is not None and end != name]

    def _by_shared_target(self, names: list[str], qid: str | None) -> str | None:
        """The entity whose title is a redirect to the same page in the dump of the titles, as after a move."""
        assert self._source is not None
        by_end, by_item = self._titles_in_source
        found_titles = (by_end.get(self._source.end(name)) for name in names)
        entity_title = next((title for title in found_titles if title is not None), None)
        return entity_title if entity_title is not None or qid is None else by_item.get(qid)

    @cached_property
    def _titles_in_source(self) -> tuple[dict[str, str], dict[str, str]]:
        """Entities by the title and by the item that the source has for their title; of several the lowest id."""
        assert self._source is not None
        by_end: dict[str, str] = {}
        by_item: dict[str, str] = {}
        for title, _ in sorted(self._ids.items(), key=lambda item: item[1]):
            if title in _SPECIALS:
                continue
            by_end.setdefault(self._source.end(title), title)
            item = self._source.qid(title)
            if item is not None and title not in self._qids:
                by_item.setdefault(item, title)
        return by_end, by_item

    @cached_property
    def _title_of_qid(self) -> dict[str, str]:
        return {qid: title for title, qid in self._qids.items()}

    @cached_property
    def _redirects(self) -> Mapping[str, str]:
        return self._read_redirects()
