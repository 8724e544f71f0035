"""From the target of a link, as written, to its entity: redirects first, then the vocabulary."""

from collections.abc import Callable
from dataclasses import dataclass
from pathlib import Path

from wikiprep.files import Store
from wikiprep.tables.redirect_map import REDIRECT_MAP, RedirectMap
from wikiprep.tables.titles import TITLE_ARRAYS, TITLE_TRIE, TitleTable
from wikiprep.tables.vocabulary import VOCABULARY_FILES, EntityVocab

_ENDS = ("article", "disambiguation", "missing")


@dataclass(frozen=True, slots=True)
class Resolver:
    """`end` follows redirects to the last title (None: nowhere); `one_hop` as the published code does."""

    vocabulary: EntityVocab
    end: Callable[[str], str | None]
    one_hop: Callable[[str], str]

    def entity_id(self, target: str) -> int | None:
        """The entity that a link means, None outside the vocabulary."""
        title = self.end(target)
        return None if title is None else self.vocabulary.id(title)


def open_resolver(store: Store) -> Resolver:
    """The resolver of an output, memory-mapped."""
    folder = _fetched(store, VOCABULARY_FILES)
    vocabulary = EntityVocab.open(folder)
    if store.size(f"tables/{REDIRECT_MAP}") is not None:
        redirects = RedirectMap.open(_fetched(store, (REDIRECT_MAP,)))
        return Resolver(vocabulary, redirects.end, redirects.one_hop)
    titles = TitleTable.open(_fetched(store, (TITLE_TRIE, TITLE_ARRAYS)))

    def end(target: str) -> str | None:
        found = titles.resolve(target)
        return found.title if found.status in _ENDS else None

    return Resolver(vocabulary, end, titles.one_hop)


def _fetched(store: Store, names: tuple[str, ...]) -> Path:
    paths = [store.fetch(f"tables/{name}") for name in names]
    return paths[0].parent
