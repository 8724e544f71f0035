"""Wikidata's items of a corpus: of its pages with `--page-props` or `--wikidata`, all about them with `--wikidata`."""

from collections.abc import Iterator
from dataclasses import dataclass
from functools import cached_property
from typing import Any

import pyarrow.compute as pc
import pyarrow.parquet as pq

from wikiprep.errors import UsageError, WikiprepError
from wikiprep.files import Store
from wikiprep.storage.parquet_files import read_parquet
from wikiprep.tables.mentions.normalize import is_writable
from wikiprep.tables.qids import Qids
from wikiprep.tables.resolver import open_titles
from wikiprep.tables.title_lookup import TitleTable
from wikiprep.wikidata.items_table import ITEMS

_TABLE, _PAGES = f"tables/{ITEMS}", "tables/pages.parquet"


@dataclass(frozen=True, slots=True)
class Item:
    """An item of Wikidata with a page in the wiki.

    `titles`: of its pages, by wiki (`enwiki`). `instance_of`: classes (P31), as QIDs. `label` and `description` are
    None where Wikidata's dump has none.
    """

    qid: str
    titles: dict[str, str]
    label: str | None
    description: str | None
    instance_of: tuple[str, ...]
    disambiguation: bool
    list: bool


class Items:
    """QIDs by title and back, and items by QID."""

    def __init__(self, store: Store) -> None:
        self._store = store

    def __reduce__(self) -> tuple[type["Items"], tuple[Store]]:
        return Items, (self._store,)

    def __repr__(self) -> str:
        return f"Items({self._store.url!r})"

    def __len__(self) -> int:
        """How many items the table has. Raises WikiprepError for a corpus without it."""
        return int(pq.read_metadata(self._store.fetch(self._table)).num_rows)

    def __iter__(self) -> Iterator[Item]:
        """Every item, by QID; read from disk as it goes on. Raises WikiprepError for a corpus without the table."""
        with pq.ParquetFile(self._store.fetch(self._table)) as file:
            for batch in file.iter_batches():
                yield from map(_item, batch.to_pylist())

    def item(self, qid: str) -> Item | None:
        """The item "Q42"; None where the table lacks it. Some ten ms.

        Raises WikiprepError for a corpus without the table, UsageError for what is no QID.
        """
        table = read_parquet(self._store, self._table, filters=pc.field("qid") == item_number(qid))
        rows = table.to_pylist()
        return _item(rows[0]) if rows else None

    def qid(self, title: str) -> str | None:
        """The item of a page, redirects followed; None where it is not known, or there is no such page."""
        page_id = self._titles.resolve(title).page_id if is_writable(title) else None
        return self._qids.of(page_id)

    def title(self, qid: str) -> str | None:
        """The title of the page of an item; None where the wiki has none. Reads two columns: a second for a large wiki.

        Raises UsageError for what is no QID.
        """
        item_number(qid)
        table = read_parquet(
            self._store,
            _PAGES,
            ["title", "qid", "kind"],
            (pc.field("qid") == qid) & pc.field("kind").isin(["article", "disambiguation"]),
        )
        titles: list[str] = table["title"].to_pylist()
        return titles[0] if titles else None

    @cached_property
    def _qids(self) -> Qids:
        return Qids(self._store)

    @cached_property
    def _titles(self) -> TitleTable:
        return open_titles(self._store)

    @property
    def _table(self) -> str:
        if self._store.size(_TABLE) is None:
            raise WikiprepError(
                f"{self._store.url}: no table of items",
                "give the build's command again with --wikidata FILE --update: it adds them",
            )
        return _TABLE


def item_number(qid: str) -> int:
    """42 of "Q42". Raises UsageError for what is no QID."""
    if not (qid[:1] == "Q" and qid[1:].isascii() and qid[1:].isdecimal() and len(qid) < 12):
        raise UsageError(f"{qid!r} is no item of Wikidata", "give one such as Q42")
    return int(qid[1:])


def _item(row: dict[str, Any]) -> Item:
    return Item(
        f"Q{row['qid']}",
        {entry["wiki"]: entry["title"] for entry in row["titles"]},
        row["label"],
        row["description"],
        tuple([f"Q{number}" for number in row["instance_of"]]),
        row["disambiguation"],
        row["list"],
    )
