"""Footnotes: `<ref>…</ref>`, `<ref/>` and the list of them.

Where a note begins and ends says `compiled/notes.py`: of a note in a note the rest of the outer one is text, and where
`</ref>` was forgotten readers see nothing up to the next.
"""

import re
from collections import Counter

from wikiprep.compiled import fastest, notes
from wikiprep.wikitext.marks import BREAK, NOTHING

_cut_notes = fastest(notes.cut_notes)
_close_up = fastest(notes.close_up)
_find_notes = fastest(notes.find_notes)
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
    text, flags["ref"], flags["nested:ref"], inside = _cut_notes(text)
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
    return [(start, tag_end, end) for start, tag_end, end, _ in _find_notes(text)]


def without_loose_spaces(text: str) -> str:
    """A space before notes goes where punctuation or white space follows them."""
    return _close_up(text, _CLOSING)
