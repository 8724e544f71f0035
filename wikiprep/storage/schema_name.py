"""How a file says what it holds: `wikiprep.schema` in its schema's metadata has the name and the version.

The version grows when a reader of the older form would misread the newer.
"""

import pyarrow as pa

from wikiprep.errors import WikiprepError

SCHEMA_KEY = b"wikiprep.schema"


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
