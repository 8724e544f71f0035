"""Look-up of titles and redirects, memory-mapped: microseconds a title, one copy a machine however many workers."""

from dataclasses import dataclass
from pathlib import Path
from typing import Any

import numpy as np
import numpy.typing as npt

from wikiprep.storage.memory_maps import metadata_of, open_arrays, open_trie
from wikiprep.tables.schema import ARTICLE, ENDS_MISSING, MISSING, REDIRECT, RESOLVED, STATUSES
from wikiprep.tables.title_graph import numbers_of
from wikiprep.tables.title_variants import TitleVariants

TITLE_TRIE = "titles.marisa"
TITLE_ARRAYS = "titles.arrow"


@dataclass(frozen=True, slots=True)
class Resolved:
    """Where a title leads. `status` is "article", "disambiguation", or a word of schema.STATUSES but "resolved".

    `title` is the end of the chain, the title asked for where there is none; `page_id` is None where no page is.
    `via_variant`: no page has the title asked for, but one has it in another script or spelling of the wiki.
    """

    title: str
    page_id: int | None
    status: str
    via_redirect: bool
    via_variant: bool = False


class TitleTable:
    """Titles of namespace 0 with their redirects. Arrays are read-only views by title number.

    `page_id_of` is -1 without a page; `kind_of` a code of schema.KINDS or MISSING; `direct_of` the target of a redirect
    and `final_of` the end of its chain, as numbers, -1 for none; `status_of` a code of schema.STATUSES.
    """

    def __init__(self, trie: Any, arrays: tuple[npt.NDArray[Any], ...], variants: TitleVariants | None = None) -> None:
        self._trie = trie
        self._variants = variants
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
        arrays = open_arrays(folder / TITLE_ARRAYS, columns)
        variants = TitleVariants.of_metadata(metadata_of(folder / TITLE_ARRAYS))
        return cls(open_trie(folder / TITLE_TRIE), arrays, variants)

    @property
    def has_variants(self) -> bool:
        """Whether the wiki's titles are looked for in several scripts or spellings."""
        return self._variants is not None

    def __len__(self) -> int:
        return len(self.kind_of)

    def number(self, title: str) -> int:
        """The title's number, -1 if neither a page of namespace 0 nor a redirect names it."""
        number: int = self._trie.get(title, -1)
        return number

    def numbers(self, titles: list[str]) -> npt.NDArray[np.int32]:
        """Numbers of many titles, -1 for unknown ones."""
        return numbers_of(self._trie, titles)

    def of_targets(self, targets: list[str]) -> tuple[npt.NDArray[np.int32], npt.NDArray[np.bool_]]:
        """(numbers of what links lead to, which of them only in another variant of the title); -1 for unknown ones.

        As `numbers`, but on a wiki of several scripts a title without a page gives way to its first variant with one.
        """
        numbers = self.numbers(targets)
        by_variant = np.zeros(len(targets), np.bool_)
        if self._variants is not None and len(self):
            lacking = (numbers < 0) | (self.kind_of[np.maximum(numbers, 0)] == MISSING)
            for place in np.flatnonzero(lacking).tolist():
                if (number := self._in_variant(targets[place])) >= 0:
                    numbers[place], by_variant[place] = number, True
        return numbers, by_variant

    def _target(self, title: str) -> tuple[int, bool]:
        """As `of_targets`, of one."""
        number = self.number(title)
        if self._variants is None or (number >= 0 and self.kind_of[number] != MISSING):
            return number, False
        variant_number = self._in_variant(title)
        return (number, False) if variant_number < 0 else (variant_number, True)

    def _in_variant(self, title: str) -> int:
        """The first of the title's variants that is a page, -1 for none."""
        assert self._variants is not None
        numbers = (self.number(other) for other in self._variants.others(title))
        return next((n for n in numbers if n >= 0 and self.kind_of[n] <= REDIRECT), -1)

    def title(self, number: int) -> str:
        """The title of a number."""
        title: str = self._trie.restore_key(number)
        return title

    def direct(self, title: str) -> str:
        """The title one redirect further, `title` itself if it is no redirect to a page of this wiki."""
        number, by_variant = self._target(title)
        if by_variant:
            title = self.title(number)
        if number < 0 or self.direct_of[number] < 0:
            return title
        return self.title(int(self.direct_of[number]))

    def resolve(self, title: str) -> Resolved:
        """Follow redirects to their end. `title` is normalised; any title has an answer."""
        number, by_variant = self._target(title)
        if number < 0:
            return Resolved(title, None, STATUSES[ENDS_MISSING], False)
        via_redirect = bool(self.kind_of[number] == REDIRECT)
        final = int(self.final_of[number])
        if final < 0:
            return Resolved(title, None, STATUSES[self.status_of[number]], via_redirect, by_variant)
        end = self.title(final) if via_redirect or by_variant else title
        kind = self.kind_of[final]
        if self.status_of[number] != RESOLVED:
            broken = STATUSES[self.status_of[number]]
            return Resolved(title if kind == REDIRECT else end, None, broken, via_redirect, by_variant)
        leads_to = "article" if kind == ARTICLE else "disambiguation"
        return Resolved(end, int(self.page_id_of[final]), leads_to, via_redirect, by_variant)
