"""The entity vocabulary on disk, and its look-up: title -> id by a memory-mapped trie, id -> title the same way.

`[PAD]`, `[UNK]`, `[MASK]` are 0 to 2, entities from 3, `[MASK2]` is the last id, as in the published files. No page of
a MediaWiki can bear such a title (brackets are not allowed in titles), so special tokens never meet an entity: a row
of a foreign vocabulary with such a title IS the token.
"""

import json
from collections.abc import Iterable, Mapping, Sequence
from pathlib import Path
from typing import Any

import numpy as np
import numpy.typing as npt
import pyarrow as pa

from wikiprep.errors import WikiprepError
from wikiprep.storage.memory_maps import build_trie, open_arrays, open_trie, write_arrays
from wikiprep.storage.parquet_files import RowGroupWriter
from wikiprep.tables.schema import vocabulary_schema
from wikiprep.wikidata.statements import LARGEST_ITEM

VOCAB_PARQUET = "entity_vocab.parquet"
VOCAB_JSON = "entity_vocab.json"
VOCAB_TRIE = "entity_vocab.marisa"
VOCAB_ARRAYS = "entity_vocab.arrow"
SPECIALS = ("[PAD]", "[UNK]", "[MASK]", "[MASK2]")

Row = tuple[int, str, int | None, int]  # id, title, page id, count


class EntityVocab:
    """Memory-mapped vocabulary. `specials` maps each special token to its id."""

    def __init__(self, trie: Any, arrays: tuple[npt.NDArray[Any], ...]) -> None:
        self._trie = trie
        self._id_of, self._number_of, self._page_id = arrays
        self._size = int(np.count_nonzero(self._number_of >= 0))
        self.specials = {token: int(self._id_of[number]) for token in SPECIALS if (number := trie.get(token, -1)) >= 0}

    @classmethod
    def open(cls, folder: str | Path) -> "EntityVocab":
        """Map the vocabulary of `folder`. Raises WikiprepError if it is missing or not whole."""
        folder = Path(folder)
        arrays = open_arrays(folder / VOCAB_ARRAYS, ("id_of_number", "number_of_id", "page_id"))
        return cls(open_trie(folder / VOCAB_TRIE), arrays)

    def __len__(self) -> int:
        """How many ids there are, special tokens included."""
        return self._size

    def id(self, title: str) -> int | None:
        """The id of an entity; None for a title outside the vocabulary and for special tokens."""
        number = self._trie.get(title, -1)
        if number < 0 or title in self.specials:
            return None
        return int(self._id_of[number])

    def title(self, entity: int) -> str:
        """The title (or special token) of an id. Raises KeyError for an id that the vocabulary lacks."""
        number = int(self._number_of[entity]) if 0 <= entity < len(self._number_of) else -1
        if number < 0:
            raise KeyError(entity)
        title: str = self._trie.restore_key(number)
        return title

    def page_id(self, entity: int) -> int | None:
        """The page id of an id, None where the dump has no such page or `entity` is a special token."""
        page = int(self._page_id[entity])
        return page if page >= 0 else None


def open_entity_items(folder: str | Path) -> npt.NDArray[np.int64]:
    """Wikidata's item of each entity id, 42 for Q42, -1 for none: a read-only view of the mapped file.

    Raises WikiprepError for a vocabulary without items (made without --wikidata).
    """
    (items,) = open_arrays(Path(folder) / VOCAB_ARRAYS, ("qid",))
    return items


def write_vocabulary(
    rows: Sequence[Row], out_dir: str | Path, *, links: int = 0, qids: Mapping[int, str] | None = None
) -> int:
    """Write a vocabulary with ids of its own (gaps allowed) and return how many ids it has.

    `links`: all links of text to namespace 0, the whole of `cumulative_share`; 0 takes the sum of the counts. `qids`:
    Wikidata items by id, for a column of their own. Special tokens that `rows` lack are added: at their own ids where
    those are free, else behind the last id. Several titles may share an id (a multilingual vocabulary); the first is
    the one that `EntityVocab.title` gives.

    Raises WikiprepError if one title has two ids, or an id is negative.
    """
    out = Path(out_dir)
    out.mkdir(parents=True, exist_ok=True)
    rows = sorted(_with_specials(rows), key=lambda row: row[0])
    _check(rows)
    build_trie((title for _, title, _, _ in rows), out / VOCAB_TRIE)
    _write_arrays(rows, out, qids)
    _write_parquet(rows, out / VOCAB_PARQUET, links or sum(count for *_, count in rows), qids)
    _write_json(((title, entity) for entity, title, _, _ in rows), out / VOCAB_JSON)
    return len({row[0] for row in rows})


