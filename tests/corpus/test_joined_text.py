"""Joining paragraphs: white space as `" ".join(text.split())` has it, spans follow their text."""

from itertools import pairwise

import numpy as np
from hypothesis import given
from hypothesis import strategies as st

from wikiprep.corpus.joined_text import JoinedText, join

blanks = st.sampled_from(list(" \t\n\r\x0b\x0c\x1c\x1f\x85\xa0\u1680\u2003\u2028\u2029\u202f\u3000\0"))
characters = st.sampled_from(list("abc.é東😀\u0301\u200b")) | blanks
texts = st.lists(st.text(characters, max_size=12), max_size=6)


def normalised(text: str) -> str:
    return " ".join(text.replace("\0", " ").split())


def paragraphs(joined: JoinedText) -> list[str]:
    edges = [*joined.separators.tolist(), len(joined.codes)]
    text = joined.text()
    return [text[a + 1 : b] for a, b in pairwise(edges)]


def array(values: list[int]) -> np.ndarray:
    return np.array(values, np.int64)


@given(texts)
def test_white_space_is_normalised(given_texts: list[str]) -> None:
    joined, _, _ = join(given_texts, array([]), array([]), array([]))
    assert paragraphs(joined) == [normalised(text) for text in given_texts]


@given(texts, st.data())
def test_spans_follow_their_text(given_texts: list[str], data: st.DataObject) -> None:
    spans = []
    for number, text in enumerate(given_texts):
        for _ in range(data.draw(st.integers(0, 3)) if text else 0):
            start = data.draw(st.integers(0, len(text) - 1))
            spans.append((number, start, data.draw(st.integers(start + 1, len(text)))))
    where, starts, ends = (array([span[k] for span in spans]) for k in range(3))
    joined, new_starts, new_ends = join(given_texts, where, starts, ends)
    text = joined.text()
    for (number, start, end), a, b in zip(spans, new_starts.tolist(), new_ends.tolist(), strict=True):
        expected = normalised(given_texts[number][start:end])
        assert text[a:b] == expected if expected else b <= a


def test_nothing_to_join() -> None:
    joined, starts, ends = join([], array([]), array([]), array([]))
    assert len(joined.codes) == len(starts) == len(ends) == 0
