"""Named entities in columns, a token a line: CoNLL-2003, WNUT 2017, and any file of that kind.

The first column is the word and the last the tag, separated by a tab or by blanks; an empty line ends a sentence, and
a `-DOCSTART-` line begins a document. Tags are IOB1 or IOB2, read as conlleval does (`tasks/iob.py`).
"""

from collections import Counter
from collections.abc import Iterator, Sequence
from pathlib import Path

from wikiprep.errors import WikiprepError
from wikiprep.tasks.data.benchmark_files import Source, join_tokens, text_lines
from wikiprep.tasks.examples import Mention, TaggedDocument, TaggedSentence
from wikiprep.tasks.iob import chunks_of, iob2_of

CONLL2003 = Source(
    "CoNLL-2003 (English)",
    "https://www.clips.uantwerpen.be/conll2003/ner/ (annotation), made into whole files with the Reuters Corpus RCV1 "
    "from NIST (text), https://trec.nist.gov/data/reuters/reuters.html",
    "the Reuters agreements of NIST, for research",
    {
        "train": ("eng.train", "train.txt"),
        "dev": ("eng.testa", "valid.txt", "dev.txt"),
        "test": ("eng.testb", "test.txt"),
    },
)
WNUT17 = Source(
    "WNUT 2017 emerging entities",
    "https://github.com/leondz/emerging_entities_17",
    "CC BY 4.0",
    {"train": ("wnut17train.conll",), "dev": ("emerging.dev.conll",), "test": ("emerging.test.annotated",)},
)
DOCUMENT_MARK = "-DOCSTART-"
_FORM = "a line is a word and its tag, with columns between or none: `EU NNP I-NP I-ORG`; an empty line ends a sentence"
_Line = tuple[int, list[str]]


def read_conll2003(folder: Path, split: str, left_out: Counter[str]) -> tuple[list[TaggedDocument], list[Path]]:
    """The documents of a split and its file."""
    path = CONLL2003.find(folder, split)
    return list(read_file(path, left_out)), [path]


def read_wnut17(folder: Path, split: str, left_out: Counter[str]) -> tuple[list[TaggedDocument], list[Path]]:
    """The documents, one a sentence, of a split and its file."""
    path = WNUT17.find(folder, split)
    return list(read_file(path, left_out)), [path]


def read_file(path: Path, left_out: Counter[str]) -> Iterator[TaggedDocument]:
    """The documents of a file; a file without document marks has one a sentence.

    Ids are numbers from 0; those of sentences run through the file. `left_out` counts documents without a sentence.

    Raises WikiprepError, with file and line, for a tag that is none, a line of one column, a change in their number.
    """
    document_sentences: list[TaggedSentence] = []
    marked, documents, sentences = False, 0, 0
    for lines in _blocks(path):
        if lines is None:
            if marked:
                if not document_sentences:
                    left_out["document: without a sentence"] += 1
                else:
                    yield TaggedDocument(str(documents), tuple(document_sentences))
                documents, document_sentences = documents + 1, []
            elif sentences:
                raise WikiprepError(
                    f"{path}: its first {DOCUMENT_MARK} stands behind sentences", "every document begins with one"
                )
            marked = True
            continue
        sentence = _sentence(path, str(sentences), lines)
        sentences += 1
        if marked:
            document_sentences.append(sentence)
        else:
            yield TaggedDocument(sentence.id, (sentence,))
    if document_sentences:
        yield TaggedDocument(str(documents), tuple(document_sentences))


def sentences_of(documents: Sequence[TaggedDocument]) -> list[TaggedSentence]:
    """All sentences in their order."""
    return [sentence for document in documents for sentence in document.sentences]


def column_blocks(path: Path, least: int) -> Iterator[list[_Line]]:
    """The lines of each sentence, numbered and cut into columns, at least so many; document marks are left out."""
    return (block for block in _blocks(path, least) if block is not None)


def _blocks(path: Path, least: int = 2) -> Iterator[list[_Line] | None]:
    """Sentences, and None where a document begins."""
    block: list[_Line] = []
    last, width = 0, 0
    for number, line in text_lines(path):
        if number > last + 1 and block:  # blank lines between are not given, but counted
            yield block
            block = []
        last = number
        # A word may be an odd blank (U+0085, U+00A0): only tabs and plain blanks divide.
        columns = line.split("\t") if "\t" in line else line.split(" ")
        columns = [column for column in columns if column]
        if columns[0] == DOCUMENT_MARK:
            if block:
                yield block
                block = []
            yield None
            continue
        if len(columns) < least:
            raise WikiprepError(f"{path}:{number}: has one column", _FORM)
        if width and len(columns) != width:
            raise WikiprepError(f"{path}:{number}: has {len(columns)} columns, the lines above {width}", _FORM)
        width = len(columns)
        block.append((number, columns))
    if block:
        yield block


def _sentence(path: Path, name: str, lines: list[_Line]) -> TaggedSentence:
    text, words = join_tokens([columns[0] for _, columns in lines])
    tags = [columns[-1] for _, columns in lines]
    for (number, _), tag in zip(lines, tags, strict=True):
        check_tag(path, number, tag)
    chunks = chunks_of(tags)
    mentions = tuple(Mention(words[chunk.start][0], words[chunk.end - 1][1], chunk.type) for chunk in chunks)
    return TaggedSentence(name, text, words, tuple(iob2_of(chunks, len(tags))), mentions)


def check_tag(path: Path, number: int, tag: str) -> None:
    """Raises WikiprepError for what is neither O nor B-TYPE nor I-TYPE."""
    if tag != "O" and not (tag[:2] in ("B-", "I-") and len(tag) > 2):
        raise WikiprepError(f"{path}:{number}: {tag!r} is no tag", "tags are O, B-TYPE and I-TYPE (IOB1 or IOB2)")
