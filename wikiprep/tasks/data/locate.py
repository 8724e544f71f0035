"""Where a name stands in a text: white space and case apart. And what the words of a text are."""

import re
from collections.abc import Iterator

from wikiprep.tasks.examples import Span

_PARTS = re.compile(r"\w+|[^\w\s]")
_QUOTES = str.maketrans({"“": '"', "”": '"', "‘": "'", "’": "'"})
_WORD = re.compile(r"['’]s\b|\w+(?:(?!['’]s\b)[.'’/&–-]+\w+|[,:]\d+)*|[^\w\s]")


def words_of(text: str) -> list[Span]:
    """The words: letters and digits with the signs between them ("U.S", "1,234"), "'s", and any other sign."""
    return [found.span() for found in _WORD.finditer(text)]


def places_of(name: str, text: str) -> list[Span]:
    """Where `text` has `name`, in order, never overlapping; [] where it has not.

    White space may be anywhere between the name's words and signs, or nowhere ("Abilene , Texas"); quotation marks are
    alike, typewriter's and printer's, and those around the name (`` and '' too) are not of it. A name is whole words:
    "India" is not in "Indian". Where some places have the name's own case, they alone are given.
    """
    name = name.replace("``", '"').replace("''", '"').translate(_QUOTES).strip()
    if name.strip('"').strip():
        name = name.strip('"')
    parts = _PARTS.findall(name)
    if not parts:
        return []
    plain = text.translate(_QUOTES)
    pattern = re.compile(r"\s*".join(map(re.escape, parts)), re.IGNORECASE)
    found = [match.span() for match in pattern.finditer(plain)]
    whole = [span for span in found if _is_whole(plain, *span)]
    same = [(start, end) for start, end in whole if _PARTS.findall(plain[start:end]) == parts]
    return same or whole


def first_place(name: str, text: str) -> Span | None:
    """The first of them; None where there is none."""
    return next(iter(places_of(name, text)), None)


def said(text: str, span: Span) -> str:
    """The words at a span, with single blanks."""
    return " ".join(text[slice(*span)].split())


def _is_whole(text: str, start: int, end: int) -> bool:
    return not any(text[at - 1].isalnum() and text[at].isalnum() for at in _inner(start, end, len(text)))


def _inner(start: int, end: int, length: int) -> Iterator[int]:
    return (at for at in (start, end) if 0 < at < length)
