"""The redirects of a corpus: where a title leads, and which titles lead to a page."""

from collections.abc import Iterator
from dataclasses import dataclass

import pyarrow.compute as pc
import pyarrow.parquet as pq

from wikiprep.errors import WikiprepError
from wikiprep.files import Store
from wikiprep.storage.parquet_files import read_parquet
from wikiprep.tables.mentions.normalize import is_writable
from wikiprep.tables.resolver import open_titles
from wikiprep.tables.title_lookup import Resolved

_TABLE = "tables/redirects.parquet"


@dataclass(frozen=True, slots=True)
class Redirect:
    """A row of tables/redirects.parquet: `title` names `target`, and the chain ends at `final`, after `hops` steps;
    `target` and `final` are None where that is no page. `status`: see docs/formats.md."""

    page_id: int
    title: str
    target: str | None
    final: str | None
    fragment: str | None
    hops: int
    status: str
    qid: str | None


class Redirects:
    """Look-ups in the title table, memory-mapped. Raises WikiprepError for a corpus that is not of a dump."""

    def __init__(self, store: Store) -> None:
        if store.size(_TABLE) is None:
            raise WikiprepError(
                f"{store.url}: no table of redirects", "it needs a corpus of a dump, built at least up to its tables"
            )
        self._store = store
        self._titles = open_titles(store)

    def __reduce__(self) -> tuple[type["Redirects"], tuple[Store]]:
        return Redirects, (self._store,)

    def __repr__(self) -> str:
        return f"<Redirects of {self._store.url}: {len(self):,}>"

    def __len__(self) -> int:
        """How many redirects the dump has, those that lead nowhere too."""
        return int(pq.read_metadata(self._store.fetch(_TABLE)).num_rows)

    def __iter__(self) -> Iterator[Redirect]:
        """Every row, by page id; read from disk as it goes on."""
        with pq.ParquetFile(self._store.fetch(_TABLE)) as file:
            for batch in file.iter_batches():
                for row in batch.to_pylist():
                    yield Redirect(**row)

    def resolve(self, title: str) -> Resolved:
        """Where a title leads, itself if it is no redirect: see `Resolved`."""
        if not is_writable(title):
            return Resolved(title, None, "missing", False)
        return self._titles.resolve(title)

    def to(self, title: str) -> list[str]:
        """The titles whose chain ends at the page `title`, by page id. Reads two columns: a second for a large wiki."""
        table = read_parquet(self._store, _TABLE, ["title", "final"], pc.field("final") == title)
        titles: list[str] = table["title"].to_pylist()
        return titles
