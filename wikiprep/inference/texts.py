"""Texts with mentions as people give them: "text with [a mention]", or JSON lines."""

from collections.abc import Iterable, Iterator
from dataclasses import dataclass
from typing import Any

from wikiprep.corpus.annotated_text import BadLine, parse_line, read_links
from wikiprep.inference.seen_mentions import SeenMention
from wikiprep.pretrain.trained import BadText, MarkedText

FORM = 'a line is {"text": "with [a mention]"}, or {"text": "…", "links": [{"start": 0, "end": 4}]}'


@dataclass(frozen=True)
class TextLine:
    """A line that was read: `record` is all of it; `seen`: its mentions as a model sees them, once it was asked."""

    number: int
    record: dict[str, Any]
    marked: MarkedText
    seen: tuple[SeenMention, ...] = ()


@dataclass(frozen=True)
class RejectedLine:
    """A line that cannot be used."""

    number: int
    reason: str


def in_brackets(text: str) -> MarkedText:
    """The text without its brackets, and the spans that they marked. `\\[` and `\\]` are brackets of the text itself.

    Raises BadText for brackets that do not match, are nested or hold nothing.
    """
    letters: list[str] = []
    spans: list[tuple[int, int]] = []
    mention_start: int | None = None
    place = 0
    while place < len(text):
        letter = text[place]
        if letter == "\\" and text[place + 1 : place + 2] in ("[", "]"):
            place += 1
            letters.append(text[place])
        elif letter == "[":
            if mention_start is not None:
                raise BadText(f"a bracket within brackets at character {place}")
            mention_start = len(letters)
        elif letter == "]":
            if mention_start is None:
                raise BadText(f"a closing bracket without an opening one at character {place}")
            if mention_start == len(letters):
                raise BadText(f"brackets around nothing at character {place}")
            spans.append((mention_start, len(letters)))
            mention_start = None
        else:
            letters.append(letter)
        place += 1
    if mention_start is not None:
        raise BadText("a bracket is never closed")
    return MarkedText("".join(letters), tuple(spans), (None,) * len(spans))


def read_texts(lines: Iterable[tuple[int, bytes]]) -> Iterator[TextLine | RejectedLine]:
    """Of each numbered line its text: with brackets, or where it has "links" with those, and the text as it stands.

    A link's "target", if it has one, is the entity of its mention, and its "qid" that entity's Wikidata item.
    """
    for number, raw in lines:
        try:
            fields = parse_line(raw)
            text = fields.get("text")
            if not isinstance(text, str):
                raise BadText('"text" is missing or not a string')
            yield TextLine(
                number, fields, in_brackets(text) if fields.get("links") is None else _mark_links(text, fields)
            )
        except (BadText, BadLine) as bad:
            yield RejectedLine(number, bad.detail if isinstance(bad, BadLine) else str(bad))


def _mark_links(text: str, fields: dict[str, Any]) -> MarkedText:
    raw_links = fields["links"]
    if isinstance(raw_links, list):  # the reader of annotated text wants a target; here there may be none
        raw_links = [{"target": "?", **entry} if isinstance(entry, dict) else entry for entry in raw_links]
    links = read_links(raw_links, len(text))
    entry_by_start = {entry["start"]: entry for entry in fields["links"]}
    entries = [entry_by_start[link.start] for link in links]
    for entry in entries:
        if not isinstance(entry.get("qid"), str | None):
            raise BadText(f'the "qid" of the link at {entry["start"]} is no string')
    qids = tuple(entry.get("qid") or None for entry in entries)
    return MarkedText(
        text,
        tuple((link.start, link.end) for link in links),
        tuple(entry.get("target") for entry in entries),
        qids if any(qids) else (),
    )
