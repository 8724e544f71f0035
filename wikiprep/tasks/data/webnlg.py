"""WebNLG 1.5, enriched (Castro Ferreira et al. 2018): texts made of triples, with the words that name each entity.

Its XML files lie in the archive as it is published, or unpacked, by split. An `entry` has triples
(`modifiedtripleset`, "subject | property | object") and texts (`lex`), whose `references` say in order which words of
the text stand for which entity: its name, a description, a pronoun, a demonstrative. They are looked up in the text,
each behind the one before if it is there. An entity is then at its first name; where the text has none, at its first
description, else at what there is. Triples whose ends have no reference keep the names of the file, "Aarhus Airport"
for `Aarhus_Airport`.
"""

import re
import tarfile
from collections import Counter
from collections.abc import Iterator
from pathlib import Path, PurePosixPath
from xml.etree import ElementTree

from wikiprep.errors import UsageError, WikiprepError
from wikiprep.tasks.data.locate import places_of, words_at
from wikiprep.tasks.data.triple_forms import TWICE
from wikiprep.tasks.examples import JointExample, Span, Triple
from wikiprep.textlines import read_whole

ARCHIVES = ("*.tar.xz", "*.tar.gz", "*.tgz", "*.tar")
_LARGEST = 1 << 28  # bytes of a file of an archive
FORM = (
    "it is <benchmark><entries><entry eid><modifiedtripleset><mtriple>a | b | c</mtriple></modifiedtripleset><lex lid>"
    "<references><reference entity type>words</reference></references><text>words</text></lex></entry></entries>"
    "</benchmark>"
)
NO_TEXT = "texts: empty"
NO_ENTITY = "references: of no entity"
NO_WORDS = "references: without words"
NOT_THERE = "references: their words are not in the text"
NO_REFERENCE = "triples: an end has no reference in the text"
_GENITIVE = re.compile(r"^\s*['’]s\s+|\s*['’]s\s*$")  # "'s Apollo 12" and "Nasa 's" stand for Apollo 12 and Nasa
_KINDS = {"name": 0, "description": 1}  # others behind them


def is_archive(path: Path) -> bool:
    """Whether it is a file with the name of one."""
    return path.is_file() and any(path.match(pattern) for pattern in ARCHIVES)


def is_unpacked(folder: Path, split: str) -> bool:
    """Whether the folder has the split's XML files."""
    return bool(_unpacked_files(folder, split))


def has_archive(folder: Path) -> bool:
    """Whether the folder has an archive, or several."""
    return bool(_archives(folder))


def xml_files(path: Path, split: str) -> Iterator[tuple[str, bytes, str]]:
    """Of a split of a folder, or of an archive: its name there ("1triples/Airport.xml"), content, and what errors say.

    In the order of the names. Raises WikiprepError for several archives, a damaged one, or one without the split.
    """
    if path.is_file():
        yield from _archive_files(path, split)
        return
    unpacked_files = _unpacked_files(path, split)
    if unpacked_files:
        for file in unpacked_files:
            yield _name(PurePosixPath(file.as_posix()), split), read_whole(file), str(file)
        return
    archives = _archives(path)
    if len(archives) != 1:
        names = ", ".join(archive.name for archive in archives) or "none"
        raise WikiprepError(f"{path}: one archive of WebNLG is needed, there: {names}", "give the one: --data FILE")
    yield from _archive_files(archives[0], split)


def _archives(folder: Path) -> list[Path]:
    return sorted(path for pattern in ARCHIVES for path in folder.glob(pattern)) if folder.is_dir() else []


def _unpacked_files(folder: Path, split: str) -> list[Path]:
    tops = (folder / split, folder / "en" / split)
    return next((files for top in tops if (files := sorted(top.glob("**/*.xml")))), [])


def _archive_files(archive: Path, split: str) -> Iterator[tuple[str, bytes, str]]:
    hint = "get the archive again, or unpack it and give the folder"
    contents = {}
    try:
        with tarfile.open(archive) as tar:
            for member in tar:
                path = PurePosixPath(member.name)
                if member.isfile() and path.suffix == ".xml" and split in path.parts[:-1]:
                    if member.size > _LARGEST:
                        raise WikiprepError(f"{archive}: {member.name} has {member.size:,} bytes", hint)
                    data = tar.extractfile(member)
                    assert data is not None
                    contents[member.name] = data.read()
    except FileNotFoundError as error:
        raise UsageError(f"{archive}: no such file", "check the path") from error
    except (tarfile.TarError, OSError, EOFError, ValueError) as error:
        raise WikiprepError(f"{archive}: cannot be read ({error})", hint) from error
    except Exception as error:
        if type(error).__name__ == "LZMAError":
            raise WikiprepError(f"{archive}: cannot be read ({error})", hint) from error
        raise
    if not contents:
        raise WikiprepError(f"{archive}: has no XML file of {split}", "it has folders train, dev and test")
    for name in sorted(contents):
        yield _name(PurePosixPath(name), split), contents[name], f"{archive}: {name}"


