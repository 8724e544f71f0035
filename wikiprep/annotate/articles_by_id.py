"""The article row of a page id, for one page after another: row groups are found by their statistics."""

from collections.abc import Sequence
from dataclasses import dataclass

import pyarrow as pa
import pyarrow.compute as pc
import pyarrow.parquet as pq

from wikiprep.corpus.article_arrays import COLUMNS
from wikiprep.files import Store


@dataclass(frozen=True, slots=True)
class LocatedArticle:
    """A row, alone in its batch, and the file that it stands in."""

    row: pa.RecordBatch
    path: str


class ArticlesById:
    """Rows of articles/ by page id. The first call reads the footer of every part; a row costs some tens of ms."""

    def __init__(self, store: Store) -> None:
        self._store = store
        self._groups: list[tuple[int, int, str, int]] | None = None  # least and greatest page id, part, row group

    def row(self, page_id: int) -> pa.RecordBatch | None:
        """The row as a batch with `article_arrays.COLUMNS`, None where no part has it."""
        article = self.find(page_id, COLUMNS)
        return None if article is None else article.row

    def find(self, page_id: int, columns: Sequence[str] | None = None) -> LocatedArticle | None:
        """The row with these columns, or with all, and its file."""
        if self._groups is None:
            self._groups = list(self._read_groups())
        for least, greatest, path, group in self._groups:
            if not least <= page_id <= greatest:
                continue
            with pq.ParquetFile(self._store.fetch(path)) as file:
                place = pc.index(file.read_row_group(group, columns=["page_id"])["page_id"], page_id).as_py()
                if place >= 0:
                    table = file.read_row_group(group, columns=None if columns is None else list(columns))
                    return LocatedArticle(table.slice(place, 1).combine_chunks().to_batches()[0], path)
        return None

    def _read_groups(self) -> "list[tuple[int, int, str, int]]":
        groups = []
        for path in self._store.list("articles"):
            metadata = pq.read_metadata(self._store.fetch(path))
            for group in range(metadata.num_row_groups):
                statistics = metadata.row_group(group).column(0).statistics
                if statistics is not None and statistics.has_min_max:
                    groups.append((statistics.min, statistics.max, path, group))
        return groups
