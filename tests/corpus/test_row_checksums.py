"""A changed row is told from a whole one, and only that row."""

import numpy as np
import pyarrow as pa
import pytest

from wikiprep.corpus.row_checksums import checked_columns, from_metadata, row_checksum, row_checksums, to_metadata

SCHEMA = pa.schema(
    [
        ("page_id", pa.int64()),
        ("title", pa.string()),
        ("word_ids", pa.list_(pa.int32())),
        ("relations", pa.list_(pa.struct([("head", pa.int16()), ("name", pa.string())]))),
    ]
)
ROWS = [
    {"page_id": n or None, "title": "t", "word_ids": list(range(n)), "relations": [{"head": n, "name": "x"}]}
    for n in range(5)
]


def batch(rows: list[dict[str, object]] = ROWS) -> pa.RecordBatch:
    return pa.RecordBatch.from_pylist(rows, SCHEMA)


@pytest.mark.parametrize(
    "change", [{"page_id": 77}, {"word_ids": [0, 1, 3]}, {"relations": [{"head": 9, "name": "x"}]}]
)
def test_a_changed_row_alone_differs(change: dict[str, object]) -> None:
    changed = [row | change if number == 3 else row for number, row in enumerate(ROWS)]
    assert np.flatnonzero(row_checksums(batch()) != row_checksums(batch(changed))).tolist() == [3]


def test_a_slice_has_the_checksums_of_its_rows() -> None:
    assert row_checksums(batch().slice(2, 2)).tolist() == row_checksums(batch()).tolist()[2:4]


def test_damaged_offsets_are_no_error() -> None:
    columns = checked_columns(batch())
    offsets, values = columns["word_ids"]
    assert offsets is not None
    wrong = offsets.copy()
    wrong[3:] = (-(2**31), 2**31 - 1, 7)
    columns["word_ids"] = (wrong, values)
    assert row_checksum(list(columns.values()), 4) != row_checksums(batch())[4]


def test_metadata_comes_back() -> None:
    sums = row_checksums(batch())
    assert from_metadata(to_metadata(sums)) is not None
    assert np.array_equal(from_metadata(to_metadata(sums)), sums)
    assert from_metadata(None) is None and from_metadata({}) is None
