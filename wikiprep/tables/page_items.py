"""The Wikidata item of a page, from page_props by its id or from Wikidata's dump by its title.

page_props is of the dump's own date and knows a page by its id, so that it counts where both have an item and differ;
the other is counted. Each page is looked up under its own title: a redirect page has its own item or none, and never
that of the page it leads to.
"""

from collections import Counter
from typing import TYPE_CHECKING

from wikiprep.counts import Count
from wikiprep.tables.page_props import PageProperties
from wikiprep.tables.qid_counts import BY_CLASS, BY_TITLE, CONFLICT, NOT_IN_PAGE_PROPS, OF_MERGED_ITEM
from wikiprep.wikidata.merged_ids import MergedIds

if TYPE_CHECKING:
    from wikiprep.wikidata.lookups import ItemTitles  # loads pyarrow.compute, which few builds need


class PageItems:
    """Each source may be None. `old` puts items of page_props right that were merged into others since.

    `counts`, with Wikidata alone: those of `qid_counts.py`.
    """

    def __init__(
        self,
        properties: PageProperties | None,
        titles: "ItemTitles | None",
        wiki: str,
        old: MergedIds | None = None,
    ) -> None:
        self._properties, self._titles, self._wiki, self._merged_ids = properties, titles, wiki, old
        self.counts: Counter[Count] = Counter()

    def qid(self, page_id: int | None, title: str, stated: str | None = None) -> str | None:
        """The item of a page; it counts, so call it once a page.

        `title` with its namespace, `stated` what its source says of it, which counts as what page_props has.
        """
        if stated is None and self._properties and page_id is not None:
            stated = self._properties.qid(page_id)
        qid_by_id = self._current_item(stated)
        qid_by_title = self._titles.qid(self._wiki, title) if self._titles else None
        if qid_by_title is None:
            return qid_by_id
        self.counts[BY_TITLE] += 1
        if self._properties and qid_by_id is None:
            self.counts[NOT_IN_PAGE_PROPS] += 1
        elif qid_by_id is not None and qid_by_id != qid_by_title:
            self.counts[CONFLICT] += 1
        return qid_by_id or qid_by_title

    def _current_item(self, qid: str | None) -> str | None:
        """The item that `qid` is today; one that leads nowhere stays what it was."""
        if qid is None or self._merged_ids is None:
            return qid
        current = self._merged_ids.item(int(qid[1:]))
        self.counts[OF_MERGED_ITEM] += f"Q{current}" != qid
        return f"Q{current}"

    def is_disambiguation(self, page_id: int | None, title: str) -> bool:
        """Whether page_props or the item's class says so."""
        if self._properties and page_id is not None and self._properties.is_disambiguation(page_id):
            return True
        if self._titles and self._titles.is_disambiguation(self._wiki, title):
            self.counts[BY_CLASS] += 1
            return True
        return False
