"""Articles of a corpus one after the other: plain data for people, Arrow batches for work on all of them."""

from collections.abc import Iterator, Sequence
from dataclasses import dataclass, field
from typing import TYPE_CHECKING

from wikiprep.corpus.articles import ArticleRow, article_rows, read_articles
from wikiprep.errors import UsageError, no_folder
from wikiprep.files import Store

if TYPE_CHECKING:
    import pyarrow as pa


@dataclass(slots=True)
class Article(ArticleRow):
    """An article, or a disambiguation page (`kind`), with the columns of articles/ (docs/formats.md).

    `redirected_from` is the title of the redirect that was asked for, None where the title is the article's own.
    """

    redirected_from: str | None = None
    _part: str = field(default="", repr=False, compare=False)  # part-00000-of-00431, where its records are too

    @property
    def text(self) -> str:
        """The text of all paragraphs, one a line."""
        return "\n".join(paragraph.text for paragraph in self.paragraphs)


def article_of(row: ArticleRow, redirected_from: str | None = None, part: str = "") -> Article:
    """A row with where it came from."""
    return Article(
        row.page_id,
        row.revision_id,
        row.timestamp,
        row.title,
        row.qid,
        row.kind,
        row.categories,
        row.interlanguage,
        row.flags,
        row.paragraphs,
        redirected_from,
        part,
    )


class Articles:
    """All articles in the order of the dump.

    Nothing is read before it is asked for; can be gone through again, and pickled into workers.
    """

    def __init__(self, store: Store) -> None:
        self._store = store

    def __reduce__(self) -> tuple[type["Articles"], tuple[Store]]:
        return Articles, (self._store,)

    def __repr__(self) -> str:
        return f"Articles({self._store.url!r})"

    def __len__(self) -> int:
        """How many there are, by the footers of the files."""
        import pyarrow.parquet as pq

        return sum(pq.read_metadata(self._store.fetch(path)).num_rows for path in self._paths())

    def __iter__(self) -> Iterator[Article]:
        for path in self._paths():
            for batch in read_articles(self._store.fetch(path)):
                yield from map(article_of, article_rows(batch))

    def batches(self, columns: Sequence[str] | None = None) -> "Iterator[pa.RecordBatch]":
        """The same as Arrow batches of at most some hundred rows, with all columns or with these.

        A column is a top-level name, or a path such as "paragraphs.list.element.text".
        """
        for path in self._paths():
            yield from read_articles(self._store.fetch(path), None if columns is None else list(columns))

    def _paths(self) -> list[str]:
        return article_paths(self._store)


def article_paths(store: Store) -> list[str]:
    """The parts. Raises UsageError where there are none."""
    if store.root is not None and not store.root.is_dir():
        raise no_folder(store.url)
    paths = store.list("articles")
    if not paths:
        raise UsageError(f"{store.url}: holds no articles", "is this a folder that wikiprep made?")
    return paths
