"""Which lines are headings, of which level, and what their titles are."""

import pytest

from wikiprep.dump.site import Site
from wikiprep.wikitext.extract import extract

EN = Site.for_language("en")


@pytest.mark.parametrize(
    ("line", "section"),
    [
        ("==History==", ("A", "History")),
        ("==  of \t two  == ", ("A", "of two")),
        ("==a===", ("A", "a=")),
        ("===a==", ("A", "=a")),
        ("== a = b ==", ("A", "a = b")),
        ("= b =", ("b",)),
        ("=======a=======", ("A", "=a=")),
        ("== [[a|b]] ''c'' ==", ("A", "b c")),
        ("==a==<!-- behind -->", ("A", "a")),
        ("==a== b", ("A",)),
        ("==", ("A",)),
        # Nothing but signs: MediaWiki's preprocessor leaves the middle one or two.
        ("===", ("=",)),
        ("====", ("==",)),
        ("=====", ("A", "=")),
        ("========", ("A", "==")),
        ("=" * 20, ("A", "=" * 8)),
    ],
)
@pytest.mark.parametrize("before", ["", "prose\n"])
def test_a_line_is_a_heading(line: str, section: tuple[str, ...], before: str) -> None:
    paragraphs = extract(f"=A=\n{before}{line}\n\nend", "T", EN).paragraphs
    assert (paragraphs[-1].section, paragraphs[-1].text.split()[-1]) == (section, "end")


def test_what_looks_like_one_within_a_paragraph_is_its_text() -> None:
    assert [p.text for p in extract("a\n= b\nc", "T", EN).paragraphs] == ["a = b c"]
