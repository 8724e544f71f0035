"""Takes listed sentences out of an article: whole sentences, with their links, as ICU and records see sentences."""

from collections.abc import Sequence
from dataclasses import dataclass, replace

from wikiprep.corpus.articles import ArticleRow
from wikiprep.corpus.sentences import split_sentences
from wikiprep.leave_out.sentences import SentenceFinder
from wikiprep.wikitext.article import Paragraph


@dataclass(frozen=True, slots=True)
class Cut:
    """What was taken out of a paragraph: the text of `sentences` sentences, with the numbers of the listed ones."""

    text: str
    sentences: int
    numbers: tuple[int, ...]


def cut(row: ArticleRow, finder: SentenceFinder, language: str) -> tuple[ArticleRow, list[Cut]]:
    """The article without the sentences that a listed one is in or overlaps, and the paragraphs that are empty then."""
    kept_paragraphs: list[Paragraph] = []
    cuts: list[Cut] = []
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
        cuts.append(Cut(text, len(out), tuple(sorted({number for number, _, _ in hits}))))
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
