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
    kept: list[Paragraph] = []
    gone: list[Cut] = []
    for paragraph in row.paragraphs:
        hits = finder.find(paragraph.text)
        if not hits:
            kept.append(paragraph)
            continue
        sentences = _sentences(paragraph, language)
        touched = [any(start < last and first < end for _, first, last in hits) for start, end in sentences]
        out, rest = (
            [s for s, gone_ in zip(sentences, touched, strict=True) if gone_ == which] for which in (True, False)
        )
        text = "".join(paragraph.text[start:end] for start, end in out).strip()
        gone.append(Cut(text, len(out), tuple(sorted({number for number, _, _ in hits}))))
        left = _without(paragraph, rest)
        if left.text.strip():
            kept.append(left)
    return replace(row, paragraphs=kept), gone


def _sentences(paragraph: Paragraph, language: str) -> list[tuple[int, int]]:
    """[start, end) of its sentences; a break within a link is none, as in records."""
    (found,) = split_sentences([paragraph.text], language)
    joined: list[tuple[int, int]] = []
    for start, end in found:
        if joined and any(link.start < start < link.end for link in paragraph.links):
            joined[-1] = (joined[-1][0], end)
        else:
            joined.append((start, end))
    return joined


def _without(paragraph: Paragraph, keep: Sequence[tuple[int, int]]) -> Paragraph:
    """The paragraph of the sentences `keep` alone; links of others go."""
    text, links, length = [], [], 0
    for start, end in keep:
        for link in paragraph.links:
            if start <= link.start and link.end <= end:
                links.append(replace(link, start=link.start - start + length, end=link.end - start + length))
        text.append(paragraph.text[start:end])
        length += end - start
    return replace(paragraph, text="".join(text), links=tuple(links))
