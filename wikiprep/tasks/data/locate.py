"""Where a name stands in a text: white space and case apart. And what the words of a text are."""

import re
from functools import lru_cache

from wikiprep.tasks.examples import Span

_PARTS = re.compile(r"\w+|[^\w\s]")
_QUOTES = str.maketrans({"“": '"', "”": '"', "‘": "'", "’": "'"})
_WORD = re.compile(r"['’]s\b|\w+(?:(?!['’]s\b)[.'’/&–-]+\w+|[,:]\d+)*|[^\w\s]")


def words_of(text: str) -> list[Span]:
    """The words: letters and digits with the signs between them ("U.S", "1,234"), "'s", and any other sign."""
    return [match.span() for match in _WORD.finditer(text)]


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
    text_parts, lower_parts, spans = _parts_of(text)
    name_parts = [part.lower() for part in parts]
    starts, at = [], 0
    while at <= len(lower_parts) - len(name_parts):
        if lower_parts[at : at + len(name_parts)] == name_parts:
            starts.append(at)
            at += len(name_parts)
        else:
            at += 1
    same_case = [at for at in starts if text_parts[at : at + len(parts)] == parts]
    return [(spans[at][0], spans[at + len(parts) - 1][1]) for at in same_case or starts]


@lru_cache(maxsize=4)  # all names of a text are looked for one after the other
def _parts_of(text: str) -> tuple[list[str], list[str], list[Span]]:
    """Words and signs of a text, the same in lower case, and where they stand."""
    matches = list(_PARTS.finditer(text.translate(_QUOTES)))
    parts = [part[0] for part in matches]
    return parts, [part.lower() for part in parts], [part.span() for part in matches]


def first_place(name: str, text: str) -> Span | None:
    """The first of them; None where there is none."""
    return next(iter(places_of(name, text)), None)


def words_at(text: str, span: Span) -> str:
    """The words at a span, with single blanks."""
    return " ".join(text[slice(*span)].split())
