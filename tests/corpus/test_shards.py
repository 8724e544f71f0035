"""Record shards: rows come back, bytes repeat whatever the batches, wrong files are named."""

from pathlib import Path

import pyarrow as pa
import pytest
from hypothesis import given
from hypothesis import strategies as st

from wikiprep.corpus.schema import article_schema, record_schema
from wikiprep.corpus.shards import ShardWriter, open_shard, read_shard
from wikiprep.errors import WikiprepError


def records(count: int, text: bool = False) -> pa.RecordBatch:
    schema = record_schema(text)
    rows = [
        {
            "page_id": n if n % 3 else None,
            "revision_id": n,
            "title": f"Page {n}",
            "qid": None if n % 2 else f"Q{n}",
            "ordinal": 0,
            "word_ids": list(range(n % 7 + 1)),
            "entity_ids": [n],
            "entity_starts": [0],
            "entity_ends": [1],
            "entity_sources": [0],
            "sentence_starts": [0],
            **(
                {"text": "é" * n, "sentence_char_starts": [0], "entity_char_starts": [0], "entity_char_ends": [1]}
                if text
                else {}
            ),
        }
        for n in range(count)
    ]
    return pa.RecordBatch.from_pylist(rows, schema)


def write(path: Path, batch: pa.RecordBatch, cuts: list[int], size: int = 10) -> bytes:
    writer = ShardWriter(path, batch.schema, batch_records=size)
    for start, stop in zip([0, *cuts], [*cuts, batch.num_rows], strict=True):
        writer.write(batch.slice(start, stop - start))
    writer.close()
    return path.read_bytes()


@pytest.mark.parametrize("text", [False, True])
def test_rows_come_back_in_bounded_batches(tmp_path: Path, text: bool) -> None:
    batch = records(25, text)
    write(tmp_path / "shard", batch, [3, 19])
    found = list(read_shard(tmp_path / "shard"))
    assert [b.num_rows for b in found] == [10, 10, 5]
    assert pa.Table.from_batches(found).equals(pa.Table.from_batches([batch]), check_metadata=True)


@pytest.fixture(scope="module")
def scratch(tmp_path_factory: pytest.TempPathFactory) -> Path:
    return tmp_path_factory.mktemp("shards")


@given(st.lists(st.integers(0, 37), max_size=5).map(sorted), st.booleans())
def test_bytes_do_not_depend_on_the_batches(scratch: Path, cuts: list[int], text: bool) -> None:
    batch = records(37, text)
    assert write(scratch / "one", batch, cuts) == write(scratch / "two", batch, [])


def test_empty_shard(tmp_path: Path) -> None:
    write(tmp_path / "shard", records(0), [])
    assert list(read_shard(tmp_path / "shard")) == []
    assert open_shard(tmp_path / "shard").schema.equals(record_schema(), check_metadata=True)


def test_mapped_not_copied(tmp_path: Path) -> None:
    write(tmp_path / "shard", records(20), [])
    before = pa.total_allocated_bytes()
    batches = list(read_shard(tmp_path / "shard"))
    assert len(batches) == 2
    assert pa.total_allocated_bytes() == before


@pytest.mark.parametrize("content", [b"", b"<html>", b"ARROW1\0\0cut"])
def test_wrong_files_are_named(tmp_path: Path, content: bytes) -> None:
    path = tmp_path / "part.arrow"
    path.write_bytes(content)
    with pytest.raises(WikiprepError, match=r"part\.arrow"):
        open_shard(path)


def test_other_schemas_are_refused(tmp_path: Path) -> None:
    with pa.ipc.new_file(str(tmp_path / "articles"), article_schema()):
        pass
    with pytest.raises(WikiprepError, match="holds articles/1, not records/1"):
        open_shard(tmp_path / "articles")
    with pytest.raises(WikiprepError, match="no such record shard"):
        open_shard(tmp_path / "none")
