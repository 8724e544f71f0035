"""Records by number from mapped shards; what is damaged is named with its row, and the rest is read."""

import pickle
import shutil
import stat
from pathlib import Path

import numpy as np
import orjson
import pyarrow as pa
import pytest

from wikiprep.corpus.shards import open_shard, read_shard
from wikiprep.errors import WikiprepError
from wikiprep.records.held_out import is_held_out
from wikiprep.records.reader import RecordReader
from wikiprep.records.training_corpus import open_corpora, open_corpus


@pytest.fixture
def copy(sample_corpus: Path, tmp_path: Path) -> Path:
    return Path(shutil.copytree(sample_corpus, tmp_path / "corpus"))


def test_every_record_by_number(sample_corpus: Path) -> None:
    corpus = open_corpus(str(sample_corpus), 0.1)
    reader = pickle.loads(pickle.dumps(RecordReader(corpus)))
    rows = [
        row for part in sorted((sample_corpus / "records").iterdir()) for b in read_shard(part) for row in b.to_pylist()
    ]
    assert len(reader) == len(rows) == corpus.split.size > 100 and len(corpus.shards) > 1
    assert reader.has_checksums
    for number, row in enumerate(rows):
        for record in (reader.read(number), reader.peek(number)):
            for name in record.__slots__:
                value = getattr(record, name)
                expected = [] if name == "relations" else row[name]  # nobody asked for them
                assert (value.tolist() if isinstance(value, np.ndarray) else value) == expected
    assert len(rows[corpus.longest]["word_ids"]) == max(len(row["word_ids"]) for row in rows)
    pages = np.array([row["page_id"] for row in rows])
    assert corpus.split.held_out.tolist() == np.flatnonzero(is_held_out(pages, 0.1)).tolist() != []
    with pytest.raises(IndexError):
        reader.read(len(rows))


def test_a_corpus_that_may_not_be_written(copy: Path) -> None:
    before = sorted(copy.rglob("*"))
    for path in (*before, copy):
        path.chmod(path.stat().st_mode & ~(stat.S_IWUSR | stat.S_IWGRP | stat.S_IWOTH))
    RecordReader(open_corpus(str(copy), 0.1)).read(3)
    assert sorted(copy.rglob("*")) == before
    for path in (copy, *before):
        path.chmod(path.stat().st_mode | stat.S_IWUSR)


def test_a_flipped_byte_is_named_with_its_row(copy: Path) -> None:
    shard = sorted((copy / "records").iterdir())[1]
    batch = open_shard(shard).get_batch(0)
    words = np.array(batch.column("word_ids")[4].as_py(), np.int32).tobytes()
    data = bytearray(shard.read_bytes())
    assert data.count(words) == 1
    data[data.index(words) + 8] ^= 1
    shard.write_bytes(data)
    corpus = open_corpus(str(copy), 0.0)
    reader = RecordReader(corpus)
    first = sum(corpus.shards[0].batches)
    for number in range(len(reader)):
        if number == first + 4:
            with pytest.raises(WikiprepError, match=rf"records/{shard.name}: row 4: not what was written"):
                reader.read(number)
        else:
            reader.read(number)


def test_every_damage_to_a_shard_is_told(copy: Path) -> None:
    """A byte turned anywhere in the file: an error that names the shard, or all records as they were; no crash."""
    shard = sorted((copy / "records").iterdir())[0]
    whole = shard.read_bytes()
    reader = RecordReader(open_corpus(str(copy), 0.0))
    rows = open_shard(shard).get_batch(0).num_rows
    expected = [reader.read(number).word_ids.tolist() for number in range(rows)]
    rng = np.random.default_rng(0)
    told = 0
    for place in rng.integers(0, len(whole), 150).tolist():
        data = bytearray(whole)
        data[place] ^= int(rng.integers(1, 256))
        (copy / "other").write_bytes(data)
        (copy / "other").replace(shard)  # a file that is mapped is not written to
        try:
            damaged = RecordReader(open_corpus(str(copy), 0.0))
            assert [damaged.read(number).word_ids.tolist() for number in range(rows)] == expected
        except WikiprepError as error:
            told += 1
            assert shard.name in error.what
    assert told > 50


