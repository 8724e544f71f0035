"""Mention tables for tests, made of article rows and short page rows without a dump and without stages."""

from collections import Counter
from collections.abc import Sequence
from pathlib import Path

from make_tables import PageRow, is_main, pages_of

from wikiprep.corpus.articles import ArticleRow, ArticleWriter
from wikiprep.tables.mentions.link_names import count_link_names
from wikiprep.tables.mentions.link_targets import Rules
from wikiprep.tables.mentions.merge_counts import merge_names, read_names
from wikiprep.tables.mentions.name_table import NameTable, build_names
from wikiprep.tables.mentions.text_counts import count_texts
from wikiprep.tables.mentions.title_names import count_title_names
from wikiprep.tables.mentions.write_table import MENTIONS, write_mentions
from wikiprep.tables.title_lookup import TitleTable
from wikiprep.wikitext.article import Link, Paragraph

Piece = str | tuple[str, str]  # text, or a link's text and target


def paragraph(*pieces: Piece, kind: str = "prose") -> Paragraph:
    """A paragraph of these pieces."""
    text, links = "", []
    for piece in pieces:
        shown, target = piece if isinstance(piece, tuple) else (piece, None)
        if target is not None:
            links.append(Link(len(text), len(text) + len(shown), target))
        text += shown
    return Paragraph((), kind, 0, text, tuple(links))


def article(page_id: int, title: str, *paragraphs: Paragraph, kind: str = "article") -> ArticleRow:
    """A document."""
    return ArticleRow(page_id, None, None, title, kind=kind, paragraphs=list(paragraphs))


def write_part(path: Path, articles: Sequence[ArticleRow]) -> Path:
    """An article part."""
    writer = ArticleWriter(path)
    for row in articles:
        writer.add(row)
    writer.close()
    return path


def mentions_of(
    out: Path,
    pages: Sequence[PageRow],
    articles: Sequence[ArticleRow],
    *,
    rules: Rules | None = None,
    parts: int = 1,
    shares: int = 1,
) -> Counter[str]:
    """Every step of a mention table into `out`, as MentionTable opens it; the counts of all steps."""
    rules = rules or Rules()
    tables, work = out / "tables", out / "work"
    folder = tables / "mentions"
    for path in (tables, work, folder, out / "articles"):
        path.mkdir(parents=True, exist_ok=True)
    pages_of(tables, pages)
    titles = TitleTable.open(tables)
    counts: Counter[str] = Counter()
    size = -(-len(articles) // parts) or 1
    files = [
        write_part(out / "articles" / f"part-{i}.parquet", articles[i * size : (i + 1) * size]) for i in range(parts)
    ]
    partials = [work / f"links-{i}" for i in range(parts + shares)]
    for source, path in zip(files, partials, strict=False):
        counts.update(count_link_names(source, titles, is_main, rules, path).counts)
    for i, path in enumerate(partials[parts:]):
        share = (len(titles) * i // shares, len(titles) * (i + 1) // shares)
        counts.update(count_title_names(titles, share, is_main, rules, path).counts)
    merged = work / "names"
    counts.update(merge_names(partials, merged, work / "spill").counts)
    rows = counts["mentions.rows"]
    build_names(folder, read_names(merged))
    names = NameTable.open(folder)
    texts = [work / f"texts-{i}" for i in range(parts)]
    for source, path in zip(files, texts, strict=True):
        counts.update(count_texts(source, names, rules.kinds, path).counts)
    made = write_mentions(merged, texts, rows, names, titles, folder)
    assert made.counts["mentions.rows"] == rows
    assert made.counts["mentions.names.occurrences"] == counts["mentions.occurrences"]
    (folder / MENTIONS).rename(tables / MENTIONS)
    return counts
