"""Folders of HTML: where title, ids and items come from, and what of a folder is refused."""

from pathlib import Path

import pytest

from wikiprep.dump.pages import BadPage, Page
from wikiprep.dump.site import Site
from wikiprep.errors import WikiprepError
from wikiprep.parsoid.document import HtmlPage, read_head
from wikiprep.parsoid.folder import FIRST_ID, list_folder, pages_of_files
from wikiprep.parsoid.sources import find_html

from .made import document

SITE = Site.for_language("en")


def made(folder: Path, **files: str) -> list[Page | BadPage]:
    for name, text in files.items():
        (folder / f"{name}.html").write_text(text, encoding="utf-8")
    return list(pages_of_files(str(folder), list_folder(str(folder)), SITE))


def test_a_document_names_its_page(tmp_path: Path) -> None:
    (page,) = made(tmp_path, a=document("<p>x</p>", "AC/DC", 5, 77))
    assert isinstance(page, HtmlPage)
    assert (page.title, page.page_id, page.revision_id, page.timestamp) == ("AC/DC", 5, 77, "2026-11-02T10:00:00Z")


def test_the_head_of_a_document() -> None:
    head = read_head(document("<p>", "R&B hits", 3, wiki="de"))
    assert (head.title, head.namespace, head.language, head.base) == ("R&B hits", 0, "de", "//de.wikipedia.org/wiki/")
    assert read_head("<title>A &amp; B</title><p>").title == "A & B"
    assert read_head("<p>no head").title == ""


def test_a_body_has_its_files_name_for_a_title(tmp_path: Path) -> None:
    first, second = made(tmp_path, **{"AC%2FDC": "<p>a", "New_York": "<p>b"})
    assert isinstance(first, HtmlPage) and isinstance(second, HtmlPage)
    assert [(p.title, p.page_id) for p in (first, second)] == [("AC/DC", FIRST_ID + 1), ("New York", FIRST_ID + 2)]


def test_titles_tsv_comes_first(tmp_path: Path) -> None:
    (tmp_path / "titles.tsv").write_text("a.html\tOslo_city\t9\tQ585\r\nb.html\tBergen\n\n", encoding="utf-8")
    first, second = made(tmp_path, a=document("<p>", "Other", 5), b="<p>b")
    assert isinstance(first, HtmlPage) and isinstance(second, HtmlPage)
    assert (first.title, first.page_id, first.qid) == ("Oslo city", 9, "Q585")
    assert (second.title, second.page_id, second.qid) == ("Bergen", FIRST_ID + 2, None)


@pytest.mark.parametrize(
    ("line", "problem"),
    [
        ("a.html", "line 2: no title"),
        ("a.html\tA\tx", "line 2: 'x' is no page id"),
        ("a.html\tA\t1\tX1", "line 2: 'X1' is no QID"),
        ("b.html\tB", "line 2: 'b.html' comes twice"),
        ("c.html\tC", "'c.html' is no HTML file of the folder"),
    ],
)
def test_lines_of_titles_tsv_that_are_none(tmp_path: Path, line: str, problem: str) -> None:
    (tmp_path / "titles.tsv").write_text(f"b.html\tB\n{line}\n", encoding="utf-8")
    with pytest.raises(WikiprepError, match=problem):
        made(tmp_path, a="<p>", b="<p>")


def test_files_that_are_rejects(tmp_path: Path) -> None:
    (tmp_path / "x.html").write_bytes(b"<p>\xff")
    bad, other = made(tmp_path, y=document("<p>", "A[b"))
    assert isinstance(bad, BadPage) and isinstance(other, BadPage)
    assert (bad.reason, bad.detail) == ("not UTF-8", "x.html: invalid start byte at byte 3")
    assert (other.reason, other.title) == ("no title", "A[b")


def test_the_wiki_of_a_folder(tmp_path: Path) -> None:
    made(tmp_path, a="<p>no head", b=document("<p>", "B", wiki="ltg"))
    (part,) = find_html([str(tmp_path)], None)
    assert (part.siteinfo.dbname, part.siteinfo.language, part.form) == ("ltgwiki", "ltg", "folder")
    (tmp_path / "b.html").unlink()
    with pytest.raises(WikiprepError, match="do not say which wiki"):
        find_html([str(tmp_path)], None)
    assert find_html([str(tmp_path)], "sv")[0].siteinfo.language == "sv"
