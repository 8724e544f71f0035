"""Lists and quotations that their tags open and close in an order that no list has."""

import pytest

from wikiprep.dump.site import Site
from wikiprep.wikitext.extract import extract

EN = Site.for_language("en")


@pytest.mark.parametrize(
    ("text", "expected"),
    [
        ("#a</ul><ul>\n#b", [("list_item", 1, "a"), ("list_item", 1, "b")]),
        ("#a</ul><ul><li>\n#b\n\nc", [("list_item", 1, "a"), ("list_item", 1, "b"), ("prose", 0, "c")]),
        (
            "*a</ul><blockquote>\n\n<blockquote>b</blockquote>\nc",
            [("list_item", 1, "a"), ("quote", 1, "b"), ("prose", 0, "c")],
        ),
    ],
)
def test_what_a_line_opens_in_the_stead_of_its_item_ends_with_it(
    text: str, expected: list[tuple[str, int, str]]
) -> None:
    """Counts of open lists stood one too high from there to the page's end."""
    assert [(p.kind, p.depth, p.text) for p in extract(text, "T", EN).paragraphs] == expected
