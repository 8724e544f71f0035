"""Documents in PubTator form, such as BC5CDR's (Li et al., Database 2016), divided by an empty line:

PMID|t|title
PMID|a|abstract
PMID TAB start TAB end TAB mention TAB type TAB id [TAB parts]      a mention; composite: id "D1|D2", parts by "|"
PMID TAB relation TAB id TAB id                                     a relation (CID: chemical, disease)

Offsets count characters of title + one character + abstract.
"""

from collections.abc import Iterator
from dataclasses import dataclass, field
from pathlib import Path

from wikiprep.errors import WikiprepError
from wikiprep.tasks.data.benchmark_files import UniqueIds, text_lines

FORM = (
    "a document is PMID|t|title, PMID|a|abstract, then lines PMID TAB start TAB end TAB mention TAB type TAB id and "
    "PMID TAB relation TAB id TAB id; an empty line ends it"
)
_MENTION, _COMPOSITE, _RELATION = 6, 7, 4  # columns


@dataclass(frozen=True, slots=True)
class PubTatorMention:
    """text[start:end] of a document is said to be `name`; `ids` has several where it is composite. `line`: its own."""

    start: int
    end: int
    name: str
    type: str
    ids: tuple[str, ...]
    line: int


@dataclass(slots=True)
class PubTatorDocument:
    """`text`: title, a space, abstract; the title is text[:title]. Relations are (type, id, id)."""

    id: str
    text: str
    title: int
    mentions: list[PubTatorMention] = field(default_factory=list)
    relations: list[tuple[str, str, str]] = field(default_factory=list)


def is_pubtator(path: Path) -> bool:
    """Whether the first line is a title."""
    return any(_is_title(line) for _, line in _first_line(path))


def read_pubtator(path: Path) -> Iterator[PubTatorDocument]:
    """The documents of a file.

    Raises WikiprepError, with file and line, for a line of no such form, a document without title or abstract, a line
    of another document, and a place outside the text.
    """
    ids, document, last = UniqueIds(), None, 0
    for number, line in text_lines(path):
        if document is not None and number > last + 1:  # blank lines between are not given, but counted
            yield _check_whole(path, last, document)
            document = None
        last = number
        if document is None:
            name, mark, title = _read_part(path, number, line)
            if mark != "t":
                raise WikiprepError(f"{path}:{number}: a document begins with PMID|t|title", FORM)
            document = PubTatorDocument(ids.take(name, f"{path}:{number}"), title, len(title))
        elif len(document.text) == document.title:
            name, mark, abstract = _read_part(path, number, line)
            if mark != "a" or name != document.id:
                raise WikiprepError(f"{path}:{number}: behind a title stands {document.id}|a|abstract", FORM)
            document.text += " " + abstract
        else:
            _add_annotation(path, number, line, document)
    if document is not None:
        yield _check_whole(path, last, document)


def _check_whole(path: Path, last: int, document: PubTatorDocument) -> PubTatorDocument:
    if len(document.text) == document.title:
        raise WikiprepError(f"{path}:{last}: document {document.id} has no abstract: the file is cut", FORM)
    return document


def _read_part(path: Path, number: int, line: str) -> tuple[str, str, str]:
    name, _, rest = line.partition("|")
    mark, bar, text = rest.partition("|")
    if not name.strip() or "\t" in name or mark not in ("t", "a") or not bar:
        raise WikiprepError(f"{path}:{number}: is neither title nor abstract", FORM)
    return name.strip(), mark, text


def _add_annotation(path: Path, number: int, line: str, document: PubTatorDocument) -> None:
    columns, where = line.split("\t"), f"{path}:{number}"
    if columns[0].strip() != document.id:
        raise WikiprepError(f"{where}: of document {columns[0][:20]!r}, within {document.id}", FORM)
    if len(columns) == _RELATION and not columns[1].strip().isdigit():
        document.relations.append((columns[1], columns[2], columns[3].strip()))
        return
    if len(columns) not in (_MENTION, _COMPOSITE):
        raise WikiprepError(f"{where}: has {len(columns)} columns", FORM)
    if not (columns[1].isdecimal() and columns[2].isdecimal()):
        raise WikiprepError(f"{where}: {columns[1]!r} and {columns[2]!r} are no places", FORM)
    start, end = int(columns[1]), int(columns[2])
    if not start < end <= len(document.text):
        raise WikiprepError(
            f"{where}: [{start}, {end}) is no span of a text of {len(document.text):,} characters", FORM
        )
    kind = columns[4].strip()
    if not (kind and document.text[start:end].strip()):
        raise WikiprepError(f"{where}: the mention has no type, or no text", FORM)
    ids = tuple(name.strip() for name in columns[5].split("|"))
    document.mentions.append(PubTatorMention(start, end, columns[3], kind, ids, number))


def _is_title(line: str) -> bool:
    name, _, rest = line.partition("|")
    return name.strip().isdigit() and rest.startswith("t|")


def _first_line(path: Path) -> Iterator[tuple[int, str]]:
    for numbered in text_lines(path):
        yield numbered
        return
