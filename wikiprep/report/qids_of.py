"""Wikidata items of some pages: one pass over two columns of the table of pages, which is in memory nowhere."""

import pyarrow as pa
import pyarrow.compute as pc

from wikiprep.report.corpus import Corpus

_PAGES = "tables/pages.parquet"


def qids_of(corpus: Corpus, pages: set[int]) -> tuple[dict[int, str], bool]:
    """QIDs by page id, and whether any page of the corpus has one.

    (tables/page_qids.py, which is for many look-ups, holds all: of ten million pages with sorting half a gigabyte.)
    """
    found: dict[int, str] = {}
    known = False
    wanted = pa.array(sorted(pages), pa.int64())
    for batch in corpus.batches(_PAGES, ["page_id", "qid"]) if corpus.has(_PAGES) else ():
        known = known or batch["qid"].null_count < batch.num_rows
        some = batch.filter(pc.and_(pc.is_in(batch["page_id"], value_set=wanted), pc.is_valid(batch["qid"])))
        found.update(zip(some["page_id"].to_pylist(), some["qid"].to_pylist(), strict=True))
    return found, known
