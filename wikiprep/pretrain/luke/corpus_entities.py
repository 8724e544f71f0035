"""The entities of a corpus, or of a run's `about` folder: ids and QIDs by title, and where redirects lead."""

import hashlib
from collections.abc import Iterator
from dataclasses import dataclass
from pathlib import Path

import numpy as np
import numpy.typing as npt
import pyarrow as pa
import pyarrow.compute as pc
import pyarrow.parquet as pq

from wikiprep.errors import WikiprepError
from wikiprep.tables.entity_vocab import SPECIALS, VOCAB_PARQUET
from wikiprep.tables.vocabulary_entities import REDIRECTS, read_redirects

_LINES = 1 << 16


@dataclass(frozen=True)
class Entities:
    """`ids` has the special tokens too; `size` is the highest id + 1; `qids` is empty for a corpus without."""

    ids: dict[str, int]
    qids: dict[str, str]
    size: int


def read_entities(path: Path) -> Entities:
    """From an entity_vocab.parquet. Raises WikiprepError where it is missing, damaged or empty.

    A dict has 150 bytes an entity: 10 million take seconds and 1.5 GB. For the size alone there is `entities_size`.
    """
    table = _read_columns(path, "id", "title", "qid")
    titles = table["title"].to_pylist()
    ids = dict(zip(titles, table["id"].to_pylist(), strict=True))
    qids = {}
    if "qid" in table.column_names and table["qid"].null_count < len(table):
        qids = {title: qid for title, qid in zip(titles, table["qid"].to_pylist(), strict=True) if qid}
    return Entities(ids, qids, max(ids.values()) + 1)


def entities_size(path: Path) -> int:
    """The highest id + 1 of an entity_vocab.parquet. Raises as `read_entities`."""
    return int(pc.max(_read_columns(path, "id")["id"]).as_py()) + 1


def entities_digest(path: Path) -> str:
    """Of what the ids of an entity_vocab.parquet mean: titles and QIDs. Raises as `read_entities`."""
    table = _read_columns(path, "id", "title", "qid")
    qids = table["qid"] if "qid" in table.column_names else pa.nulls(len(table), pa.string())
    columns = [pc.fill_null(column.cast(pa.large_string()), "") for column in (table["id"], table["title"], qids)]
    newline = pa.scalar("\n", pa.large_string())
    lines = pc.binary_join_element_wise(*columns, pa.scalar("\t", pa.large_string()))
    lines = _combine_chunks(pc.binary_join_element_wise(lines, newline, pa.scalar("", pa.large_string())))
    del table, columns, qids
    digest = hashlib.sha256()
    order = pc.sort_indices(lines)  # by bytes, which in UTF-8 is by code points
    for start in range(0, len(order), _LINES):
        _, offsets, data = lines.take(order[start : start + _LINES]).buffers()
        digest.update(data[: int(np.frombuffer(offsets, np.int64)[len(order[start : start + _LINES])])])
    return digest.hexdigest()


def _combine_chunks(lines: pa.ChunkedArray | pa.LargeStringArray) -> pa.LargeStringArray:
    return lines.combine_chunks() if isinstance(lines, pa.ChunkedArray) else lines


def _read_columns(path: Path, *names: str) -> pa.Table:
    """Those of the columns that are there."""
    try:
        columns = pq.read_schema(path).names
        table = pq.read_table(path, columns=[name for name in names if name in columns])
    except (OSError, pa.ArrowInvalid) as error:
        raise WikiprepError(
            f"{path}: no entity vocabulary can be read ({error})", "is this the output folder of build-corpus?"
        ) from error
    if not len(table):
        raise WikiprepError(f"{path}: holds no entity", "build the corpus again")
    return table


def plain_entities(entities: Entities) -> npt.NDArray[np.int32]:
    """Ids of all but the special tokens, in order."""
    return np.array(sorted({number for title, number in entities.ids.items() if title not in SPECIALS}), np.int32)


def vocabulary_path(corpus: Path) -> Path:
    """Where a corpus has it."""
    return corpus / "tables" / VOCAB_PARQUET


def redirects_of(corpus: Path) -> dict[str, str]:
    """Title -> title at the end of its chain, of redirects that end at a page; empty for a corpus of own text."""
    return read_redirects(corpus / "tables" / REDIRECTS)


def redirect_lines(corpus: Path) -> Iterator[bytes]:
    """The same as lines "title TAB final", sorted, for a digest: in Arrow, without an object a redirect."""
    path = corpus / "tables" / REDIRECTS
    if not path.is_file():
        return
    table = pq.read_table(path, columns=["title", "final"]).drop_null()
    titles, finals = (table[name].cast(pa.large_string()) for name in ("title", "final"))
    lines = pc.binary_join_element_wise(titles, finals, pa.scalar("\t", pa.large_string()))
    del table, titles, finals
    order = pc.sort_indices(lines)
    for start in range(0, len(order), _LINES):
        yield from (line.as_buffer().to_pybytes() for line in lines.take(order[start : start + _LINES]))


def write_entity_redirects(corpus: Path, target: Path) -> None:
    """Those of the corpus that end at an entity, for `read_redirects`; no file for a corpus without redirects."""
    path = corpus / "tables" / REDIRECTS
    if not path.is_file():
        return
    file = pq.ParquetFile(path)
    schema = pa.schema([file.schema_arrow.field(name) for name in ("title", "final")])
    entity_titles = _read_columns(vocabulary_path(corpus), "title")["title"].cast(schema.field("final").type)
    # At once: for each batch alone the entities would be hashed anew, minutes at ten million of both.
    leads_to_entity = pc.is_in(pq.read_table(path, columns=["final"])["final"], value_set=entity_titles)
    del entity_titles
    batches, start = [], 0
    for batch in file.iter_batches(columns=schema.names):
        batches.append(batch.filter(leads_to_entity.slice(start, len(batch)).combine_chunks()).drop_null())
        start += len(batch)
    pq.write_table(pa.Table.from_batches(batches, schema).sort_by("title"), target)
