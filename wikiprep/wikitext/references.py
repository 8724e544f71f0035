"""Footnotes: `<ref>…</ref>`, `<ref/>` and the list of them.

As in MediaWiki a tag ends at the first `>`, and a note at the first `</ref>`, whatever stands between: of a note in a
note the rest of the outer one is text, and where `</ref>` was forgotten readers see nothing up to the next.
"""

import re
from collections import Counter
from collections.abc import Callable

from wikiprep.compiled import fast_path
from wikiprep.wikitext.marks import BREAK, NOTHING

_OPENING = re.compile(r"<[Rr][Ee][Ff](?=[\s>]|/>)")
_CLOSING_TAG = re.compile(r"</[Rr][Ee][Ff]\s*>")
_cut_notes: Callable[[str], tuple[str, int, int, int]] | None = fast_path("notes", "cut_notes")
_close_up: Callable[[str, str], str] | None = fast_path("notes", "close_up")
_CLOSING = ",.;:!?)]"
# A group around the whole, so that `split` gives text and lists in turn.
LIST = re.compile(
    r"(<[Rr]eferences(?:\s[^<>]*)?(?:/>|>[^<]*+(?:<(?!/?[Rr]eferences[\s>/])[^<]*+)*+</[Rr]eferences\s*>))"
)
_STRAY = re.compile(r"</?[Rr][Ee][Ff](?:erences)?(?:[\s/][^<>]*)?>")


def strip_references(text: str, links: Counter[str], flags: Counter[str]) -> str:
    """The text without footnotes; links in them are counted as `reference`.

    No look for a word such as `<ref` comes before a pattern: in text of two bytes a character a pattern that begins
    with one letter is through sooner.
    """
    if "<" not in text:
        return text
    text, flags["ref"], flags["nested:ref"], inside = (_cut_notes or _without_notes)(text)
    _count(inside, links)
    if "<" in text:  # two pages in three have no other tags
        parts = LIST.split(text)
        if len(parts) > 1:
            _count("".join(parts[1::2]).count("[["), links)
            text = BREAK.join(parts[0::2])
        text, flags["unclosed:ref"] = _STRAY.subn(NOTHING, text)
    return without_loose_spaces(text)


def _count(inside: int, links: Counter[str]) -> None:
    if inside:
        links["found"] += inside
        links["reference"] += inside


def note_spans(text: str) -> list[tuple[int, int, int]]:
    """Where the notes of a text stand: of each its start, the end of its opening tag, its end."""
    spans: list[tuple[int, int, int]] = []
    at, closes = 0, True
    while (match := _OPENING.search(text, at)) is not None:
        at = text.find(">", match.end()) + 1
        if not at:
            break
        tag_end = at
        if text[at - 2] != "/":
            closing = _CLOSING_TAG.search(text, at) if closes else None
            if closing is None:
                closes = False
                continue
            at = closing.end()
        spans.append((match.start(), tag_end, at))
    return spans


def _without_notes(text: str) -> tuple[str, int, int, int]:
    """(the text with NOTHING for each note, how many there were, how many hold another's tag, how many `[[` in all)."""
    out: list[str] = []
    last = nested = links = 0
    spans = note_spans(text)
    for start, tag_end, end in spans:
        out.append(text[last:start])
        last = end
        nested += _OPENING.search(text, tag_end, end) is not None
        links += text.count("[[", start, end)
    out.append(text[last:])
    return NOTHING.join(out), len(spans), nested, links


def without_loose_spaces(text: str) -> str:
    """A space before notes goes where punctuation or white space follows them."""
    if _close_up is not None:
        return _close_up(text, _CLOSING)
    # One character is found far quicker than two: nearly no text before a note ends with a space.
    pieces = text.split(NOTHING)
    behind = pieces[-1]
    for i in range(len(pieces) - 2, -1, -1):
        piece = pieces[i]
        if piece[-1:] == " " and (not behind or behind[0] in _CLOSING or behind[0].isspace()):
            pieces[i] = piece[:-1]
        behind = piece or behind
    return NOTHING.join(pieces)
