"""What all tables on disk have in common: the name and version in a schema, the table of rejects, what building gives.

`wikiprep.schema` in the metadata of a schema has the name and the version. The version grows when a reader of the older
form would misread the newer.
"""

from dataclasses import dataclass

import pyarrow as pa

from wikiprep.counts import Count
from wikiprep.errors import WikiprepError

SCHEMA_KEY = b"wikiprep.schema"
REJECTS = b"rejects/1"


def check_schema(schema: pa.Schema, expected: bytes, where: str) -> None:
    """Raises WikiprepError unless `schema` says that it is `expected` ("articles/1")."""
    actual = (schema.metadata or {}).get(SCHEMA_KEY)
    if actual == expected:
        return
    expected_name = expected.decode()
    if actual is None:
        raise WikiprepError(
            f"{where}: not made by wikiprep (no schema name in it)", f"a file of {expected_name} is expected"
        )
    raise WikiprepError(
        f"{where}: holds {actual.decode(errors='replace')}, not {expected_name}",
        "it belongs to another stage or another version of wikiprep: build into a new folder",
    )


def reject_schema() -> pa.Schema:
    """One row a page that could not be worked on, with the reason."""
    return pa.schema(
        [("page_id", pa.int64()), ("title", pa.string()), ("reason", pa.string()), ("detail", pa.string())],
        metadata={SCHEMA_KEY: REJECTS},
    )


@dataclass(frozen=True, slots=True)
class TableResult:
    """What building a table gives besides its files: counts that close, and lines for the person who runs it."""

    counts: dict[Count, int]
    warnings: tuple[str, ...] = ()