def test_wrong_corpora_are_named(copy: Path, sample_linked: Path, tmp_path: Path) -> None:
    with pytest.raises(WikiprepError, match=r"none: no such folder"):
        open_corpus(str(tmp_path / "none"), 0.0)
    with pytest.raises(WikiprepError, match=r"its entity ids mean other things than those of .*corpus"):
        open_corpora([str(copy), str(sample_linked)], 0.0)
    with pytest.raises(WikiprepError, match=r"no record to train on \(all \d+ are held out\)"):
        open_corpora([str(copy)], 1.0)
    shard = sorted((copy / "records").iterdir())[0]
    whole = shard.read_bytes()
    shard.write_bytes(whole[:-100])
    with pytest.raises(WikiprepError, match=rf"{shard.name}: [\d,]+ bytes, the manifest says"):
        open_corpus(str(copy), 0.0)
    shard.unlink()
    with pytest.raises(WikiprepError, match=rf"{shard.name}: no such file"):
        open_corpus(str(copy), 0.0)


def test_corpora_of_one_given_vocabulary_go_together(copy: Path, tmp_path: Path) -> None:
    """As those of several languages do: each has its own titles, the ids are those of the file given to each build."""
    other = Path(shutil.copytree(copy, tmp_path / "other"))
    set_options(copy, {"size": 10, "edges_sha256": "a"})
    with pytest.raises(WikiprepError, match="other: its entity ids mean other things"):
        open_corpora([str(copy), str(other)], 0.0)
    set_options(other, {"size": 10, "edges_sha256": "a"})
    assert len(open_corpora([str(copy), str(other)], 0.0)) == 2


def set_options(corpus: Path, given: dict[str, object]) -> None:
    """Make the manifest say which vocabulary was given, and the vocabulary another one."""
    manifest = orjson.loads((corpus / "manifest.json").read_bytes())
    manifest["options"]["vocabulary"]["entity_vocab"] = given
    for entry in manifest["files"]:
        if entry["path"] == "tokenizer/entity_vocab.json":
            entry["sha256"] = str(corpus)
    (corpus / "manifest.json").write_bytes(orjson.dumps(manifest))


def test_another_schema_version_is_named(copy: Path) -> None:
    shard = sorted((copy / "records").iterdir())[0]
    batch = open_shard(shard).get_batch(0)
    newer = batch.schema.with_metadata({b"wikiprep.schema": b"records/9"})
    with pa.ipc.new_file(str(copy / "newer"), newer) as writer:
        writer.write_batch(batch.cast(newer) if hasattr(batch, "cast") else batch)
    (copy / "newer").replace(shard)
    set_entry(copy, shard)
    with pytest.raises(WikiprepError, match=rf"{shard.name}: holds records/9, not records/1"):
        open_corpus(str(copy), 0.0)


def test_a_corpus_without_records_is_named(copy: Path) -> None:
    manifest = orjson.loads((copy / "manifest.json").read_bytes())
    manifest["files"] = [entry for entry in manifest["files"] if not entry["path"].startswith("records/")]
    (copy / "manifest.json").write_bytes(orjson.dumps(manifest))
    with pytest.raises(WikiprepError, match="no records in it"):
        open_corpus(str(copy), 0.0)


def test_rows_without_checksums_are_read(copy: Path) -> None:
    """Shards of an earlier version have none."""
    for shard in sorted((copy / "records").iterdir()):
        reader = open_shard(shard)
        with pa.ipc.new_file(str(copy / "plain"), reader.schema) as writer:
            for number in range(reader.num_record_batches):
                writer.write_batch(reader.get_batch(number))
        (copy / "plain").replace(shard)
        set_entry(copy, shard)
    plain = RecordReader(open_corpus(str(copy), 0.0))
    assert not plain.has_checksums and len(plain.read(7).word_ids)


def set_entry(corpus: Path, shard: Path) -> None:
    """Make the manifest say the size that the shard has."""
    manifest = orjson.loads((corpus / "manifest.json").read_bytes())
    for entry in manifest["files"]:
        if entry["path"] == f"records/{shard.name}":
            entry["size"] = shard.stat().st_size
    (corpus / "manifest.json").write_bytes(orjson.dumps(manifest))
