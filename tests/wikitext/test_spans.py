"""Marks to places, also where marks lost their partners, or mentions hold spaces or nothing."""

from collections import Counter

import pytest

from wikiprep.wikitext.link_meanings import Meaning
from wikiprep.wikitext.spans import read_spans

A, B, C = (Meaning("", title) for title in "ABC")


def read(*texts: str, targets: tuple[Meaning, ...]) -> tuple[list[object], Counter[str]]:
    links: Counter[str] = Counter()
    blocks = [((), "prose", i, text) for i, text in enumerate(texts)]
    found = read_spans(blocks, targets, links, shielded=False)
    shown = [(p.depth, p.text, [(p.text[k.start : k.end], k.target) for k in p.links]) for p in found]
    return shown, +links


@pytest.mark.parametrize(
    ("text", "expected"),
    [
        ("a \x01b\x02 c \x01d\x02", ("a b c d", [("b", "A"), ("d", "B")])),
        ("a\x01 b \x02c \x01d\x02", ("a b c d", [("b", "A"), ("d", "B")])),
        ("a \x01\x02 c \x01d\x02", ("a c d", [("d", "B")])),
        ("a \x01 \x02 c \x01d\x02", ("a c d", [("d", "B")])),
        ("a\x02 \x01b\x02 c \x01d\x02", ("a b c d", [("b", "A"), ("d", "B")])),
        ("a\x02 b\x01 c\x01d", ("a b cd", [("c", "A"), ("d", "B")])),
        ("a \x01\u3000b\x1c\x02c\x01\t\x02", ("a \u3000b\x1cc\t", [("b", "A")])),
        ("a \x01b c \x01d\x02", ("a b c d", [("b c", "A"), ("d", "B")])),
    ],
)
def test_odd_marks(text, expected):
    found, links = read("x \x01y\x02", text, "z", targets=(C, A, B))
    assert found == [(0, "x y", [("y", "C")]), (1, *expected), (2, "z", [])]
    assert links["kept"] + links["empty"] == 3
    assert links["kept"] == 1 + len(expected[1])


def test_a_block_of_empty_links_alone_goes():
    found, links = read("a", "\x01\x02 \x01\x02", "\x01b\x02", targets=(A, B, C))
    assert found == [(0, "a", []), (2, "b", [("b", "C")])]
    assert links == Counter(empty=2, kept=1)
    assert read("\x01\x02", targets=(A,)) == ([], Counter(empty=1))
    assert read(targets=()) == ([], Counter())
