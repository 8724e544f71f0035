"""Listed sentences are found by their words and taken out whole; what stays is as it was, links and all."""

import pytest
from hypothesis import given
from hypothesis import strategies as st

from wikiprep.corpus.articles import ArticleRow
from wikiprep.leave_out.lists import words_of
from wikiprep.leave_out.sentences import SentenceFinder, cut
from wikiprep.wikitext.article import Link, Paragraph

SENTENCES = (
    "Oslo is the capital of Norway.",
    "It lies by the sea, in the south.",
    "Its mayor is Anne Lindboe.",
    "The city was founded in 1040!",
)
PARAGRAPH = " ".join(SENTENCES)


def paragraph(text: str, *mentions: str) -> Paragraph:
    links = [Link(text.index(m), text.index(m) + len(m), f"Page of {m}") for m in mentions]
    return Paragraph((), "prose", 0, text, tuple(links))


def row(*paragraphs: Paragraph) -> ArticleRow:
    return ArticleRow(1, 2, None, "Oslo", paragraphs=list(paragraphs))


def mentions(article: ArticleRow) -> list[list[str]]:
    return [[p.text[link.start : link.end] for link in p.links] for p in article.paragraphs]


@pytest.mark.parametrize(
    ("listed", "gone"),
    [
        ("It lies by the sea, in the south.", {1}),
        ("IT LIES BY THE SEA — in the south", {1}),
        ("lies by the sea", {1}),
        ("capital of Norway. It lies by", {0, 1}),
        ("Oslo is the capital of Norway. It lies by the sea, in the south. Its mayor is Anne Lindboe.", {0, 1, 2}),
        ("founded in 1040", {3}),
        ("1040", {3}),
        ("Anne Lindboe", {2}),
        ("lies in the sea by the south", set()),
        ("Oslo is the capital of Norwa", set()),
    ],
)
def test_whole_sentences_go(listed: str, gone: set[int]) -> None:
    links = ("Oslo", "Norway", "sea", "Anne Lindboe", "1040")
    left, out = cut(row(paragraph(PARAGRAPH, *links)), SentenceFinder([listed]), "en")
    stays = [sentence for number, sentence in enumerate(SENTENCES) if number not in gone]
    assert left.paragraphs[0].text.strip() == " ".join(stays)
    assert mentions(left) == [[m for m in links if any(m in s for s in stays)]]
    assert [link.target for link in left.paragraphs[0].links] == [f"Page of {m}" for m in mentions(left)[0]]
    assert sum(found.sentences for found in out) == len(gone)
    assert {number for found in out for number in found.numbers} == ({0} if gone else set())
    if gone:
        assert out[0].text == " ".join(SENTENCES[number] for number in sorted(gone))


def test_a_paragraph_of_which_nothing_is_left_goes() -> None:
    finder = SentenceFinder(["no such words at all", SENTENCES[2]])
    left, out = cut(row(paragraph(SENTENCES[2], "Anne Lindboe"), paragraph(SENTENCES[0], "Oslo")), finder, "en")
    assert [p.text for p in left.paragraphs] == [SENTENCES[0]]
    assert [(found.text, found.numbers) for found in out] == [(SENTENCES[2], (1,))]


def test_a_break_within_a_link_is_none() -> None:
    text = "He read Why? Because. It was long. He slept."
    left, _ = cut(row(paragraph(text, "Why? Because.")), SentenceFinder(["He read Why"]), "en")
    assert [p.text.strip() for p in left.paragraphs] == ["It was long. He slept."]


def test_other_scripts_and_letters_that_fold_to_more() -> None:
    text = "𝒜 ẞ İstanbul straße. 東京都は日本の首都である。大阪は違う。"
    left, _ = cut(row(paragraph(text, "大阪")), SentenceFinder(["東京都は日本の首都である"]), "ja")
    assert [p.text for p in left.paragraphs] == ["𝒜 ẞ İstanbul straße. 大阪は違う。"]
    assert mentions(left) == [["大阪"]]
    finder = SentenceFinder(["STRASSE"])
    assert [text[start:end] for _, start, end in finder.find(text)] == ["straße"]


WORDS = st.sampled_from(["a", "b", "straße", "İ", "c'd", "東", ".", "  ", "-"])


@given(st.lists(WORDS, max_size=25), st.lists(st.lists(WORDS, min_size=1, max_size=5), min_size=1, max_size=6))
def test_the_same_as_looking_at_each_place(text: list[str], listed: list[list[str]]) -> None:
    whole = " ".join(text)
    sentences = [s for s in (" ".join(words) for words in listed) if words_of(s)]
    finder = SentenceFinder(sentences)
    words = words_of(whole)
    expected = set()
    for number, sentence in enumerate(sentences):
        wanted = words_of(sentence)
        expected |= {(number, i) for i in range(len(words)) if words[i : i + len(wanted)] == wanted}
    found = finder.find(whole)
    assert {(number, len(words_of(whole[:start]))) for number, start, _ in found} == expected
    assert all(words_of(whole[start:end]) == words_of(sentences[number]) for number, start, end in found)
    assert finder.may_have(whole) or not found
