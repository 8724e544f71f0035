"""Links to subpages, on wikis whose articles have some; as MediaWiki 1.39 shows them."""

import pytest

from wikiprep.dump.site import Site
from wikiprep.dump.siteinfo import Siteinfo, default_siteinfo, with_default_namespaces
from wikiprep.wikitext.extract import extract

BOOKS = Site.of(
    with_default_namespaces(
        Siteinfo("enwikibooks", "en", "Wikibooks", "https://en.wikibooks.org/wiki/Main", "", "first-letter", (), "")
    )
)
TITLE = "Book/Part/Chapter"


@pytest.mark.parametrize(
    ("text", "links"),
    [
        ("[[/Sub]] [[/Sub/]]s", [("/Sub", f"{TITLE}/Sub"), ("Subs", f"{TITLE}/Sub")]),
        ("[[/Sub/x]] [[ /Sub |y]]", [("/Sub/x", f"{TITLE}/Sub/x"), ("y", f"{TITLE}/Sub")]),
        ("[[../Up]] [[../]]", [("Book/Part/Up", "Book/Part/Up"), ("Book/Part", "Book/Part")]),
        ("[[../../]] [[../../Root/]]", [("Book", "Book"), ("Root", "Book/Root")]),
        ("[[../ x ]] [[:/Sub]]", [("Book/Part/x", "Book/Part/x"), ("/Sub", "/Sub")]),
        ("[[../../../no]] [[a/../b]] [[//a]]", []),
        ("[[/|z]] [[A]]", [("z", f"{TITLE}/"), ("A", "A")]),
    ],
)
def test_links(text: str, links: list[tuple[str, str]]) -> None:
    paragraphs = extract(text, TITLE, BOOKS).paragraphs
    assert [(p.text[k.start : k.end], k.target) for p in paragraphs for k in p.links] == links


def test_fragments_stay() -> None:
    (paragraph,) = extract("[[/Sub#f]] [[../#g]]", TITLE, BOOKS).paragraphs
    assert paragraph.text == "/Sub#f Book/Part#g"
    assert [(k.target, k.fragment) for k in paragraph.links] == [(f"{TITLE}/Sub", "f"), ("Book/Part", "g")]


def test_parts_of_the_title() -> None:
    (paragraph,) = extract("{{SUBPAGENAME}}, {{BASEPAGENAME}}, {{ROOTPAGENAME}}", TITLE, BOOKS).paragraphs
    assert paragraph.text == "Chapter, Book/Part, Book"


@pytest.mark.parametrize(
    ("dbname", "family", "expected"),
    [
        ("enwikisource", "Wikisource", True),
        ("dewikivoyage", "Wikivoyage", True),
        ("enwikivoyage", "Wikivoyage", False),
        ("enwiktionary", "Wiktionary", False),
    ],
)
def test_which_wikis_have_them(dbname: str, family: str, expected: bool) -> None:
    base = f"https://{dbname[:2]}.{family.lower()}.org/wiki/Main"
    assert Site.of(Siteinfo(dbname, dbname[:2], family, base, "", "first-letter", (), "")).subpages == expected


def test_none_on_a_wikipedia() -> None:
    site = Site.of(default_siteinfo("en"))
    (paragraph,) = extract("[[/dev/null]] {{SUBPAGENAME}}", "A/b", site).paragraphs
    assert paragraph.text == "/dev/null A/b"
    assert [k.target for k in paragraph.links] == ["/dev/null"]
