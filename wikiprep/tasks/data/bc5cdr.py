"""BC5CDR: chemicals and diseases in 1,500 PubMed abstracts (Li et al., Database 2016), one example a mention.

In PubTator form, whose abstracts are cut into sentences here, or as CoNLL columns (B-Chemical, I-Disease), a sentence a
block. Sentences are ICU's for English, title and abstract apart; a boundary within a mention is none, so that no
mention is lost. A composite mention ("renal and hepatic toxicity", of two ids) is one mention.
"""

from collections import Counter
from collections.abc import Iterator
from itertools import pairwise
from pathlib import Path

from wikiprep.corpus.sentences import split_sentences
from wikiprep.errors import WikiprepError
from wikiprep.tasks.data import conll
from wikiprep.tasks.data.benchmark_files import Source
from wikiprep.tasks.data.pubtator import FORM, PubTatorDocument, is_pubtator, read_pubtator
from wikiprep.tasks.examples import Span, TypingExample

_FOLDERS = ("", "CDR_Data/CDR.Corpus.v010516/", "CDR.Corpus.v010516/")


def _file_names(pubtator: str, *columns: str) -> tuple[str, ...]:
    return (*(f"{folder}CDR_{pubtator}.PubTator.txt" for folder in _FOLDERS), *columns)


SOURCE = Source(
    "BC5CDR",
    "BioCreative V, https://biocreative.bioinformatics.udel.edu/tasks/biocreative-v/track-3-cdr/ (CDR_Data.zip), or as "
    "CoNLL columns from those who spread it so (train.tsv, devel.tsv, test.tsv)",
    "those of BioCreative V, for research; cite the authors",
    {
        "train": _file_names("TrainingSet", "train.tsv", "train.txt"),
        "dev": _file_names("DevelopmentSet", "devel.tsv", "dev.tsv", "dev.txt"),
        "test": _file_names("TestSet", "test.tsv", "test.txt"),
    },
)
ELSEWHERE = "mentions: their place holds another text"
_TOLERATED = 0.01  # share of such mentions beyond which offsets count something else


def read_mentions(path: Path, read: Counter[str], left_out: Counter[str]) -> Iterator[TypingExample]:
    """The mentions of a file, whichever form; each has one label.

    `read` counts what there was: documents, sentences, mentions by type, composite ones, relations. `left_out` counts
    mentions whose place holds another text.

    Raises WikiprepError, with file and line, for what is not of the form, and where over 1 % of the mentions stand
    elsewhere: then offsets do not count characters.
    """
    if is_pubtator(path):
        yield from _read_pubtator_mentions(path, read, left_out)
    else:
        yield from mentions_of_columns(path, read, left_out)


def mentions_of_columns(path: Path, read: Counter[str], left_out: Counter[str]) -> Iterator[TypingExample]:
    """The same of a file of CoNLL columns, of any types."""
    for sentence in conll.sentences_of(list(conll.read_file(path, left_out))):
        read["sentences"] += 1
        for number, mention in enumerate(sentence.mentions):
            read[f"mentions: {mention.type}"] += 1
            span = (mention.start, mention.end)
            yield TypingExample(f"{sentence.id}-{number}", sentence.text, span, (mention.type,))


def _read_pubtator_mentions(path: Path, read: Counter[str], left_out: Counter[str]) -> Iterator[TypingExample]:
    first_strayed, mentions = "", 0
    for document in read_pubtator(path):
        read["documents"] += 1
        read["relations"] += len(document.relations)
        sentences = sentences_of(document)
        read["sentences"] += len(sentences)
        for number, mention in enumerate(document.mentions):
            mentions += 1
            if _normalize_spaces(document.text[mention.start : mention.end]) != _normalize_spaces(mention.name):
                left_out[ELSEWHERE] += 1
                first_strayed = first_strayed or (
                    f"{path}:{mention.line}: [{mention.start}, {mention.end}) is "
                    f"{document.text[mention.start : mention.end]!r}, not {mention.name!r}"
                )
                continue
            read[f"mentions: {mention.type}"] += 1
            read["mentions: composite"] += len(mention.ids) > 1
            stripped = _strip_span(document.text, mention.start, mention.end)
            start, end = next(s for s in sentences if s[0] <= stripped[0] < s[1])
            span = (stripped[0] - start, stripped[1] - start)
            yield TypingExample(f"{document.id}-{number}", document.text[start:end], span, (mention.type,))
    if left_out[ELSEWHERE] > _TOLERATED * mentions:
        raise WikiprepError(
            f"{first_strayed}; and so {left_out[ELSEWHERE]:,} of {mentions:,} mentions",
            f"offsets count characters of title, one space, abstract; {FORM}",
        )


def sentences_of(document: PubTatorDocument) -> list[Span]:
    """The sentences of title and abstract, [start, end) in the document's text, without the space around them."""
    text = document.text
    parts = split_sentences([text[: document.title], text[document.title + 1 :]], "en")
    starts = [start + begin for begin, part in zip((0, document.title + 1), parts, strict=True) for start, _ in part]
    inside = [place for place in starts if any(m.start < place < m.end for m in document.mentions)]
    edges = [*(place for place in starts if place not in inside), len(text)]
    return [span for start, end in pairwise(edges) if (span := _strip_span(text, start, end))[0] < span[1]]


def _strip_span(text: str, start: int, end: int) -> Span:
    while start < end and text[end - 1].isspace():
        end -= 1
    while start < end and text[start].isspace():
        start += 1
    return start, end


def _normalize_spaces(text: str) -> str:
    return " ".join(text.split())
