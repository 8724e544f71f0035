"""From the target of a link, as written, to its entity: redirects first, then the vocabulary.

Redirects of annotated text are a memory-mapped table of titles; a dump's are in the title table.
"""

from collections.abc import Callable, Iterable
from dataclasses import dataclass
from pathlib import Path
from typing import Any

import marisa_trie

from wikiprep.files import Store
from wikiprep.tables.carried_links import CARRIED_MAP, CarriedLinks
from wikiprep.tables.entity_vocab import VOCAB_ARRAYS, VOCAB_TRIE, EntityVocab
from wikiprep.tables.title_lookup import TITLE_ARRAYS, TITLE_TRIE, TitleTable

REDIRECT_MAP = "redirects.marisa"
_LEADS_TO_A_PAGE = ("article", "disambiguation", "missing")


def build_redirect_map(pairs: Iterable[tuple[str, str]], out_dir: Path) -> int:
    """Write REDIRECT_MAP from (source, target) pairs; the first pair of a source counts. Returns how many there are."""
    targets: dict[str, str] = {}
    for source, target in pairs:
        targets.setdefault(source, target)
    marisa_trie.BytesTrie((s, t.encode()) for s, t in sorted(targets.items())).save(str(out_dir / REDIRECT_MAP))
    return len(targets)


class RedirectMap:
    """Look-ups in REDIRECT_MAP."""

    def __init__(self, trie: Any) -> None:
        self._trie = trie

    @classmethod
    def open(cls, folder: Path) -> "RedirectMap":
        """Map the file in `folder`."""
        trie = marisa_trie.BytesTrie()
        trie.mmap(str(folder / REDIRECT_MAP))
        return cls(trie)

    def one_hop(self, title: str) -> str:
        """Where a redirect leads; any other title as it is."""
        values = self._trie.get(title)
        target: str = values[0].decode() if values else title
        return target

    def end(self, title: str) -> str | None:
        """The end of the chain, or None in a loop."""
        seen = {title}
        while (target := self.one_hop(title)) != title:
            if target in seen:
                return None
            seen.add(target)
            title = target
        return title


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


def open_titles(store: Store) -> TitleTable:
    """The title table of an output, memory-mapped."""
    return TitleTable.open(title_folder(store))


def title_folder(store: Store) -> Path:
    """A local folder with the title table's files."""
    return _fetch_tables(store, (TITLE_TRIE, TITLE_ARRAYS))


def open_resolver(store: Store) -> Resolver:
    """The resolver of an output, memory-mapped."""
    vocabulary = EntityVocab.open(_fetch_tables(store, (VOCAB_TRIE, VOCAB_ARRAYS)))
    if store.size(f"tables/{CARRIED_MAP}") is not None:
        carried = CarriedLinks.open(_fetch_tables(store, (CARRIED_MAP,)))
        return Resolver(vocabulary, carried.entity, _carried_one_hop(carried, vocabulary))
    if store.size(f"tables/{REDIRECT_MAP}") is not None:
        redirects = RedirectMap.open(_fetch_tables(store, (REDIRECT_MAP,)))
        return Resolver(vocabulary, redirects.end, redirects.one_hop)
    titles = open_titles(store)

    def end(target: str) -> str | None:
        resolved = titles.resolve(target)
        return resolved.title if resolved.status in _LEADS_TO_A_PAGE else None

    return Resolver(vocabulary, end, titles.direct)


def _carried_one_hop(carried: CarriedLinks, vocabulary: EntityVocab) -> Callable[[str], str]:
    def one_hop(target: str) -> str:
        """A lost target stays what it is, unless that would be another entity's title."""
        return carried.entity(target) or (target if vocabulary.id(target) is None else "")

    return one_hop


def _fetch_tables(store: Store, names: tuple[str, ...]) -> Path:
    paths = [store.fetch(f"tables/{name}") for name in names]
    return paths[0].parent
