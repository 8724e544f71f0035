"""Wikidata items of some pages: one pass over two columns of the table of pages, which is in memory nowhere."""

import pyarrow as pa
import pyarrow.compute as pc

from wikiprep.report.corpus import Corpus

_PAGES = "tables/pages.parquet"


def qids_of(corpus: Corpus, pages: set[int]) -> tuple[dict[int, str], bool]:
    """QIDs by page id, and whether any page of the corpus has one.

    (tables/page_qids.py, which is for many look-ups, holds all: of ten million pages with sorting half a gigabyte.)
    """
    qids: dict[int, str] = {}
    known = False
    page_ids = pa.array(sorted(pages), pa.int64())
    for batch in corpus.batches(_PAGES, ["page_id", "qid"]) if corpus.has(_PAGES) else ():
        known = known or batch["qid"].null_count < batch.num_rows
        matches = batch.filter(pc.and_(pc.is_in(batch["page_id"], value_set=page_ids), pc.is_valid(batch["qid"])))
        qids.update(zip(matches["page_id"].to_pylist(), matches["qid"].to_pylist(), strict=True))
    return qids, known
