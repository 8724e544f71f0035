"""What page_props says of pages: which are disambiguation pages, and their Wikidata items. Memory-mapped.

Sorted arrays and binary search: 8 bytes a disambiguation page and 16 an item, shared by all workers. They are made by
`page_props_sql.py`, apart: who opens them has no part in how SQL is read.
"""

from pathlib import Path

import numpy as np
import numpy.typing as npt

from wikiprep.storage.memory_maps import open_arrays

# The files: pages that are disambiguations, pages with their items, and all pages that have any property.
DISAMBIGUATIONS = "disambiguations.arrow"
ITEMS = "items.arrow"
ALL_PAGES = "pages_with_properties.arrow"


class PageProperties:
    """Look-up by page id, about a microsecond each."""

    def __init__(self, pages: npt.NDArray[np.int64], of_page: npt.NDArray[np.int64], items: npt.NDArray[np.int64]):
        self._pages, self._of_page, self._items = pages, of_page, items

    @classmethod
    def open(cls, folder: str | Path) -> "PageProperties":
        """Map the arrays of `folder`. Raises WikiprepError if they are missing or not whole."""
        (pages,) = open_arrays(Path(folder) / DISAMBIGUATIONS, ("page_id",))
        return cls(pages, *open_arrays(Path(folder) / ITEMS, ("page_id", "item")))

    def is_disambiguation(self, page_id: int) -> bool:
        """Whether the wiki itself says that this is a disambiguation page."""
        return _find(self._pages, page_id) >= 0

    def qid(self, page_id: int) -> str | None:
        """The page's Wikidata item, such as "Q42"."""
        at = _find(self._of_page, page_id)
        return f"Q{self._items[at]}" if at >= 0 else None


def _find(keys: npt.NDArray[np.int64], key: int) -> int:
    at = int(keys.searchsorted(key))
    return at if at < len(keys) and keys[at] == key else -1
