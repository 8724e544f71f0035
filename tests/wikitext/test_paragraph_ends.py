"""Where paragraphs end at lines with tags. What MediaWiki shows: data/wikitext_cases/blocks.txt."""

from hypothesis import given
from hypothesis import strategies as st

from wikiprep.wikitext.control_marks import BREAK, ITEM, LIST_CLOSE, LIST_OPEN, NOTHING, QUOTE_CLOSE, QUOTE_OPEN, WITHIN
from wikiprep.wikitext.paragraph_ends import end_paragraphs

PIECES = [
    "a",
    " ",
    "\n",
    "* ",
    "= b =",
    "----",
    BREAK,
    WITHIN,
    QUOTE_OPEN,
    QUOTE_CLOSE,
    LIST_OPEN,
    LIST_CLOSE,
    ITEM,
    NOTHING,
]


def shown(text: str) -> str:
    return end_paragraphs(text.replace("|", BREAK).replace("<", WITHIN)).replace(BREAK, "|")


def test_a_line_with_a_tag_stands_alone() -> None:
    assert shown("a\nb |c| d\ne") == "a\n|b |c| d|\ne"
    assert shown("a\n|\nb") == "a\n|\nb"
    assert shown("|a") == "|a" and shown("a|") == "a|" and shown("a |b\nc") == "a |b|\nc"


def test_lines_with_tags_share_what_is_between_them() -> None:
    assert shown("a |b\nc| d") == "a |b\nc| d"


def test_lines_go_on_behind_a_tag_that_lines_stand_in() -> None:
    assert shown("a\n<b\nc\nd| e\nf") == "a\n|b\nc\nd| e|\nf"
    assert shown("<b| c\nd") == "|b| c|\nd"


def test_items_headings_and_rules_keep_their_starts() -> None:
    assert shown("a\n* b |c\nd") == "a\n* b |c\nd"
    assert shown("a\n= b| =\nc") == "a\n= b| =|\nc"
    assert shown("a\n----|\nb") == "a\n----|\nb"


def test_no_two_breaks_in_a_row() -> None:
    """They would stand for an image that is a block (`IMAGE_BLOCK`)."""
    assert shown("a ||<| b") == "a | b"


@given(st.lists(st.sampled_from(PIECES), max_size=40).map("".join))
def test_only_breaks_come_and_go(text: str) -> None:
    plain = text.replace(ITEM, "\x7fi").replace(WITHIN, "").replace(BREAK, "")
    read = end_paragraphs(text)
    assert read.replace(ITEM, "\x7fi").replace(BREAK, "") == plain
    assert WITHIN not in read and end_paragraphs(read).replace(BREAK, "") == read.replace(BREAK, "")
