"""Look-up of titles and redirects, memory-mapped: microseconds a title, one copy a machine however many workers."""

from dataclasses import dataclass
from pathlib import Path
from typing import Any

import numpy as np
import numpy.typing as npt

from wikiprep.tables.arrays import open_arrays
from wikiprep.tables.schema import ARTICLE, ENDS_MISSING, REDIRECT, RESOLVED, STATUSES
from wikiprep.tables.title_graph import numbers_of
from wikiprep.tables.tries import open_trie

TITLE_TRIE = "titles.marisa"
TITLE_ARRAYS = "titles.arrow"


@dataclass(frozen=True, slots=True)
class Resolved:
    """Where a title leads. `status` is "article", "disambiguation", or a word of schema.STATUSES but "resolved".

    `title` is the end of the chain, the title asked for where there is none; `page_id` is None where no page is.
    """

    title: str
    page_id: int | None
    status: str
    via_redirect: bool


class TitleTable:
    """Titles of namespace 0 with their redirects. Arrays are read-only views by title number.

    `page_id_of` is -1 without a page; `kind_of` a code of schema.KINDS or MISSING; `direct_of` the target of a redirect
    and `final_of` the end of its chain, as numbers, -1 for none; `status_of` a code of schema.STATUSES.
    """

    def __init__(self, trie: Any, arrays: tuple[npt.NDArray[Any], ...]) -> None:
        self._trie = trie
        self.page_id_of: npt.NDArray[np.int64]
        self.kind_of: npt.NDArray[np.int8]
        self.direct_of: npt.NDArray[np.int32]
        self.final_of: npt.NDArray[np.int32]
        self.status_of: npt.NDArray[np.int8]
        self.page_id_of, self.kind_of, self.direct_of, self.final_of, self.status_of = arrays

    @classmethod
    def open(cls, folder: str | Path) -> "TitleTable":
        """Map the table of `folder`. Raises WikiprepError if it is missing or not whole."""
        folder = Path(folder)
        columns = ("page_id", "kind", "direct", "final", "status")
        return cls(open_trie(folder / TITLE_TRIE), open_arrays(folder / TITLE_ARRAYS, columns))

    def __len__(self) -> int:
        return len(self.kind_of)

    def number(self, title: str) -> int:
        """The title's number, -1 if neither a page of namespace 0 nor a redirect names it."""
        number: int = self._trie.get(title, -1)
        return number

    def numbers(self, titles: list[str]) -> npt.NDArray[np.int32]:
        """Numbers of many titles, -1 for unknown ones."""
        return numbers_of(self._trie, titles)

    def title(self, number: int) -> str:
        """The title of a number."""
        title: str = self._trie.restore_key(number)
        return title

    def direct(self, title: str) -> str:
        """The title one redirect further, `title` itself if it is no redirect to a page of this wiki."""
        number = self.number(title)
        if number < 0 or self.direct_of[number] < 0:
            return title
        return self.title(int(self.direct_of[number]))

    def resolve(self, title: str) -> Resolved:
        """Follow redirects to their end. `title` is normalised; any title has an answer."""
        number = self.number(title)
        if number < 0:
            return Resolved(title, None, STATUSES[ENDS_MISSING], False)
        via = bool(self.kind_of[number] == REDIRECT)
        final = int(self.final_of[number])
        if final < 0:
            return Resolved(title, None, STATUSES[self.status_of[number]], via)
        end = self.title(final) if via else title
        kind = self.kind_of[final]
        if self.status_of[number] != RESOLVED:
            return Resolved(title if kind == REDIRECT else end, None, STATUSES[self.status_of[number]], via)
        return Resolved(end, int(self.page_id_of[final]), "article" if kind == ARTICLE else "disambiguation", via)
