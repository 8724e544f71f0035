"""What ids mean, as a digest, without an object an entity: the bytes are those of lines in plain Python."""

import hashlib
from pathlib import Path

import pyarrow as pa
import pyarrow.parquet as pq
import pytest

from wikiprep.errors import WikiprepError
from wikiprep.pretrain.luke import corpus_entities
from wikiprep.pretrain.luke.corpus_entities import entities_digest, entities_size, read_entities

TITLES = ["[PAD]", "Oslo", "İstanbul", "𝒳", "￿", "A", "a b", "オスロ"]


@pytest.mark.parametrize("qids", [None, [None] * 8, [None, "Q585", None, "Q1", "", "Q2", "Q3", None]])
def test_digest_and_size(tmp_path: Path, qids: list[str | None] | None, monkeypatch: pytest.MonkeyPatch) -> None:
    monkeypatch.setattr(corpus_entities, "_LINES", 3)
    ids = [0, 11, 2, 3, 100, 4, 5, 9]
    columns = {"id": pa.array(ids, pa.int32()), "title": pa.array(TITLES)}
    table = pa.table(columns if qids is None else columns | {"qid": pa.array(qids, pa.string())})
    path = tmp_path / "entity_vocab.parquet"
    pq.write_table(table, path, row_group_size=3)
    found = read_entities(path)
    lines = (f"{number}\t{title}\t{found.qids.get(title, '')}\n" for title, number in found.ids.items())
    assert entities_digest(path) == hashlib.sha256("".join(sorted(lines)).encode()).hexdigest()
    assert entities_size(path) == found.size == 101
    assert found.ids == dict(zip(TITLES, ids, strict=True)) and all(found.qids.values())


def test_nothing_to_read_is_told(tmp_path: Path) -> None:
    path = tmp_path / "entity_vocab.parquet"
    for read in (read_entities, entities_size, entities_digest):
        with pytest.raises(WikiprepError, match="no entity vocabulary can be read"):
            read(path)
    pq.write_table(pa.table({"id": pa.array([], pa.int32()), "title": pa.array([], pa.string())}), path)
    for read in (read_entities, entities_size, entities_digest):
        with pytest.raises(WikiprepError, match="holds no entity"):
            read(path)
