"""Items that were merged into others: the JSON dump lacks them, but older statements and links still name them.

From `redirect.sql` and `page.sql` of wikidatawiki (a page of the main namespace called Q99 that redirects to Q5), or
from lines of a JSON dump that has them. Memory: 16 bytes a merged item, some 5 million of them.
"""

import re
from array import array
from collections import Counter
from collections.abc import Callable
from pathlib import Path

import numpy as np
import numpy.typing as npt

from wikiprep.counts import Count, Equation
from wikiprep.dump.sql import Value, read_rows
from wikiprep.errors import WikiprepError
from wikiprep.storage.memory_maps import open_arrays, write_arrays

MERGED = "merged.arrow"
READ = Count("merged.read", "Redirects of wikidatawiki.")
KEPT = Count("merged.kept", "Items that were merged into others.")
NO_ITEM = Count("merged.no item", "Redirects that do not lead to an item.")
NO_PAGE = Count("merged.no page", "Redirects from what is no item in --wikidata-page.")
LOOP = Count("merged.loop", "Redirects that lead in a circle.")
OF_TABLES = Equation("redirects of Wikidata", READ, (KEPT, NO_ITEM, NO_PAGE, LOOP))
REDIRECTS_READ = Count("redirects.read", "Items that the JSON dump says were merged into others.")
REDIRECTS_KEPT = Count("redirects.kept", "Of these, those that lead to an item.")
REDIRECTS_TWICE = Count("redirects.given twice", "Items of which that is said again.")
REDIRECTS_THERE = Count("redirects.item is there", "Items that have a line of their own, and so were not merged.")
REDIRECTS_LOOP = Count("redirects.loop", "Items that lead in a circle.")
OF_LINES = Equation(
    "redirects in Wikidata's dump",
    REDIRECTS_READ,
    (REDIRECTS_KEPT, REDIRECTS_TWICE, REDIRECTS_THERE, REDIRECTS_LOOP),
)
_ITEM = re.compile(rb"Q([1-9]\d{0,9})")
_LONGEST_CHAIN = 64

Ids = npt.NDArray[np.int64]


def build_merged(redirect: str | Path, page: str | Path, out_dir: Path) -> dict[Count, int]:
    """Write MERGED into `out_dir`. Counts close by OF_TABLES.

    Raises WikiprepError for files that are no such tables, or hold no redirect between items.
    """
    page_ids, names = array("q"), array("q")
    for number, namespace, title, is_redirect in read_rows(
        str(page), ["page_id", "page_namespace", "page_title", "page_is_redirect"]
    ):
        if namespace == 0 and is_redirect and (item := _number(title)) and isinstance(number, int):
            page_ids.append(number)
            names.append(item)
    distinct_ids, first = np.unique(np.array(page_ids, np.int64), return_index=True)
    item_of = np.array(names, np.int64)[first]
    rows = no_item = 0
    sources, targets = array("q"), array("q")
    for number, namespace, title in read_rows(str(redirect), ["rd_from", "rd_namespace", "rd_title"]):
        rows += 1
        target = _number(title) if namespace == 0 else 0
        if target and isinstance(number, int):
            sources.append(number)
            targets.append(target)
        else:
            no_item += 1
    at, found = _places(distinct_ids, np.array(sources, np.int64))
    old, new = item_of[at[found]], np.array(targets, np.int64)[found]
    old, first = np.unique(old, return_index=True)
    new, duplicate_count = new[first], int(found.sum()) - len(first)
    end = MergedIds(old, new).resolve(new)
    looping = end < 0
    if not len(old):
        raise WikiprepError(
            f"{redirect}: none of its {rows} rows is a redirect from an item of {Path(page).name} to an item",
            "take redirect.sql.gz and page.sql.gz of wikidatawiki, both of one date",
        )
    MergedIds(old[~looping], end[~looping]).write(out_dir / MERGED)
    return {
        READ: rows,
        KEPT: int((~looping).sum()),
        NO_ITEM: no_item,
        NO_PAGE: int((~found).sum()) + duplicate_count,
        LOOP: int(looping.sum()),
    }


