"""Sentence boundaries: a batch at once as one by one, abbreviations by language, offsets beyond the BMP."""

import json
from itertools import pairwise
from pathlib import Path

import numpy as np
import pytest
from hypothesis import given
from hypothesis import strategies as st
from icu4py.breakers import SentenceBreaker

from wikiprep.corpus.joined_text import join
from wikiprep.corpus.sentences import locale_of, sentence_starts, split_sentences

none = np.zeros(0, np.int64)
pieces = st.sampled_from(
    [
        "Mr. ",
        "Dr. ",
        "He ",
        "went. ",
        "home",
        "! ",
        "? ",
        '("x.") ',
        "。",
        "東京",
        "😀",
        "𝒜. ",
        "a.b",
        "3.5 ",
        "… ",
        ".",
        "é",
        ";",
    ]
)
texts = st.lists(st.lists(pieces, max_size=12).map("".join), max_size=6)
languages = st.sampled_from(["en", "de", "el", "ja", "ltg", "ru", "simple", "xx"])


def one_by_one(text: str, locale: str) -> list[str]:
    return list(SentenceBreaker(text, locale)) if text else []


@given(texts, languages)
def test_joined_breaks_like_one_by_one(given_texts: list[str], language: str) -> None:
    joined, _, _ = join(given_texts, none, none, none)
    starts = sentence_starts(joined, locale_of(language)).tolist()
    text = joined.text()
    found = [text[a:b].rstrip("\u2029") for a, b in pairwise([*starts, len(text)])]
    normal = [" ".join(t.split()) for t in given_texts]
    assert found == [s for t in normal for s in one_by_one(t, locale_of(language))]


@given(texts, languages)
def test_split_sentences_covers_the_text(given_texts: list[str], language: str) -> None:
    for text, spans in zip(given_texts, split_sentences(given_texts, language), strict=True):
        assert [text[a:b] for a, b in spans] == one_by_one(text, locale_of(language))


def test_real_paragraphs(shared_data: Path) -> None:
    lines = (shared_data / "luke/golden-3pages/paragraphs.jsonl").read_text(encoding="utf-8").splitlines()
    given_texts = [text for line in lines if (text := json.loads(line).get("text"))]
    spans = split_sentences(given_texts, "en")
    assert [[t[a:b] for a, b in s] for t, s in zip(given_texts, spans, strict=True)] == [
        one_by_one(t, "en@ss=standard") for t in given_texts
    ]


@pytest.mark.parametrize(
    ("language", "text", "count"),
    [
        ("en", "I met Mr. Smith. He left.", 2),
        ("simple", "I met Mr. Smith. He left.", 2),
        ("ltg", "I met Mr. Smith. He left.", 3),
        ("ru", "Он живёт на ул. Ленина. Это центр.", 2),
        ("ja", "東京は首都である。人口は多い。", 2),
        ("el", "Τι είναι; Είναι αυτό.", 2),
        ("en", "A 😀😀 b. C 𝒜 d. E.", 3),
    ],
)
def test_languages(language: str, text: str, count: int) -> None:
    (spans,) = split_sentences([text], language)
    assert len(spans) == count
    assert "".join(text[a:b] for a, b in spans) == text
    assert all(text[b - 1] in " 。." for _, b in spans)
