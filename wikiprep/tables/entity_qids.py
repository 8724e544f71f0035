"""The Wikidata items of a vocabulary's entities: those of their pages, and by title where the dump lacks the page."""

from collections.abc import Sequence
from pathlib import Path

import numpy as np
import pyarrow.compute as pc
import pyarrow.parquet as pq

from wikiprep.tables.entity_vocab import SPECIALS, Row
from wikiprep.wikidata.lookups import ItemTitles


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
