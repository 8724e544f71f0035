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
    """From an entity_vocab.parquet. Raises WikiprepError where it is missing, damaged or empty."""
    try:
        names = pq.read_schema(path).names
        table = pq.read_table(path, columns=[name for name in ("id", "title", "qid") if name in names])
    except (OSError, pa.ArrowInvalid) as error:
        raise WikiprepError(
            f"{path}: no entity vocabulary can be read ({error})", "is this the output folder of build-corpus?"
        ) from error
    ids = dict(zip(table["title"].to_pylist(), table["id"].to_pylist(), strict=True))
    if not ids:
        raise WikiprepError(f"{path}: holds no entity", "build the corpus again")
    qids = dict(zip(table["title"].to_pylist(), table["qid"].to_pylist(), strict=True)) if "qid" in names else {}
    return Entities(ids, {title: qid for title, qid in qids.items() if qid}, max(ids.values()) + 1)


def entities_digest(entities: Entities) -> str:
    """Of what ids mean: titles and QIDs."""
    lines = (f"{number}\t{title}\t{entities.qids.get(title, '')}\n" for title, number in entities.ids.items())
    return hashlib.sha256("".join(sorted(lines)).encode()).hexdigest()


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


def write_entity_redirects(corpus: Path, entities: Entities, target: Path) -> None:
    """Those of the corpus that end at an entity, for `read_redirects`; no file for a corpus without redirects."""
    path = corpus / "tables" / REDIRECTS
    if not path.is_file():
        return
    file = pq.ParquetFile(path)
    schema = pa.schema([file.schema_arrow.field(name) for name in ("title", "final")])
    wanted = pa.array(list(entities.ids), schema.field("final").type)
    batches = (batch.drop_null() for batch in file.iter_batches(columns=schema.names))
    kept = pa.Table.from_batches([batch.filter(pc.is_in(batch["final"], wanted)) for batch in batches], schema)
    pq.write_table(kept.sort_by("title"), target)
