"""Names of each page in its own texts: equal to trying every name at every token, and never across a link."""

from collections.abc import Sequence

import numpy as np
import pytest
from hypothesis import given, settings
from hypothesis import strategies as st

from wikiprep.tables.mentions.normalize import folded_name, is_name, normal_name
from wikiprep.tables.mentions.page_finder import PageFinder
from wikiprep.tables.mentions.tokens import class_table, code_points, token_spans

Span = tuple[int, int]


def found(
    texts: Sequence[str], names: Sequence[tuple[int, str]], pages: Sequence[int], blocked: Sequence[list[Span]] = ()
) -> list[tuple[int, str]]:
    """(text, name) of everything found, once it has been checked."""
    finder = PageFinder([name for _, name in names], np.array([page for page, _ in names], np.int64))
    links = [(text, *span) for text, spans in enumerate(blocked) for span in spans]
    columns = np.array(links, np.int64).reshape(-1, 3).T
    result = finder.find(texts, np.array(pages, np.int64), *columns)
    made, before = [], (-1, 0)
    for text, start, end, name in zip(
        *(c.tolist() for c in (result.text_index, result.start, result.end, result.name_id)), strict=True
    ):
        page, spelled = names[name]
        assert page == pages[text]
        assert normal_name(texts[text][start:end]) == spelled
        assert 0 <= start < end <= len(texts[text])
        assert (text, start) >= before, "in order, none over another"
        assert all(end <= low or start >= high for t, low, high in links if t == text)
        before = (text, end)
        made.append((text, spelled))
    return made


def slow(text: str, names: set[str], blocked: list[Span]) -> list[str]:
    """The same said slowly, for a text in normal form: from each token on, the longest name before the next link."""
    starts, ends = (places.tolist() for places in token_spans(class_table()[code_points(text)]))
    made, at = [], 0
    while at < len(starts):
        limit = next((low for low, high in blocked if high > starts[at]), len(text))
        fits = [n for n in range(at, len(ends)) if ends[n] <= limit and text[starts[at] : ends[n]] in names]
        made += [text[starts[at] : ends[fits[-1]]]] if fits else []
        at = fits[-1] + 1 if fits else at + 1
    return made


@pytest.mark.parametrize(
    ("text", "names", "expected"),
    [
        ("New York and New York City", ["New York", "New York City"], ["New York", "New York City"]),
        ("the New York Times", ["York", "New York", "York Times"], ["New York"]),
        ("apple Apple APPLE", ["Apple"], ["Apple"]),
        ("Appleseed, pineApple, Apples, Apple's", ["Apple"], ["Apple"]),
        ("東京都は日本の首都", ["東京", "日本", "都は"], ["東京", "都は", "日本"]),
        ("والقاهرة مدينة. القاهرة", ["القاهرة"], ["القاهرة"]),
        ("C++ is not C, nor C+", ["C++", "C"], ["C++", "C", "C"]),
        ("New  York\u00a0City", ["New York City"], ["New York City"]),
        ("Cafe\u0301 au lait", ["Café", "Cafe"], ["Café"]),
        ("U.S. and US", ["U.S.", "U.S"], ["U.S."]),
        ("", ["A"], []),
        ("nothing here", [], []),
    ],
)
def test_hand_made_cases(text: str, names: list[str], expected: list[str]) -> None:
    assert [name for _, name in found([text], [(0, name) for name in names], [0])] == expected


FOLDED = [
    ("apple Apple APPLE, apples", ["Apple"], ["apple", "Apple", "APPLE"]),
    ("In İSTANBUL, İstanbul and i\u0307stanbul: Galata", ["İstanbul", "galata"],
     ["İSTANBUL", "İstanbul", "i\u0307stanbul", "Galata"]),
    ("İİİ Io İ", ["io"], ["Io"]),
    ("IO of NEW  YORK\u00a0City", ["New York City", "Io"], ["IO", "NEW  YORK\u00a0City"]),
    ("ΟΔΟΣ, Οδος, οδος", ["οδος"], ["ΟΔΟΣ", "Οδος", "οδος"]),
]  # fmt: skip


@pytest.mark.parametrize(("text", "names", "expected"), FOLDED)
def test_whatever_the_case_offsets_are_those_of_the_text(text: str, names: list[str], expected: list[str]) -> None:
    finder = PageFinder([folded_name(name) for name in names], np.zeros(len(names), np.int64), folded=True)
    result = finder.find([text], np.zeros(1, np.int64), *np.empty((3, 0), np.int64))
    assert [text[a:b] for a, b in zip(result.start, result.end, strict=True)] == expected


@given(
    st.text(st.sampled_from("İıiI ßSs.Aa\u0307ﬁΣς"), max_size=30), st.sampled_from(["i", "İ", "ss", "A", "σ", "fi a"])
)
def test_a_span_found_without_case_is_the_name_without_case(text: str, name: str) -> None:
    finder = PageFinder([folded_name(name)], np.zeros(1, np.int64), folded=True)
    result = finder.find([text], np.zeros(1, np.int64), *np.empty((3, 0), np.int64))
    for start, end in zip(result.start, result.end, strict=True):
        assert folded_name(text[start:end]) == folded_name(name)


def test_a_page_has_its_own_names_only() -> None:
    texts = ["Mercury and Venus", "Mercury and Venus", "Mercury and Venus"]
    names = [(7, "Mercury"), (8, "Venus"), (8, "Mercury and")]
    assert found(texts, names, [7, 8, 9]) == [(0, "Mercury"), (1, "Mercury and"), (1, "Venus")]


def test_nothing_over_a_link_or_across_one() -> None:
    text = "New York City and New York"
    names = [(0, "New York"), (0, "New York City"), (0, "City and"), (0, "City")]
    assert found([text], names, [0], [[(0, 8)]]) == [(0, "City and"), (0, "New York")]
    assert found([text], names, [0], [[(4, 8)]]) == [(0, "City and"), (0, "New York")]
    assert found([text], names, [0], [[(9, 13), (18, 26)]]) == [(0, "New York")]
    assert found([text], names, [0], [[(2, 5)]]) == [(0, "City and"), (0, "New York")]


def test_texts_of_many_batches() -> None:
    texts = [("filler " * 20_000) + f"Name {i} end" for i in range(9)]
    names = [(page, f"Name {i}") for page in (0, 1) for i in range(9)]
    assert found(texts, names, [i % 2 for i in range(9)]) == [(i, f"Name {i}") for i in range(9)]


words = st.sampled_from(["a", "b", "A", "b.", "c-a", "東", "京", "ß", "e\u0301", "٣"])
phrases = st.lists(words, min_size=1, max_size=8).map(" ".join).map(normal_name)


@settings(max_examples=300, deadline=None)
@given(
    st.lists(st.tuples(st.integers(0, 2), phrases), max_size=12), st.lists(phrases, min_size=1, max_size=5), st.data()
)
def test_equals_trying_every_name_at_every_token(
    given_names: list[tuple[int, str]], texts: list[str], data: st.DataObject
) -> None:
    names = [pair for pair in dict.fromkeys(given_names) if is_name(pair[1])]
    pages = data.draw(st.lists(st.integers(0, 2), min_size=len(texts), max_size=len(texts)))
    blocked = []
    for text in texts:
        cuts = sorted(data.draw(st.sets(st.integers(0, len(text)), max_size=4)))
        blocked.append(list(zip(cuts[0::2], cuts[1::2], strict=False)))
    expected = [
        (number, name)
        for number, text in enumerate(texts)
        for name in slow(text, {name for page, name in names if page == pages[number]}, blocked[number])
    ]
    assert found(texts, names, pages, blocked) == expected
