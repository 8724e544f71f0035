"""The entity vocabulary of a corpus: ids that records hold, and the titles that they mean. Memory-mapped."""

from collections.abc import Iterator, Mapping
from dataclasses import dataclass

import pyarrow.parquet as pq

from wikiprep.files import Store
from wikiprep.tables.entity_vocab import VOCAB_PARQUET
from wikiprep.tables.mentions.normalize import is_writable
from wikiprep.tables.resolver import open_resolver


@dataclass(frozen=True, slots=True)
class Entity:
    """A row of tables/entity_vocab.parquet. `count`: links to it, redirects followed. `qid` None where it is unknown;
    `page_id` None for special tokens and for titles without a page in the dump."""

    id: int
    title: str
    page_id: int | None
    count: int
    qid: str | None = None


class Vocabulary:
    """Title to id and back, some microseconds each.

    Special tokens ([PAD], [UNK], [MASK], [MASK2]) have ids, see `specials`, and no pages.
    """

    def __init__(self, store: Store) -> None:
        self._store = store
        self._resolver = open_resolver(store)

    def __reduce__(self) -> tuple[type["Vocabulary"], tuple[Store]]:
        return Vocabulary, (self._store,)

    def __repr__(self) -> str:
        return f"<Vocabulary of {self._store.url}: {len(self):,} ids>"

    def __len__(self) -> int:
        """How many ids there are, special tokens included."""
        return len(self._resolver.vocabulary)

    def __contains__(self, title: object) -> bool:
        return isinstance(title, str) and self.id(title) is not None

    def __iter__(self) -> Iterator[Entity]:
        """Every row by id, special tokens too; read from disk as it goes on."""
        with pq.ParquetFile(self._store.fetch(f"tables/{VOCAB_PARQUET}")) as file:
            columns = [name for name in ("id", "title", "page_id", "count", "qid") if name in file.schema_arrow.names]
            for batch in file.iter_batches(columns=columns):
                for row in batch.to_pylist():
                    yield Entity(**row)

    @property
    def specials(self) -> Mapping[str, int]:
        """The id of each special token."""
        return dict(self._resolver.vocabulary.specials)

    def id(self, title: str) -> int | None:
        """The id that a link to `title` has in the records, redirects followed; None for what is no entity."""
        return self._resolver.entity_id(title) if is_writable(title) else None

    def title(self, entity: int) -> str:
        """The title (or special token) of an id. Raises KeyError for an id that the vocabulary lacks."""
        return self._resolver.vocabulary.title(entity)

    def page_id(self, entity: int) -> int | None:
        """The page id of an id; None for a special token and for a title without a page.

        Raises KeyError for an id that the vocabulary lacks."""
        self.title(entity)
        return self._resolver.vocabulary.page_id(entity)
