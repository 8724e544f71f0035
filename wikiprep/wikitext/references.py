"""Footnotes: `<ref>…</ref>`, `<ref/>` and the list of them.

A body never crosses another `<ref`: of two openings before one closing mark, the first is taken for a stray tag, so a
forgotten `</ref>` costs no prose. All of it is done in C; every attempt ends at the next `<ref`.
"""

import re
from collections import Counter
from collections.abc import Callable

from wikiprep.compiled import fast_path
from wikiprep.wikitext.marks import BREAK, NOTHING

# Groups around the whole, so that `split` gives text and notes in turn.
_OTHER = r"<(?!/?[Rr][Ee][Ff][\s>/])"  # a tag in a note, or in the name of one: `<ref name="a<sup>2</sup>">`
NOTE = re.compile(
    rf"(<[Rr][Ee][Ff](?:\s[^<>]*(?:{_OTHER}[^<>]*)*)?(?:/>|>[^<]*+(?:{_OTHER}[^<]*+)*+</[Rr][Ee][Ff]\s*>))"
)
_cut_notes: Callable[[str], tuple[str, int, int]] | None = fast_path("notes", "cut_notes")
_close_up: Callable[[str, str], str] | None = fast_path("notes", "close_up")
_CLOSING = ",.;:!?)]"
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
    if _cut_notes is not None:
        text, flags["ref"], inside = _cut_notes(text)
        if inside:
            links["found"] += inside
            links["reference"] += inside
    else:
        text, flags["ref"] = _cut(NOTE, text, NOTHING, links)
    if "<" in text:  # two pages in three have no other tags
        text, _ = _cut(LIST, text, BREAK, links)
        text, flags["unclosed:ref"] = _STRAY.subn(NOTHING, text)
    return without_loose_spaces(text)


def _cut(pattern: re.Pattern[str], text: str, stand_in: str, links: Counter[str]) -> tuple[str, int]:
    """The text with `stand_in` for what the pattern finds, and how much that was."""
    parts = pattern.split(text)
    if len(parts) == 1:
        return text, 0
    cut = parts[1::2]
    if inside := "".join(cut).count("[["):
        links["found"] += inside
        links["reference"] += inside
    return stand_in.join(parts[0::2]), len(cut)


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
