"""Redirects of annotated text: title -> title, memory-mapped. A dump's redirects are in the title table instead."""

from collections.abc import Iterable
from pathlib import Path
from typing import Any

import marisa_trie

REDIRECT_MAP = "redirects.marisa"


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
