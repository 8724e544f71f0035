"""Wikidata's items of pages and of a vocabulary's entities.

By page id: two arrays, 16 bytes a page that has one, read once from the table of pages. Of entities: those of their
pages, and by title where the dump lacks the page.
"""

from collections.abc import Sequence
from pathlib import Path

import numpy as np
import pyarrow as pa
import pyarrow.compute as pc
import pyarrow.parquet as pq

from wikiprep.files import Store
from wikiprep.tables.entity_vocab import SPECIALS, Row
from wikiprep.wikidata.lookups import ItemTitles

_PAGES = "tables/pages.parquet"


class Qids:
    """QIDs of an output's pages; none at all where the build had no source of them."""

    def __init__(self, store: Store) -> None:
        pages, numbers = [np.empty(0, np.int64)], [np.empty(0, np.int64)]
        if store.size(_PAGES) is not None:
            with pq.ParquetFile(store.fetch(_PAGES)) as file:
                for batch in file.iter_batches(columns=["page_id", "qid"]):
                    with_qid = batch.filter(pc.and_(pc.is_valid(batch["qid"]), pc.is_valid(batch["page_id"])))
                    if with_qid.num_rows:
                        pages.append(with_qid["page_id"].to_numpy())
                        numbers.append(pc.utf8_slice_codeunits(with_qid["qid"], 1).cast(pa.int64()).to_numpy())
        page, number = np.concatenate(pages), np.concatenate(numbers)
        order = np.argsort(page, kind="stable")
        self._page, self._number = page[order], number[order]

    def __bool__(self) -> bool:
        """Whether any page has one."""
        return len(self._page) > 0

    def of(self, page_id: int | None) -> str | None:
        """The QID of a page, None where it is not known."""
        if page_id is None:
            return None
        place = int(np.searchsorted(self._page, page_id))
        if place == len(self._page) or self._page[place] != page_id:
            return None
        return f"Q{self._number[place]}"


def entity_qids(rows: Sequence[Row], pages: Path, titles: ItemTitles, wiki: str) -> dict[int, str]:
    """Entity id -> "Q42". `pages` is pages.parquet, read in pieces."""
    by_page = {page: entity for entity, _, page, _ in rows if page is not None}
    page_ids = np.array(sorted(by_page), np.int64)
    qids: dict[int, str] = {}
    for batch in pq.ParquetFile(pages).iter_batches(columns=["page_id", "qid"]):
        batch = batch.filter(pc.and_(batch["qid"].is_valid(), batch["page_id"].is_valid()))
        ids = batch["page_id"].to_numpy()
        at = np.flatnonzero(np.isin(ids, page_ids))
        for row, qid in zip(at.tolist(), batch["qid"].take(at).to_pylist(), strict=True):
            qids[by_page[int(ids[row])]] = qid
    for entity, title, page, _ in rows:
        if page is None and title not in SPECIALS and (qid := titles.qid(wiki, title)):
            qids[entity] = qid
    return qids
