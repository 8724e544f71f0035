"""Whether the records keep to what --leave-out lists: none is of a page that is left out."""

from collections.abc import Iterator

import numpy as np
import pyarrow.parquet as pq

from wikiprep.corpus.record_counts import records_in
from wikiprep.corpus.shards import read_shard
from wikiprep.files import Store
from wikiprep.leave_out.lists import FACT_KINDS
from wikiprep.leave_out.pages import READ, left_out_pages
from wikiprep.manifest import Manifest
from wikiprep.progress import NO_PROGRESS, Progress
from wikiprep.stages.listed import NAMED

LEFT_OUT = "pages left out"  # a part of what `verify` reads
TABLE = "tables/left_out.parquet"
_KINDS = ("title", "page_id", "qid")


def check_left_out(store: Store, manifest: Manifest, progress: Progress = NO_PROGRESS) -> Iterator[str]:
    """Yields one line a problem; nothing for a corpus without lists."""
    if not manifest.has_stage("listed"):
        return
    counts = manifest.counts["listed"]
    facts = sum(counts.get(NAMED[kind], 0) for kind in FACT_KINDS)
    expected = facts + sum(counts.get(key, 0) for key in READ.values())
    rows = pq.ParquetFile(store.fetch(TABLE)).metadata.num_rows
    if rows != expected:
        yield f"{TABLE}: holds {rows} rows, the manifest counts {expected}"
    left_out_ids = np.array(sorted(left_out_pages(store.fetch(TABLE))), np.int64)
    with progress.part(LEFT_OUT, records_in(manifest), "record") as advance:
        for path in manifest.paths("records/"):
            found_ids: set[int] = set()
            for batch in read_shard(store.fetch(path)):
                ids = batch["page_id"].drop_null().to_numpy(zero_copy_only=False)
                found_ids.update(ids[np.isin(ids, left_out_ids)].tolist())
                advance(batch.num_rows)
            if found_ids:
                yield f"{path}: records of pages that are left out: {len(found_ids)}, such as {min(found_ids)}"
