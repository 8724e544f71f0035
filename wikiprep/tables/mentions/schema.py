"""The columns of the mention statistics: what units hand on, and what a build leaves behind."""

import pyarrow as pa

MARKS = ("is_title", "is_redirect_title", "is_disambiguation_title")
_MARK_FIELDS = [(mark, pa.bool_()) for mark in MARKS]


def partial_schema() -> pa.Schema:
    """What one unit counted, by name and target (Arrow IPC, see partials.py).

    `number` is that of the target in the title table, -1 for a target that the table lacks. `name_pages` belongs to the
    name: its sum over all rows of a name is the number of pages on which the name is linked, to whatever target.
    """
    return pa.schema(
        [
            ("name", pa.string()),
            ("number", pa.int32()),
            ("target", pa.string()),
            ("link_count", pa.int64()),
            ("link_page_count", pa.int64()),
            ("name_pages", pa.int64()),
            *_MARK_FIELDS,
        ],
        metadata={b"wikiprep.schema": b"mention-partial/2"},
    )


def merged_schema() -> pa.Schema:
    """All names, summed over all units: by name, then the most linked target first, then target.

    `number` is -1 for a target without a page in the title table.
    """
    return pa.schema(
        [
            ("name", pa.string()),
            ("number", pa.int32()),
            ("target", pa.string()),
            ("link_count", pa.int64()),
            ("link_page_count", pa.int64()),
            ("name_link_count", pa.int64()),
            ("name_link_page_count", pa.int64()),
            *_MARK_FIELDS,
        ],
        metadata={b"wikiprep.schema": b"mention-merged/1"},
    )


def mention_schema() -> pa.Schema:
    """tables/mentions.parquet: one row a name and target, by name, then the most linked target first, then target.

    Counts are raw. `link_*` are of this name leading to this target, `name_*` and `text_*` of the name, the same in
    all its rows. `*_page_count` count pages, the others occurrences. `page_id` is null for a target without a page.
    """
    return pa.schema(
        [
            ("name", pa.string()),
            ("target", pa.string()),
            ("page_id", pa.int64()),
            ("link_count", pa.int64()),
            ("link_page_count", pa.int64()),
            ("name_link_count", pa.int64()),
            ("name_link_page_count", pa.int64()),
            ("text_count", pa.int64()),
            ("text_page_count", pa.int64()),
            *_MARK_FIELDS,
        ],
        metadata={b"wikiprep.schema": b"mentions/1"},
    )
