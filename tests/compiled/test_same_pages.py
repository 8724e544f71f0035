"""Pages give the same with the compiled fast paths as without: text, links, counts, flags."""

from collections.abc import Callable
from pathlib import Path
from typing import Any

import pytest
from hypothesis import given, settings
from hypothesis import strategies as st
from ways import needs_compiled, pure

from wikiprep.dump.dump_files import find_parts
from wikiprep.dump.pages import Page, RangeReader
from wikiprep.dump.ranges import plan_ranges
from wikiprep.dump.site import Site
from wikiprep.wikitext.extract import Extractor
from wikiprep.wikitext.links import LinkReader

pytestmark = needs_compiled
# Trails of letters, of punctuation, none, a prefix before links, right to left, capitals that count (Wiktionary's).
LANGUAGES = ["en", "de", "ca", "ar", "zh", "ru", "fr", "tr", "hi"]
UNITS = [
    "[[",
    "]]",
    "|",
    "[[a]]",
    "[[A|b]]s",
    "[[a]]'s",
    "[[a|]]",
    "[[a| ]]",
    "[[ a ]]",
    "[[T]]",
    "[[T#x]]",
    "[[#x]]",
    "[[a#b|c]]",
    "[[]]",
    "[[a|b]",
    "[[[a]]]",
    "[[a]]]",
    "[[a\nb]]",
    "[[Category:a]]",
    "[[File:a.jpg|thumb|",
    "[[File:b.png]]",
    "[[de:a]]",
    "[[:en:a]]",
    "[[wikt:a|b]]",
    "[[a%20b]]",
    "[[a&amp;b]]",
    "[[a|''b'']]",
    "[[a''b]]",
    "[[a]]、b",
    "[[a]]—",
    "[[http://a.b c]]",
    "[http://a.b c]",
    "[[語]]語",
    "[[é|😀]]",
    "''",
    "'''",
    "'''''",
    "''''",
    "'",
    "\n",
    "\n\n",
    "\n*",
    "\n**",
    "\n#",
    "\n:",
    "\n;",
    "\n; a : b",
    "\n*''",
    "\n=",
    "\n== h ==\n",
    "\n----",
    "\n-",
    "\n|",
    "\n ",
    "\n\t",
    "\n'''",
    "\n{|\n|}",
    "  ",
    "\xa0",
    "\u3000",
    "\u200b",
    "\x7f",
    "<br>",
    "<br>\n",
    "</br>",
    "{{x}}",
    "\n{{x}}\n",
    "({{x}})",
    "{{nowrap|a}}",
    "{{lang|fr|[[a]]}}",
    "{{PAGENAME}}",
    "{{{1|a}}}",
    "<ref>n</ref>",
    "<ref name=a/>",
    "<ul><li>",
    "</li></ul>",
    "<blockquote>",
    "</blockquote>",
    "<nowiki>[[a]] *</nowiki>",
    "<!-- c -->",
    "&nbsp;",
    "&#91;",
    "<div>",
    "</div>",
    "-{zh-hans:a;zh-hant:b}-",
    "__TOC__",
    " ,",
    "( )",
    ".",
    "Plain words of a sentence",
    "*",
    "#",
    ":",
    ";",
    "=",
    "-",
    "é",
    "語",
    "😀",
]
PAGES = st.lists(st.sampled_from(UNITS), max_size=40).map("".join)
OPTIONS: list[dict[str, Any]] = [{}, {"captions": True, "math": "tex"}, {"templates": "drop"}]


def _told(extractor: Extractor, text: str, title: str) -> object:
    result = extractor.extract(text, title, "2020-01-02T03:04:05Z")
    return (
        list(result.paragraphs),
        result.categories,
        result.interlanguage,
        result.flags,
        result.disambiguation,
        result.links,
        result.templates,
    )


def _assert_same(make: Callable[[], Extractor], pages: list[tuple[str, str]]) -> None:
    """Extractors of their own: what one remembers of targets the other is to find out itself."""
    fast = make()
    with pure():
        slow = make()
    assert type(slow._links) is LinkReader and type(fast._links) is not LinkReader
    for title, text in pages:
        told = _told(fast, text, title)
        with pure():
            assert _told(slow, text, title) == told, title


@settings(max_examples=400)
@given(PAGES, st.sampled_from(LANGUAGES), st.sampled_from(OPTIONS))
def test_any_markup(text: str, language: str, options: dict[str, Any]) -> None:
    site = Site.for_language(language)
    _assert_same(lambda: Extractor(site, **options), [("T", text)])


@given(st.text(), st.sampled_from(LANGUAGES))
def test_any_text(text: str, language: str) -> None:
    _assert_same(lambda: Extractor(Site.for_language(language)), [("T", text)])


DUMPS = [
    "enwiki-2016-206pages.xml.bz2",
    "ltgwiki-whole-2004pages.xml.bz2",
    "jawiki-20250801-234pages-truncated.xml.bz2",
    "enwiktionary-20150224-300pages-multistream.xml.bz2",
]


def _real_pages(dump: Path) -> tuple[Site, list[tuple[str, str]]]:
    parts = find_parts([str(dump)])
    site = Site.of(parts[0].siteinfo)
    read = [found for piece in plan_ranges(parts, 10**9) for found in RangeReader(piece, site.siteinfo, True)]
    pages = [(page.title, page.text) for page in read if isinstance(page, Page) and page.redirect is None]
    assert len(pages) > 50
    return site, pages


def _assert_same_pages(site: Site, pages: list[tuple[str, str]]) -> None:
    for options in OPTIONS:
        _assert_same(lambda options=options: Extractor(site, **options), pages)


@pytest.mark.parametrize("name", DUMPS)
def test_real_pages(name: str, shared_data: Path) -> None:
    """Every sixth: of all lengths and kinds. All are slow."""
    site, pages = _real_pages(shared_data / "dumps" / name)
    _assert_same_pages(site, pages[::6])


@pytest.mark.slow
@pytest.mark.parametrize("name", DUMPS)
def test_all_real_pages(name: str, shared_data: Path) -> None:
    _assert_same_pages(*_real_pages(shared_data / "dumps" / name))
