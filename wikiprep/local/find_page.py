"""Where a page is in a corpus: its article row, and its records."""

import difflib
from collections.abc import Iterator
from dataclasses import dataclass
from pathlib import PurePosixPath
from typing import Any

import pyarrow.compute as pc

from wikiprep.corpus.articles import ArticleRow, article_rows
from wikiprep.corpus.shards import read_shard
from wikiprep.errors import UsageError, WikiprepError
from wikiprep.files import Store
from wikiprep.local.targets import must_be_there
from wikiprep.tables.parquet_files import read_parquet


@dataclass(frozen=True, slots=True)
class Found:
    """An article and the name of its part, `part-00000-of-00431`; its records are in the part of that name."""

    row: ArticleRow
    part: str


def find_article(store: Store, page: str) -> Found:
    """The article of that title (underscores or spaces), else of that page id, redirects of the corpus followed.

    Raises WikiprepError that says what became of the page, or which titles are near.
    """
    must_be_there(store.url)
    if not store.list("articles"):
        raise UsageError(f"{store.url}: holds no articles", "is this a folder that wikiprep made?")
    title = page.replace("_", " ").strip()
    capital = title[:1].upper() + title[1:]  # as most wikis write it
    for wanted in dict.fromkeys((title, _redirected(store, title), capital, _redirected(store, capital))):
        if wanted is not None and (found := _article(store, pc.field("title") == wanted)) is not None:
            return found
    if (
        page.isdecimal()
        and int(page[:20]) < 2**63
        and (found := _article(store, pc.field("page_id") == int(page))) is not None
    ):
        return found
    raise WikiprepError(f"{store.url}: no article {page!r}", _why_not(store, title))


def records_of(store: Store, found: Found) -> Iterator[dict[str, Any]]:
    """The records made of an article, in order. Pages of one title are told apart by their ids, if they have any."""
    path = f"records/{found.part}.arrow"
    if store.size(path) is None:
        return
    for batch in read_shard(store.fetch(path)):
        mine = pc.equal(batch["title"], found.row.title)
        if found.row.page_id is not None:
            mine = pc.and_(mine, pc.equal(batch["page_id"], found.row.page_id))
        if pc.any(mine).as_py():
            yield from batch.filter(mine).to_pylist()


def _article(store: Store, condition: pc.Expression) -> Found | None:
    for path in store.list("articles"):
        # Statistics of the row groups let most of the file be skipped.
        table = read_parquet(store, path, filters=condition)
        for batch in table.to_batches():
            for row in article_rows(batch):
                return Found(row, PurePosixPath(path).stem)
    return None


def _redirected(store: Store, title: str) -> str | None:
    if store.size("tables/redirects.parquet") is None:
        return None
    found = read_parquet(store, "tables/redirects.parquet", ["final"], pc.field("title") == title)
    finals: list[str | None] = found["final"].to_pylist()
    return finals[0] if finals else None


def _why_not(store: Store, title: str) -> str:
    if store.size("tables/pages.parquet") is None:
        return "look at the titles in articles/"
    pages = read_parquet(store, "tables/pages.parquet", ["title", "kind"])
    exact = pages.filter(pc.equal(pages["title"], title))
    if exact.num_rows:
        return f"the dump has that page, but it is of kind {exact['kind'][0].as_py()}"
    start = pages.filter(pc.starts_with(pages["title"], title[:1], ignore_case=True))["title"].to_pylist()
    near = difflib.get_close_matches(title, start[:100_000], 3)
    return f"near titles are {', '.join(map(repr, near))}" if near else "no title is near it"
