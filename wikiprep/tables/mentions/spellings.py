"""Does a span of text spell the name it is taken for? Compared character by character, many spans at a time.

The trie gives a name for its id in a microsecond, and few names make up most of any text; so the last ones asked for
are kept as one array of code points, and most spans are compared without asking.
"""

import numpy as np
import numpy.typing as npt

from wikiprep.tables.mentions.name_hashes import Ids
from wikiprep.tables.mentions.name_table import NameTable
from wikiprep.tables.mentions.tokens import Chars, Places, code_points

_ROOM = 1 << 21  # characters kept


class Spellings:
    """Names of a table by id, at most some 12 MB of them."""

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
