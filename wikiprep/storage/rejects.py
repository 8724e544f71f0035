"""The table of what was rejected, which several stages write: pages, and lines of Wikidata's dump."""

import pyarrow as pa

from wikiprep.storage.schema_name import SCHEMA_KEY

REJECTS = b"rejects/1"


def reject_schema() -> pa.Schema:
    """One row a page that could not be worked on, with the reason."""
    return pa.schema(
        [("page_id", pa.int64()), ("title", pa.string()), ("reason", pa.string()), ("detail", pa.string())],
        metadata={SCHEMA_KEY: REJECTS},
    )
