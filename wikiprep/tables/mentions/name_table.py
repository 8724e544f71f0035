"""Names and their numbers, memory-mapped: one copy a machine, microseconds a look-up.

A name's id is its row in any per-name table beside this one. Ids depend on the set of names only: they are those of the
trie. Two files: the trie, and hashes for finding names in text (`finder.py`). A table over folded forms is another
table of the same kind, and says so.
"""

from collections.abc import Callable, Iterable, Iterator
from itertools import islice
from pathlib import Path
from typing import Any

import numpy as np
import numpy.typing as npt

from wikiprep.storage.memory_maps import build_trie, open_trie
from wikiprep.suggestions import nearest
from wikiprep.tables.mentions.name_hashes import Ids, NameHashes, write_hashes
from wikiprep.tables.mentions.normalize import folded_name, is_writable, normal_name
from wikiprep.tables.mentions.tokens import Chars, Places, code_points
from wikiprep.tables.title_graph import numbers_of

_CHUNK = 100_000
_BEGINNING, _LOOKED_AT = 4, 50_000  # letters that near names share, and how many such are looked at


def name_files(*, folded: bool = False) -> tuple[str, str]:
    """The files of a table, trie first."""
    stem = "folded_names" if folded else "names"
    return f"{stem}.marisa", f"{stem}.hashes.arrow"


class NameTable:
    """Names in normal form, or in folded form where `folded`, with ids from 0."""

    def __init__(self, trie: Any, hashes: NameHashes, *, folded: bool) -> None:
        self._trie = trie
        self.hashes = hashes
        self.folded = folded

    @classmethod
    def open(cls, folder: str | Path, *, folded: bool = False) -> "NameTable":
        """Map the table of `folder`. Raises WikiprepError if it is missing or not whole."""
        trie, hashes = (Path(folder) / file for file in name_files(folded=folded))
        return cls(open_trie(trie), NameHashes.open(hashes), folded=folded)

    def __len__(self) -> int:
        return len(self._trie)

    def form(self, text: str) -> str:
        """`text` as this table holds it."""
        return folded_name(text) if self.folded else normal_name(text)

    def id(self, name: str) -> int | None:
        """The id of a name in this table's form, None where the table lacks it."""
        if not is_writable(name):
            return None
        number: int = self._trie.get(name, -1)
        return number if number >= 0 else None

    def ids(self, names: list[str]) -> npt.NDArray[np.int32]:
        """Ids of many names in this table's form, -1 for unknown ones."""
        if is_writable("".join(names)):
            return numbers_of(self._trie, names)
        return np.array([-1 if (number := self.id(name)) is None else number for name in names], np.int32)

    def name(self, number: int) -> str:
        """The name of an id. Raises KeyError for an id that the table lacks."""
        name: str = self._trie.restore_key(number)
        return name

    def near(self, name: str) -> list[str]:
        """Up to three names that are nearly `name`, and begin as it does, the nearest first: for hints."""
        form = self.form(name)
        start = form[: max(1, min(_BEGINNING, len(form) // 2))]
        if not start or not is_writable(start):
            return []
        return nearest(form, islice(self._trie.iterkeys(start), _LOOKED_AT))

    def names(self, numbers: Iterable[int]) -> list[str]:
        """Names of many ids."""
        return list(map(self._trie.restore_key, numbers))


def build_names(folder: str | Path, names: Iterable[str], *, folded: bool = False) -> int:
    """Write the table of the distinct `names`, given in normal form (in folded form where `folded`); their number.

    The order of `names` does not matter, and a repeated one counts once. Raises ValueError for other forms. In memory:
    about 112 bytes a name for the trie, and 90 for the hashes when the trie is done.
    """
    trie_path, hashes_path = (Path(folder) / file for file in name_files(folded=folded))
    size = build_trie(names, trie_path)
    trie = open_trie(trie_path)

    def chunks() -> Iterator[list[str]]:
        for start in range(0, size, _CHUNK):
            chunk = list(map(trie.restore_key, range(start, min(size, start + _CHUNK))))
            _check(chunk, folded_name if folded else normal_name)
            yield chunk

    write_hashes(hashes_path, size, chunks)
    return size


def _check(names: list[str], form: Callable[[str], str]) -> None:
    joined = " ".join(names)
    if form(joined) != joined or not is_writable(joined):
        wrong = [name for name in names if not name or not is_writable(name) or form(name) != name]
        raise ValueError(f"a name is not in the form of {form.__name__}: {wrong[:1]}")


_ROOM = 1 << 21  # characters kept


class Spellings:
    """Says whether a span of text spells the name it is taken for: by characters, many spans at a time.

    The trie gives a name for its id in a microsecond, and few names make up most of any text; so the last ones asked
    for are kept as one array of code points, at most some 12 MB, and most spans are compared without asking.
    """

    def __init__(self, table: NameTable) -> None:
        self._table = table
        self._chars: Chars = np.empty(0, np.uint32)
        # Sorted, with an id at the end that no name has.
        self._ids: Ids = np.full(1, -1, np.int32)
        self._starts: Places = np.zeros(1, np.int64)
        self._sizes: Places = np.zeros(1, np.int64)

    def equal(self, chars: Chars, begin: Places, end: Places, ids: Ids) -> npt.NDArray[np.bool_]:
        """Whether each span of `chars` has the characters of the name of its id."""
        place = self._places(ids)
        sizes = end - begin
        same: npt.NDArray[np.bool_] = sizes == self._sizes[place]
        candidates = np.flatnonzero(same)
        if not len(candidates):
            return same
        sizes = sizes[candidates]
        firsts = np.cumsum(sizes) - sizes
        steps = np.arange(firsts[-1] + sizes[-1])
        span_chars = chars[steps + np.repeat(begin[candidates] - firsts, sizes)]
        name_chars = self._chars[steps + np.repeat(self._starts[place[candidates]] - firsts, sizes)]
        same[candidates] = ~np.logical_or.reduceat(span_chars != name_chars, firsts)
        return same

    def _places(self, ids: Ids) -> Places:
        """Where the names of `ids` are kept, once all of them are."""
        place = np.searchsorted(self._ids[:-1], ids)
        unknown = self._ids[place] != ids
        if not unknown.any():
            return place
        if len(self._chars) > _ROOM:
            self._chars, self._ids = self._chars[:0], self._ids[-1:]
            self._starts, self._sizes = self._starts[-1:], self._sizes[-1:]
            unknown[:] = True
        new_ids = np.sort(ids[unknown])  # np.unique hashes, at five times the cost
        self._learn(new_ids[np.append(True, new_ids[1:] != new_ids[:-1])])
        return np.searchsorted(self._ids[:-1], ids)

    def _learn(self, ids: Ids) -> None:
        names = self._table.names(ids.tolist())
        sizes = np.fromiter(map(len, names), np.int64, len(names))
        starts = len(self._chars) + np.cumsum(sizes) - sizes
        self._chars = np.concatenate((self._chars, code_points("".join(names))))
        at = np.searchsorted(self._ids[:-1], ids)
        self._ids = np.insert(self._ids, at, ids)
        self._starts, self._sizes = np.insert(self._starts, at, starts), np.insert(self._sizes, at, sizes)
