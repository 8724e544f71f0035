"""Mention counts in the simplest way: everything in memory, a page at a time, a link at a time."""

from collections import Counter, defaultdict
from collections.abc import Callable, Iterable
from dataclasses import dataclass, field
from pathlib import Path

import pyarrow.parquet as pq
from simple_finder import SimpleFinder

from wikiprep.corpus.articles import ArticleRow, article_rows, read_articles
from wikiprep.tables.mentions.normalize import is_name, normal_name


@dataclass
class Naive:
    """`links` and `link_pages` by (name, target), the others by name; `marks` are "title", "redirect", "listed"."""

    links: Counter[tuple[str, str]] = field(default_factory=Counter)
    link_pages: dict[tuple[str, str], set[int]] = field(default_factory=lambda: defaultdict(set))
    name_pages: dict[str, set[int]] = field(default_factory=lambda: defaultdict(set))
    marks: dict[tuple[str, str], set[str]] = field(default_factory=lambda: defaultdict(set))
    texts: Counter[str] = field(default_factory=Counter)
    text_pages: dict[str, set[int]] = field(default_factory=lambda: defaultdict(set))

    def mark(self, name: str, target: str, mark: str) -> None:
        """A title as a name, if it can be one."""
        if is_name(normal_name(name)):
            self.marks[normal_name(name), target].add(mark)

    @property
    def names(self) -> set[str]:
        return {name for name, _ in self.links} | {name for name, _ in self.marks}

    def rows(self) -> list[dict[str, object]]:
        """As in mentions.parquet, but for page ids, in its order."""
        total = Counter[str]()
        for (name, _), n in self.links.items():
            total[name] += n
        keys = sorted(self.links.keys() | self.marks.keys(), key=lambda key: (key[0], -self.links[key], key[1]))
        return [
            {
                "name": name,
                "target": target,
                "link_count": self.links[name, target],
                "link_page_count": len(self.link_pages.get((name, target), ())),
                "name_link_count": total[name],
                "name_link_page_count": len(self.name_pages.get(name, ())),
                "text_count": self.texts[name],
                "text_page_count": len(self.text_pages.get(name, ())),
                "is_title": "title" in self.marks.get((name, target), ()),
                "is_redirect_title": "redirect" in self.marks.get((name, target), ()),
                "is_disambiguation_title": "listed" in self.marks.get((name, target), ()),
            }
            for name, target in keys
        ]


def articles_of(output: Path) -> list[ArticleRow]:
    """Every document of a build."""
    return [
        row for part in sorted((output / "articles").iterdir()) for b in read_articles(part) for row in article_rows(b)
    ]


class Wiki:
    """What targets mean, by the tables that people read: pages.parquet and redirects.parquet."""

    def __init__(self, output: Path, is_main: Callable[[str], bool], *, keep: bool = False, linked: bool = False):
        first: dict[str, str] = {}
        for page in pq.read_table(output / "tables" / "pages.parquet").to_pylist():
            if page["kind"] in ("article", "disambiguation"):
                first.setdefault(page["title"], page["kind"])
        self.documents = first
        self.redirects = {
            row["title"]: row["final"]
            for row in pq.read_table(output / "tables" / "redirects.parquet").to_pylist()
            if row["status"] in ("resolved", "missing")
        }
        self.dead = {
            row["title"] for row in pq.read_table(output / "tables" / "redirects.parquet").to_pylist()
        } - self.redirects.keys()
        self.is_main, self.keep, self.linked = is_main, keep, linked

    def kinds(self) -> tuple[str, ...]:
        return ("article", "disambiguation") if self.keep else ("article",)

    def meant(self, target: str) -> str | None:
        """The page that a target means; None if it means none."""
        if target in self.dead or not self.is_main(target):
            return None
        end = self.redirects.get(target, target)
        kind = self.documents.get(end)
        if kind is None:
            return end if self.linked else None
        return end if kind in self.kinds() else None


def count(articles: Iterable[ArticleRow], wiki: Wiki) -> Naive:
    """All counts."""
    articles = list(articles)
    naive = Naive()
    for number, article in enumerate(articles):
        for paragraph in article.paragraphs:
            for place, link in enumerate(paragraph.links):
                target = wiki.meant(link.target)
                if article.kind == "disambiguation" and place == 0 and target is not None:
                    for name in {article.title, _without_bracket(article.title)}:
                        naive.mark(name, target, "listed")
                name = normal_name(paragraph.text[link.start : link.end])
                if article.kind in wiki.kinds() and target is not None and is_name(name):
                    naive.links[name, target] += 1
                    naive.link_pages[name, target].add(number)
                    naive.name_pages[name].add(number)
    for title, kind in wiki.documents.items():
        if kind in wiki.kinds():
            naive.mark(title, title, "title")
    for title in wiki.redirects:
        target = wiki.meant(title)
        if target is not None:
            naive.mark(title, target, "redirect")
    _count_texts(articles, wiki, naive)
    return naive


def _count_texts(articles: list[ArticleRow], wiki: Wiki, naive: Naive) -> None:
    names = naive.names
    finder = SimpleFinder(sorted(names), normal_name)
    for number, article in enumerate(articles):
        if article.kind not in wiki.kinds():
            continue
        for paragraph in article.paragraphs:
            spans = [(link.start, link.end) for link in paragraph.links]
            linked = [normal_name(paragraph.text[start:end]) for start, end in spans]
            found = [finder.trie.restore_key(i) for _, _, i in finder.find(paragraph.text, spans)]
            for name in [*found, *(name for name in linked if name in names)]:
                naive.texts[name] += 1
                naive.text_pages[name].add(number)


def _without_bracket(title: str) -> str:
    if title.endswith((")", "）")):
        cut = max(title.rfind("("), title.rfind("（"))
        if cut > 0 and title[:cut].strip() and ")" not in title[cut:-1]:
            return title[:cut].rstrip()
    return title
