"""Addresses of pages open: what MediaWiki would write, and nothing that a browser would read as something else."""

from urllib.parse import unquote, urlsplit

import pytest
from hypothesis import given
from hypothesis import strategies as st

from wikiprep.dump.site import PageUrls

BASE = "https://en.wikipedia.org/wiki/Main_Page"


@pytest.mark.parametrize(
    ("title", "end"),
    [
        ("Marie Curie", "Marie_Curie"),
        ("AC/DC", "AC/DC"),
        ("What? (band)", "What%3F_(band)"),
        ('R&B "Hits"', "R%26B_%22Hits%22"),
        ("100% Pure + #1", "100%25_Pure_%2B_%231"),
        ("L'Été", "L%27%C3%89t%C3%A9"),
        ("東京", "%E6%9D%B1%E4%BA%AC"),
        ("القاهرة", "%D8%A7%D9%84%D9%82%D8%A7%D9%87%D8%B1%D8%A9"),
        ("2001: A Space Odyssey", "2001:_A_Space_Odyssey"),
        ("😀", "%F0%9F%98%80"),
    ],
)
def test_titles_as_mediawiki_writes_them(title: str, end: str) -> None:
    assert PageUrls(BASE).of(title) == f"https://en.wikipedia.org/wiki/{end}"


@pytest.mark.parametrize(
    ("base", "expected"),
    [
        ("//de.wikipedia.org/wiki/Wikipedia:Hauptseite", "https://de.wikipedia.org/wiki/A_B"),
        ("https://x.org/wiki/Portal:Main/Page", "https://x.org/wiki/A_B"),
        ("http://localhost/index.php/Main_Page", "http://localhost/index.php/A_B"),
        ("http://localhost/w/index.php?title=Main_Page", "http://localhost/w/index.php?title=A_B"),
        ("", None),
        (None, None),
        ("nonsense", None),
    ],
)
def test_bases(base: str | None, expected: str | None) -> None:
    assert PageUrls(base).of("A B") == expected


@given(st.text(st.characters(exclude_categories=["Cs", "Cc", "Z"], exclude_characters="_"), min_size=1))
def test_an_address_is_ascii_and_leads_back_to_the_title(title: str) -> None:
    address = PageUrls(BASE).of(title)
    assert address is not None
    assert address.isascii()
    parts = urlsplit(address)
    assert (parts.query, parts.fragment) == ("", "")
    assert unquote(parts.path) == f"/wiki/{title}"