def with_redirects(
    known: "MergedIds", old: Ids, new: Ids, in_dump: Callable[[Ids], npt.NDArray[np.bool_]]
) -> tuple["MergedIds", Counter[Count]]:
    """`known` with the dump's own redirects, which count where both have an item; of two of one item the first does.

    `in_dump` tells which items have a line of their own: these were not merged away, whatever else is said of them.
    Counts close by OF_LINES.
    """
    counts: Counter[Count] = Counter({REDIRECTS_READ: len(old)})
    old, first = np.unique(old, return_index=True)
    new = new[first]
    counts[REDIRECTS_TWICE] = counts[REDIRECTS_READ] - len(old)
    has_line = in_dump(old)
    counts[REDIRECTS_THERE] = int(has_line.sum())
    old, new = old[~has_line], new[~has_line]
    remaining = known.without(old)
    all_old = np.concatenate([old, remaining._old])
    order = np.argsort(all_old, kind="stable")
    chains = MergedIds(all_old[order], np.concatenate([new, remaining._new])[order])
    end = chains.resolve(chains._new)
    from_dump = np.isin(chains._old, old)
    counts[REDIRECTS_LOOP] = int((from_dump & (end < 0)).sum())
    counts[REDIRECTS_KEPT] = int((from_dump & (end >= 0)).sum())
    return MergedIds(chains._old[end >= 0], end[end >= 0]), counts


class MergedIds:
    """Old id to the item that it was merged into, at the end of the chain. Read-only arrays, sorted by the old id."""

    def __init__(self, old: Ids, new: Ids) -> None:
        self._old, self._new = old, new

    @classmethod
    def open(cls, path: Path) -> "MergedIds":
        """Map the file. Raises WikiprepError if it is missing or not whole."""
        return cls(*open_arrays(path, ("old", "new")))

    @classmethod
    def none(cls) -> "MergedIds":
        """No item was merged."""
        return cls(np.empty(0, np.int64), np.empty(0, np.int64))

    def write(self, path: Path) -> None:
        """Write the table, for `open`."""
        write_arrays(path, {"old": self._old, "new": self._new})

    def without(self, items: Ids) -> "MergedIds":
        """All but what was merged of `items`."""
        keep = ~np.isin(self._old, items)
        return MergedIds(self._old[keep], self._new[keep])

    def item(self, number: int) -> int:
        """The same for one item; itself on a loop."""
        at = int(self._old.searchsorted(number))
        if at >= len(self._old) or self._old[at] != number:
            return number
        current = int(self.resolve(np.array([number], np.int64))[0])
        return current if current >= 0 else number

    def resolve(self, items: Ids) -> Ids:
        """The items that `items` are now: themselves unless merged; -1 on a loop."""
        current = items.copy()
        for _ in range(_LONGEST_CHAIN):
            at, is_merged = _places(self._old, current)
            if not is_merged.any():
                return current
            current[is_merged] = self._new[at[is_merged]]
        _, is_merged = _places(self._old, current)
        current[is_merged] = -1
        return current


def _places(sorted_ids: Ids, ids: Ids) -> tuple[Ids, npt.NDArray[np.bool_]]:
    """Where each of `ids` stands in the sorted `sorted_ids`, and whether it does."""
    if not len(sorted_ids):
        return np.zeros(len(ids), np.int64), np.zeros(len(ids), np.bool_)
    at = np.minimum(sorted_ids.searchsorted(ids), len(sorted_ids) - 1)
    return at, sorted_ids[at] == ids


def _number(title: Value) -> int:
    match = _ITEM.fullmatch(title) if isinstance(title, bytes) else None
    return int(match[1]) if match else 0
