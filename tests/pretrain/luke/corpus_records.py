"""The records of a corpus as the trainer hands them on; small enough here to be read at once."""

from pathlib import Path

import numpy as np
import pyarrow as pa

from wikiprep.records.record import Record


def records_of(corpus: Path) -> list[Record]:
    """All records, in the order of the parts."""
    made = []
    for path in sorted((corpus / "records").glob("*.arrow")):
        for row in pa.ipc.open_file(path).read_all().to_pylist():
            made.append(
                Record(
                    row["page_id"],
                    row["revision_id"],
                    row["ordinal"],
                    np.array(row["word_ids"], np.int32),
                    np.array(row["entity_ids"], np.int32),
                    np.array(row["entity_starts"], np.int16),
                    np.array(row["entity_ends"], np.int16),
                    np.array(row["entity_sources"], np.int8),
                    np.array(row["sentence_starts"], np.int16),
                )
            )
    return made
