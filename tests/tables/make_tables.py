"""Partial page files, article parts and link counts for tests, from short rows."""

from collections.abc import Sequence
from pathlib import Path

import pyarrow as pa

from wikiprep.corpus.articles import ArticleRow, ArticleWriter
from wikiprep.storage.tables import TableResult
from wikiprep.tables.link_counts import count_links
from wikiprep.tables.page_tables import build_pages
from wikiprep.tables.schema import partial_page_schema
from wikiprep.tables.title_lookup import TitleTable
from wikiprep.wikitext.article import Link, Paragraph

NAMESPACES = {
    "Talk": 1,
    "User": 2,
    "Wikipedia": 4,
    "File": 6,
    "Template": 10,
    "Category": 14,
    "Portal": 100,
    "Module": 828,
}

PageRow = tuple[int | None, str | None, str, str | None, str | None, str | None, str | None]


def is_main(title: str) -> bool:
    """Namespace 0, by English namespace names."""
    return title.partition(":")[0] not in NAMESPACES or ":" not in title


def page(
    page_id: int | None,
    title: str | None,
    kind: str = "article",
    target: str | None = None,
    *,
    fragment: str | None = None,
    problem: str | None = None,
    qid: str | None = None,
) -> PageRow:
    """A page; one with a target or a problem is a redirect, one outside namespace 0 says so itself."""
    if kind == "article" and (target is not None or problem is not None):
        kind = "redirect"
    if kind == "article" and title is not None and not is_main(title):
        kind = "other_namespace"
    return page_id, title, kind, target, fragment, problem, qid


def write_partial(path: Path, pages: Sequence[PageRow], batch_rows: int = 3) -> Path:
    """The page file of one extract unit; revision ids are page ids times ten."""
    schema = partial_page_schema()
    rows = [
        {
            "page_id": page_id,
            "revision_id": None if page_id is None else page_id * 10,
            "namespace": NAMESPACES.get((title or "").partition(":")[0], 0),
            "title": title,
            "kind": kind,
            "redirect_target": target,
            "redirect_fragment": fragment,
            "redirect_problem": problem,
            "qid": qid,
        }
        for page_id, title, kind, target, fragment, problem, qid in pages
    ]
    with pa.OSFile(str(path), "wb") as sink, pa.ipc.new_file(sink, schema) as writer:
        writer.write_table(pa.Table.from_pylist(rows, schema=schema), max_chunksize=batch_rows)
    return path


def pages_of(folder: Path, pages: Sequence[PageRow], parts: int = 1) -> TableResult:
    """`build_pages` of `pages`, dealt out to partial files in order."""
    folder.mkdir(parents=True, exist_ok=True)
    size = -(-len(pages) // parts)
    partials = [write_partial(folder / f"partial-{i}.arrow", pages[i * size : (i + 1) * size]) for i in range(parts)]
    return build_pages(partials, folder, is_main=is_main)


def write_articles(path: Path, articles: Sequence[tuple[str, list[str]] | tuple[str, list[str], str]]) -> Path:
    """An article part; each article is a title, its link targets, and its kind."""
    writer = ArticleWriter(path)
    for number, article in enumerate(articles):
        title, targets = article[0], article[1]
        kind = article[2] if len(article) > 2 else "article"
        half = len(targets) // 2
        paragraphs = [
            Paragraph((), "prose", 0, "x " * len(part), tuple(Link(2 * i, 2 * i + 1, t) for i, t in enumerate(part)))
            for part in (targets[:half], targets[half:])
        ]
        writer.add(ArticleRow(number, None, None, title, kind=kind, paragraphs=paragraphs))
    writer.close()
    return path


def counts_of(
    folder: Path, articles: Sequence[tuple[str, list[str]]], *, keep: bool = False
) -> tuple[Path, dict[str, int]]:
    """The counts file of one part against the title table of `folder`, with the counts."""
    part = write_articles(folder / "articles.parquet", articles)
    made = count_links(part, TitleTable.open(folder), is_main, folder / "counts.arrow", keep_disambiguation=keep)
    return folder / "counts.arrow", made.counts
