"""The files that MentionTable maps: uncompressed Arrow columns by name id and by row, and an index of folded names.

They are written through mapped scratch files, so that building them holds a range of names at a time, not all.
"""

from hashlib import blake2b
from pathlib import Path
from typing import Any

import numpy as np
import numpy.typing as npt

from wikiprep.errors import WikiprepError
from wikiprep.storage.memory_maps import write_arrays
from wikiprep.tables.mentions.normalize import loose_name
from wikiprep.tables.mentions.schema import MARKS

BY_NAME, CANDIDATES, FOLDED, MISSING = "by_name.arrow", "candidates.arrow", "folded.arrow", "missing.marisa"
NAME_COLUMNS = ("first", "rows", "link_pages", "text_count", "text_pages")
CANDIDATE_COLUMNS = ("target", "link_count", "link_page_count", "marks")
FOLDED_COLUMNS = ("hash", "name")
MARK_BITS = {mark: 1 << bit for bit, mark in enumerate(MARKS)}

Array = npt.NDArray[Any]


def folded_hash(name: str) -> int:
    """64 bits of the loose form of a name (normalize.py): the same on every machine."""
    return hash_of_folded(loose_name(name))


def hash_of_folded(form: str) -> int:
    """The same of what is in loose form already."""
    return int.from_bytes(blake2b(form.encode("utf-8", "surrogatepass"), digest_size=8).digest(), "little")


class MappedColumns:
    """Numpy columns of a known length in scratch files: written anywhere, in any order, held by nobody."""

    def __init__(self, folder: Path, size: int, columns: dict[str, type[np.generic]]) -> None:
        self._files = {name: folder / f"{name}.column" for name in columns}
        self._arrays = {name: self._map(self._files[name], size, kind) for name, kind in columns.items()}

    def __getitem__(self, column: str) -> Array:
        return self._arrays[column]

    def put(self, column: str, place: Any, values: Array) -> None:
        """Write values; raises WikiprepError for one that the column's type cannot hold."""
        array = self._arrays[column]
        if len(values) and not 0 <= values.min() <= values.max() <= np.iinfo(array.dtype).max:
            raise WikiprepError(f"a count of {values.max()} in {column} is too large for this version's look-up files")
        array[place] = values

    def write(self, path: Path) -> None:
        """All columns as one Arrow file (memory_maps.py); the scratch files are gone then."""
        write_arrays(path, self._arrays)
        self._arrays.clear()
        for file in self._files.values():
            file.unlink(missing_ok=True)

    @staticmethod
    def _map(path: Path, size: int, kind: type[np.generic]) -> Array:
        if not size:
            return np.empty(0, kind)
        return np.memmap(path, kind, "w+", shape=(size,))


def name_columns(folder: Path, names: int) -> MappedColumns:
    """By name id: its first row among the candidates, how many rows, pages linked, occurrences, pages of these."""
    return MappedColumns(folder, names, dict.fromkeys(NAME_COLUMNS, np.int32))


def candidate_columns(folder: Path, rows: int) -> MappedColumns:
    """By row of mentions.parquet: target (a title number; from the last of these on, one of MISSING), counts, marks."""
    kinds: dict[str, type[np.generic]] = dict.fromkeys(CANDIDATE_COLUMNS, np.int32)
    return MappedColumns(folder, rows, kinds | {"marks": np.uint8})


def write_folded(path: Path, hashes: Array) -> None:
    """The index from folded hash to name id, of each id's hash: 12 bytes a name, sorted by hash, then id."""
    order = np.argsort(hashes, kind="stable").astype(np.int32)
    write_arrays(path, {"hash": hashes[order], "name": order})