def _name(path: PurePosixPath, split: str) -> str:
    parts = path.parts
    last = len(parts) - 1 - parts[::-1].index(split)
    return "/".join(parts[last + 1 :])


def read_entries(data: bytes, where: str, left_out: Counter[str]) -> Iterator[JointExample]:
    """The texts of a file, with ids "Id1/Id2": of entry and text. `where` names it in errors.

    Raises WikiprepError for what is no XML (with line and column) or not of this form (with entry and text).
    """
    if b"<!DOCTYPE" in data or b"<!ENTITY" in data:
        raise WikiprepError(f"{where}: has a document type of its own, which is not read", FORM)
    try:
        root = ElementTree.fromstring(data)
    except ElementTree.ParseError as error:
        raise WikiprepError(f"{where}: not XML ({error})", FORM) from error
    entries = root.findall("./entries/entry")
    if not entries:
        raise WikiprepError(f"{where}: has no entries", FORM)
    for entry in entries:
        name = _attribute(entry, "eid", where)
        place = f"{where}: entry {name}"
        triples = _triples(entry, place)
        for lex in entry.findall("lex"):
            number = _attribute(lex, "lid", place)
            text = lex.findtext("text")
            if text is None:
                raise WikiprepError(f"{place}, text {number}: has no <text>", FORM)
            if not text.strip():
                left_out[NO_TEXT] += 1
                continue
            spans = _places(lex, text, left_out)
            yield _example(f"{name}/{number}", text, triples, spans, left_out)


def _example(
    name: str, text: str, triples: list[tuple[str, str, str]], spans: dict[str, Span], left_out: Counter[str]
) -> JointExample:
    scored_triples = []
    for subject, relation, other in triples:
        head, tail = spans.get(_key(subject)), spans.get(_key(other))
        names = [
            _plain_name(n) if span is None else words_at(text, span) for n, span in ((subject, head), (other, tail))
        ]
        scored_triples.append(Triple(names[0], relation, names[1], head, tail))
        left_out[NO_REFERENCE] += head is None or tail is None
    unique_triples = tuple(dict.fromkeys(scored_triples))
    left_out[TWICE] += len(scored_triples) - len(unique_triples)
    return JointExample(name, text, tuple(sorted(set(spans.values()))), unique_triples, "")


def _triples(entry: ElementTree.Element, place: str) -> list[tuple[str, str, str]]:
    triples = []
    for number, item in enumerate(entry.findall("./modifiedtripleset/mtriple"), 1):
        parts = [part.strip() for part in (item.text or "").split(" | ")]
        if len(parts) != 3 or not all(parts):
            raise WikiprepError(f"{place}, triple {number}: {item.text!r} is not subject | property | object", FORM)
        triples.append((parts[0], parts[1], parts[2]))
    if not triples:
        raise WikiprepError(f"{place}: has no triple", FORM)
    return triples


def _places(lex: ElementTree.Element, text: str, left_out: Counter[str]) -> dict[str, Span]:
    """The span of each entity, by its key."""
    best: dict[str, tuple[int, Span]] = {}
    last_end = 0
    for item in lex.findall("./references/reference"):
        entity, words = item.get("entity"), _GENITIVE.sub("", item.text or "")
        if not entity:
            left_out[NO_ENTITY] += 1
            continue
        if not words.strip():
            left_out[NO_WORDS] += 1
            continue
        places = places_of(words, text)
        if not places:
            left_out[NOT_THERE] += 1
            continue
        span = next((span for span in places if span[0] >= last_end), places[0])
        last_end = span[1]
        kind = _KINDS.get(item.get("type", ""), len(_KINDS))
        if _key(entity) not in best or kind < best[_key(entity)][0]:
            best[_key(entity)] = kind, span
    return {key: span for key, (_, span) in best.items()}


def _plain_name(name: str) -> str:
    """`"Ahri'ahn"` and Aarhus_Airport as a text would have them."""
    return " ".join(name.strip('"').replace("_", " ").split()) or name


def _key(name: str) -> str:
    return " ".join(name.replace("_", " ").replace('"', " ").split()).casefold()


def _attribute(element: ElementTree.Element, name: str, place: str) -> str:
    value = element.get(name)
    if not value:
        raise WikiprepError(f"{place}: <{element.tag}> has no {name}", FORM)
    return value
