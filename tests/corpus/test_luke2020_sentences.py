"""Sentences of a batch are those of each text alone, and offsets are code points."""

import pytest
from hypothesis import given, settings
from hypothesis import strategies as st
from icu4py.breakers import SentenceBreaker

from wikiprep.corpus import luke2020_pieces
from wikiprep.corpus.luke2020_pieces import reference_locale, sentence_spans

PARTS = [
    "Mr. ",
    "Smith",
    " ",
    "e.g. ",
    "Ph.D. ",
    "a",
    "B. ",
    ".",
    "?",
    '"',
    ")",
    "\n",
    "\r",
    "\u2029",
    "\u0085",
    "東。",
    "😀",
    "\u0301",
]
texts = st.lists(st.lists(st.sampled_from(PARTS), max_size=12).map("".join), max_size=6)


def alone(text: str, locale: str) -> list[tuple[int, int]]:
    narrow = "".join(" " if ord(c) > 0xFFFF else c for c in text)
    return list(SentenceBreaker(narrow, locale).segments())


@settings(deadline=None)
@given(texts, st.sampled_from(["en", "de", "fr", "ja", "simple"]))
def test_a_batch_has_the_sentences_of_each_text_alone(batch: list[str], language: str) -> None:
    stripped = [text.rstrip() for text in batch]
    assert sentence_spans(stripped, language) == [alone(text, reference_locale(language)) for text in stripped]


@settings(deadline=None)
@given(st.lists(st.text(), max_size=4))
def test_spans_cover_any_text(batch: list[str]) -> None:
    for text, spans in zip(batch, sentence_spans(batch, "en"), strict=True):
        assert "".join(text[start:end] for start, end in spans) == text
        assert all(start < end for start, end in spans)


def test_batches_are_cut_by_size(monkeypatch: pytest.MonkeyPatch) -> None:
    batch = ["One. Two.", "", "Three. Four.", "Five."] * 5
    whole = sentence_spans(batch, "en")
    monkeypatch.setattr(luke2020_pieces, "_MAX_CHARACTERS", 10)
    assert sentence_spans(batch, "en") == whole


@pytest.mark.parametrize("language", ["en", "de", "es", "it", "pt"])
def test_the_abbreviation_list_is_for_five_languages(language: str) -> None:
    assert reference_locale(language) == f"{language}@ss=standard"


@pytest.mark.parametrize("language", ["fr", "ja", "ru", "simple"])
def test_and_for_no_other(language: str) -> None:
    assert reference_locale(language) == language


def test_no_text_at_all() -> None:
    assert sentence_spans([], "en") == []
    assert sentence_spans(["", ""], "en") == [[], []]