def _with_specials(rows: Sequence[Row]) -> list[Row]:
    all_rows = list(rows)
    present = {title for _, title, _, _ in all_rows if title in SPECIALS}
    used_ids = {entity for entity, _, _, _ in all_rows}
    missing = [token for token in SPECIALS if token not in present]
    in_place = [token for token in missing if token != SPECIALS[-1] and SPECIALS.index(token) not in used_ids]
    all_rows += [(SPECIALS.index(token), token, None, 0) for token in in_place]
    last = max((entity for entity, _, _, _ in all_rows), default=-1)
    appended = [token for token in missing if token not in in_place]
    all_rows += [(last + place, token, None, 0) for place, token in enumerate(appended, 1)]
    return all_rows


def _check(rows: Sequence[Row]) -> None:
    seen: dict[str, int] = {}
    for entity, title, _, _ in rows:
        if entity < 0 or entity > np.iinfo(np.int32).max:
            raise WikiprepError(f"entity {title!r} has the id {entity}", "ids are 0 to 2147483647")
        if seen.setdefault(title, entity) != entity:
            raise WikiprepError(
                f"the title {title!r} has two ids, {seen[title]} and {entity}",
                "a vocabulary of several languages must be narrowed to one: give --language",
            )


def _write_arrays(rows: Sequence[Row], out: Path, qids: Mapping[int, str] | None) -> None:
    trie = open_trie(out / VOCAB_TRIE)
    size = max(len(trie), rows[-1][0] + 1)
    id_of = np.full(size, -1, np.int32)
    number_of = np.full(size, -1, np.int32)
    page_id = np.full(size, -1, np.int64)
    for entity, title, page, _ in rows:
        number = trie[title]
        id_of[number] = entity
        if number_of[entity] < 0:
            number_of[entity] = number
            page_id[entity] = -1 if page is None else page
    arrays: dict[str, npt.NDArray[Any]] = {"id_of_number": id_of, "number_of_id": number_of, "page_id": page_id}
    if qids is not None:
        arrays["qid"] = np.full(size, -1, np.int64)
        for entity, qid in qids.items():
            number = int(qid[1:])
            # page_props may hold anything; an item that Wikidata cannot have has no triples either.
            arrays["qid"][entity] = number if number <= LARGEST_ITEM else -1
    write_arrays(out / VOCAB_ARRAYS, arrays)


def _write_parquet(rows: Sequence[Row], path: Path, links: int, qids: Mapping[int, str] | None) -> None:
    schema = vocabulary_schema(qids is not None)
    writer = RowGroupWriter(path, schema)
    counts = np.array([count for *_, count in rows], np.int64)
    share = np.cumsum(counts) / links if links else np.zeros(len(rows))
    columns = [
        pa.array([row[0] for row in rows], pa.int32()),
        pa.array([row[1] for row in rows], pa.string()),
        pa.array([row[2] for row in rows], pa.int64()),
        pa.array(counts),
        pa.array(share, pa.float64()),
    ]
    if qids is not None:
        columns.append(pa.array([qids.get(row[0]) for row in rows], pa.string()))
    writer.add(pa.Table.from_arrays(columns, schema=schema))
    writer.close()


def _write_json(entries: Iterable[tuple[str, int]], path: Path) -> None:
    """{title: id}, an entry a line: what Hugging Face's LukeTokenizer loads."""
    with path.open("w", encoding="utf-8", newline="\n") as f:
        f.write("{")
        separator = "\n"
        for title, entity in entries:
            f.write(f"{separator}{json.dumps(title, ensure_ascii=False)}: {entity}")
            separator = ",\n"
        f.write("\n}\n")
