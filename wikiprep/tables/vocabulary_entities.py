"""The entities of a vocabulary file, with what stands beside it: their Wikidata items, and where redirects lead.

Beside a corpus's table are its pages and redirects; beside the vocabulary of an exported model, what `export-hf` wrote.
A published file alone has titles and no more.
"""

from collections.abc import Mapping
from dataclasses import dataclass
from pathlib import Path

import orjson
import pyarrow.parquet as pq

from wikiprep.files import Store
from wikiprep.tables.entity_vocab import VOCAB_PARQUET
from wikiprep.tables.qids import Qids
from wikiprep.tables.vocab_files import SPECIALS, read_vocabulary

REDIRECTS = "redirects.parquet"
ENTITY_REDIRECTS = "entity_redirects.parquet"  # in a run's about folder, and beside an exported checkpoint
ENTITY_QIDS = "entity_qids.json"  # {title: QID} beside an exported checkpoint of a corpus that knows them


@dataclass(frozen=True)
class VocabularyEntities:
    """`ids` without special tokens. `_redirects`: "" where there are none."""

    ids: Mapping[str, int]
    qids: Mapping[str, str]
    _redirects: str

    def redirects(self) -> dict[str, str]:
        """Title -> title at the end of its chain; empty where nothing is known."""
        return read_redirects(Path(self._redirects)) if self._redirects else {}


def open_entities(path: str, language: str | None = None) -> VocabularyEntities:
    """Of any file that `read_vocabulary` takes, `language` too. Raises as it does."""
    ids = {row.title: row.id for row in read_vocabulary(path, language) if row.title not in (*SPECIALS, "[MASK2]")}
    folder, _, name = path.rpartition("/")
    beside = Store(folder or ".")
    redirects = next((file for file in (REDIRECTS, ENTITY_REDIRECTS) if beside.size(file) is not None), "")
    qids: dict[str, str] = {}
    if beside.size(ENTITY_QIDS) is not None:
        qids = orjson.loads(beside.read(ENTITY_QIDS))
    elif name == VOCAB_PARQUET:
        qids = _qids_of_table(beside.fetch(name), folder)
    return VocabularyEntities(ids, qids, str(beside.fetch(redirects)) if redirects else "")


def read_redirects(path: Path) -> dict[str, str]:
    """Title -> final of a file with these columns; empty where there is none."""
    if not path.is_file():
        return {}
    table = pq.read_table(path, columns=["title", "final"]).drop_null()
    return dict(zip(table["title"].to_pylist(), table["final"].to_pylist(), strict=True))


def _qids_of_table(path: Path, folder: str) -> dict[str, str]:
    """Of the table's own column, else of the pages of its corpus."""
    names = pq.read_schema(path).names
    table = pq.read_table(path, columns=[name for name in ("title", "qid", "page_id") if name in names])
    titles = table["title"].to_pylist()
    if "qid" in names:
        qids = table["qid"].to_pylist()
    else:
        page_qids = Qids(Store(folder.removesuffix("/tables") if folder.endswith("/tables") else f"{folder or '.'}/.."))
        qids = [page_qids.of(page) for page in table["page_id"].to_pylist()] if "page_id" in names else []
    return {title: qid for title, qid in zip(titles, qids, strict=False) if qid}
