"""Where a page is in a corpus: its article row, and its records."""

import difflib
from collections.abc import Iterator
from pathlib import PurePosixPath
from typing import Any

import pyarrow.compute as pc

from wikiprep.annotate.articles_by_id import ArticlesById
from wikiprep.api.articles import Article, article_of, article_paths
from wikiprep.corpus.articles import article_rows
from wikiprep.corpus.shards import read_shard
from wikiprep.errors import WikiprepError
from wikiprep.files import Store
from wikiprep.storage.parquet_files import read_parquet
from wikiprep.tables.mentions.normalize import is_writable
from wikiprep.tables.resolver import open_titles
from wikiprep.tables.title_lookup import TITLE_TRIE, TitleTable


class ArticleFinder:
    """Finds articles of one corpus. With a title table a page costs some tens of ms, whatever the size of the corpus;
    without one (articles alone, own text) all parts are looked through."""

    def __init__(self, store: Store) -> None:
        self._store = store
        self._titles = self._open_titles()
        self._by_id = ArticlesById(store)

    def find(self, page: str) -> Article:
        """The article of that title (underscores or spaces), else of that page id, redirects of the corpus followed.

        Raises WikiprepError that says what became of the page, or which titles are near.
        """
        article_paths(self._store)
        if not is_writable(page):
            raise WikiprepError(f"{self._store.url}: no article {page!r}", "no title has such characters")
        title = page.replace("_", " ").strip()
        capital = title[:1].upper() + title[1:]  # as most wikis write it
        for candidate in dict.fromkeys((title, capital)):
            if (article := self._find_by_title(candidate)) is not None:
                return article
        if page.isdecimal() and int(page[:20]) < 2**63 and (article := self._find_by_id(int(page))) is not None:
            return article
        raise WikiprepError(f"{self._store.url}: no article {page!r}", _explain_absence(self._store, title))

    def _open_titles(self) -> TitleTable | None:
        return open_titles(self._store) if self._store.size(f"tables/{TITLE_TRIE}") is not None else None

    def _find_by_title(self, title: str) -> Article | None:
        if self._titles is None:
            if (article := self._scan(pc.field("title") == title)) is not None:
                return article
            final_title = _redirect_target(self._store, title)
            return None if final_title is None else self._scan(pc.field("title") == final_title, title)
        resolved = self._titles.resolve(title)
        if resolved.page_id is None:
            return None
        return self._find_by_id(resolved.page_id, title if resolved.via_redirect else None)

    def _find_by_id(self, page_id: int, redirected_from: str | None = None) -> Article | None:
        location = self._by_id.find(page_id)
        if location is None:
            return None
        (row,) = article_rows(location.row)
        return article_of(row, redirected_from, PurePosixPath(location.path).stem)

    def _scan(self, condition: pc.Expression, redirected_from: str | None = None) -> Article | None:
        for path in self._store.list("articles"):
            # Statistics of the row groups let most of the file be skipped.
            table = read_parquet(self._store, path, filters=condition)
            for batch in table.to_batches():
                for row in article_rows(batch):
                    return article_of(row, redirected_from, PurePosixPath(path).stem)
        return None


def records_of(store: Store, article: Article) -> Iterator[dict[str, Any]]:
    """The records made of an article, in order. Pages of one title are told apart by their ids, if they have any."""
    path = f"records/{article._part}.arrow"
    if store.size(path) is None:
        return
    for batch in read_shard(store.fetch(path)):
        mask = pc.equal(batch["title"], article.title)
        if article.page_id is not None:
            mask = pc.and_(mask, pc.equal(batch["page_id"], article.page_id))
        if pc.any(mask).as_py():
            yield from batch.filter(mask).to_pylist()


def _redirect_target(store: Store, title: str) -> str | None:
    if store.size("tables/redirects.parquet") is None:
        return None
    table = read_parquet(store, "tables/redirects.parquet", ["final"], pc.field("title") == title)
    finals: list[str | None] = table["final"].to_pylist()
    return finals[0] if finals else None


def _explain_absence(store: Store, title: str) -> str:
    if store.size("tables/pages.parquet") is None:
        return "look at the titles in articles/"
    pages = read_parquet(store, "tables/pages.parquet", ["title", "kind"])
    exact = pages.filter(pc.equal(pages["title"], title))
    if exact.num_rows:
        return f"the dump has that page, but it is of kind {exact['kind'][0].as_py()}"
    same_initial = pages.filter(pc.starts_with(pages["title"], title[:1], ignore_case=True))["title"].to_pylist()
    # "Io (moon)" is what is meant by "Io", and too long to be alike.
    disambiguated = [name for name in same_initial if name.casefold().startswith(f"{title.casefold()} (")]
    near = (disambiguated + difflib.get_close_matches(title, same_initial[:100_000], 3))[:3]
    return f"near titles are {', '.join(map(repr, near))}" if near else "no title is near it"
