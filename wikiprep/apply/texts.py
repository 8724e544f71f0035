"""Texts with mentions as people give them: "text with [a mention]", or JSON lines."""

from collections.abc import Iterable, Iterator
from dataclasses import dataclass
from typing import Any

from wikiprep.apply.linked import Seen
from wikiprep.corpus.annotated import BadLine, parse_line, read_links
from wikiprep.pretrain.trained import BadText, Marked

FORM = 'a line is {"text": "with [a mention]"}, or {"text": "…", "links": [{"start": 0, "end": 4}]}'


@dataclass(frozen=True)
class Line:
    """A line that was read: `found` is all of it; `seen`: its mentions as a model sees them, once it was asked."""

    number: int
    found: dict[str, Any]
    marked: Marked
    seen: tuple[Seen, ...] = ()


@dataclass(frozen=True)
class Rejected:
    """A line that cannot be used."""

    number: int
    reason: str


def in_brackets(text: str) -> Marked:
    """The text without its brackets, and the spans that they marked. `\\[` and `\\]` are brackets of the text itself.

    Raises BadText for brackets that do not match, are nested or hold nothing.
    """
    made: list[str] = []
    spans: list[tuple[int, int]] = []
    opened: int | None = None
    place = 0
    while place < len(text):
        letter = text[place]
        if letter == "\\" and text[place + 1 : place + 2] in ("[", "]"):
            place += 1
            made.append(text[place])
        elif letter == "[":
            if opened is not None:
                raise BadText(f"a bracket within brackets at character {place}")
            opened = len(made)
        elif letter == "]":
            if opened is None:
                raise BadText(f"a closing bracket without an opening one at character {place}")
            if opened == len(made):
                raise BadText(f"brackets around nothing at character {place}")
            spans.append((opened, len(made)))
            opened = None
        else:
            made.append(letter)
        place += 1
    if opened is not None:
        raise BadText("a bracket is never closed")
    return Marked("".join(made), tuple(spans), (None,) * len(spans))


def read_texts(lines: Iterable[tuple[int, bytes]]) -> Iterator[Line | Rejected]:
    """Of each numbered line its text: with brackets, or where it has "links" with those, and the text as it stands.

    A link's "target", if it has one, is the entity of its mention, and its "qid" that entity's Wikidata item.
    """
    for number, raw in lines:
        try:
            found = parse_line(raw)
            text = found.get("text")
            if not isinstance(text, str):
                raise BadText('"text" is missing or not a string')
            yield Line(number, found, in_brackets(text) if found.get("links") is None else _linked(text, found))
        except (BadText, BadLine) as bad:
            yield Rejected(number, bad.detail if isinstance(bad, BadLine) else str(bad))


def _linked(text: str, found: dict[str, Any]) -> Marked:
    given = found["links"]
    if isinstance(given, list):  # the reader of annotated text wants a target; here there may be none
        given = [{"target": "?", **entry} if isinstance(entry, dict) else entry for entry in given]
    links = read_links(given, len(text))
    known = {entry["start"]: entry for entry in found["links"]}
    entries = [known[link.start] for link in links]
    for entry in entries:
        if not isinstance(entry.get("qid"), str | None):
            raise BadText(f'the "qid" of the link at {entry["start"]} is no string')
    qids = tuple(entry.get("qid") or None for entry in entries)
    return Marked(
        text,
        tuple((link.start, link.end) for link in links),
        tuple(entry.get("target") for entry in entries),
        qids if any(qids) else (),
    )
