"""Listed sentences in text: found by their words in a row, whatever stands between them, and taken out of articles.

The first three words of every listed sentence are a key; a text is searched by looking up its words in threes, so that
the time does not depend on how many sentences are listed. What is taken out are whole sentences, with their links, as
ICU and records see sentences.
"""

from collections.abc import Iterator, Sequence
from dataclasses import dataclass, replace

from wikiprep.corpus.articles import ArticleRow
from wikiprep.corpus.sentences import split_sentences
from wikiprep.leave_out.lists import _WORD, words_of
from wikiprep.wikitext.article import Paragraph

KEY = 3
Words = tuple[str, ...]


class SentenceFinder:
    """`texts` are numbered in the order given; each has at least one word."""

    def __init__(self, texts: Sequence[str]) -> None:
        self._by_key: dict[Words, list[tuple[int, Words]]] = {}
        for number, text in enumerate(texts):
            words = tuple(words_of(text))
            self._by_key.setdefault(words[:KEY], []).append((number, words))
        self._lengths = sorted({len(key) for key in self._by_key})

    def may_have(self, text: str) -> bool:
        """Whether one of the keys is in `text`."""
        words = words_of(text)
        return any(key in self._by_key for length in self._lengths for key in _word_runs(words, length))

    def find(self, text: str) -> list[tuple[int, int, int]]:
        """(number, start, end) of every occurrence in `text`, in characters of it, by start."""
        spans = list(_words_with_places(text))
        words = [word for word, _, _ in spans]
        hits = []
        for length in self._lengths:
            for at, key in enumerate(_word_runs(words, length)):
                for number, sentence in self._by_key.get(key, ()):
                    if tuple(words[at : at + len(sentence)]) == sentence:
                        hits.append((number, spans[at][1], spans[at + len(sentence) - 1][2]))
        return sorted(hits, key=lambda hit: (hit[1], hit[2], hit[0]))


def _word_runs(words: Sequence[str], length: int) -> Iterator[Words]:
    """Each `length` words in a row."""
    return zip(*(words[i:] for i in range(length)), strict=False)


def _words_with_places(text: str) -> Iterator[tuple[str, int, int]]:
    """The words of `words_of(text)` with the characters of `text` they stand at: folding can lengthen a text."""
    folded = text.casefold()
    places: Sequence[int] = range(len(text))
    if len(folded) != len(text):
        places = [i for i, c in enumerate(text) for _ in c.casefold()]
    for match in _WORD.finditer(folded):
        yield match[0], places[match.start()], places[match.end() - 1] + 1


@dataclass(frozen=True, slots=True)
class CutSentences:
    """What was taken out of a paragraph: the text of `sentences` sentences, with the numbers of the listed ones."""

    text: str
    sentences: int
    numbers: tuple[int, ...]


def cut(row: ArticleRow, finder: SentenceFinder, language: str) -> tuple[ArticleRow, list[CutSentences]]:
    """The article without the sentences that a listed one is in or overlaps, and the paragraphs that are empty then."""
    kept_paragraphs: list[Paragraph] = []
    cuts: list[CutSentences] = []
    for paragraph in row.paragraphs:
        hits = finder.find(paragraph.text)
        if not hits:
            kept_paragraphs.append(paragraph)
            continue
        sentences = _sentence_spans(paragraph, language)
        is_listed = [any(start < last and first < end for _, first, last in hits) for start, end in sentences]
        out, rest = (
            [s for s, is_out in zip(sentences, is_listed, strict=True) if is_out == which] for which in (True, False)
        )
        text = "".join(paragraph.text[start:end] for start, end in out).strip()
        cuts.append(CutSentences(text, len(out), tuple(sorted({number for number, _, _ in hits}))))
        remaining = _keep_sentences(paragraph, rest)
        if remaining.text.strip():
            kept_paragraphs.append(remaining)
    return replace(row, paragraphs=kept_paragraphs), cuts


def _sentence_spans(paragraph: Paragraph, language: str) -> list[tuple[int, int]]:
    """[start, end) of its sentences; a break within a link is none, as in records."""
    (spans,) = split_sentences([paragraph.text], language)
    sentences: list[tuple[int, int]] = []
    for start, end in spans:
        if sentences and any(link.start < start < link.end for link in paragraph.links):
            sentences[-1] = (sentences[-1][0], end)
        else:
            sentences.append((start, end))
    return sentences


def _keep_sentences(paragraph: Paragraph, spans: Sequence[tuple[int, int]]) -> Paragraph:
    """The paragraph of the sentences at `spans` alone; links of others go."""
    text, links, length = [], [], 0
    for start, end in spans:
        for link in paragraph.links:
            if start <= link.start and link.end <= end:
                links.append(replace(link, start=link.start - start + length, end=link.end - start + length))
        text.append(paragraph.text[start:end])
        length += end - start
    return replace(paragraph, text="".join(text), links=tuple(links))
