"""Footnotes: `<ref>…</ref>`, `<ref/>` and the list of them.

A list, `<references/>`, shows the notes of its group that stand before it, each name once.

Where a note begins and ends says `compiled/notes.py`: of a note in a note the rest of the outer one is text, and where
`</ref>` was forgotten readers see nothing up to the next.
"""

import re
from collections import Counter

from wikiprep.compiled import fastest, notes
from wikiprep.wikitext.control_marks import BREAK, NOTHING

_cut_notes = fastest(notes.cut_notes)
_close_up = fastest(notes.close_up)
_find_notes = fastest(notes.find_notes)
_CLOSING = ",.;:!?)]"
# A group around the whole, so that `split` gives text and lists in turn.
LIST = re.compile(
    r"(<[Rr]eferences(?:\s[^<>]*)?(?:/>|>[^<]*+(?:<(?!/?[Rr]eferences[\s>/])[^<]*+)*+</[Rr]eferences\s*>))"
)
_STRAY = re.compile(r"</?[Rr][Ee][Ff](?:erences)?(?:[\s/][^<>]*)?>")
_ATTRIBUTE = re.compile(r"""\b(name|group)\s*=\s*(?:"([^"]*)"|'([^']*)'|([^\s"'/>]+))""", re.I)
_Waiting = dict[str, dict[str, str]]  # by group and name, the nameless ones by number


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


def listed_notes(text: str, *, all_listed: bool) -> list[str]:
    """The notes of a text that still has them, tags and all, which are in a list.

    `all_listed`: as if a list of all groups stood at the end, as where a template makes it. A named note with content
    in two places is the first, and what a list itself holds is a note only where its name is called.
    """
    waiting: _Waiting = {}
    shown_notes: list[str] = []
    for place, part in enumerate(LIST.split(text)):
        group = _attributes(part)[1] if place % 2 else None
        for start, _, end in note_spans(part):
            _add(part[start:end], waiting, group)
        if group is not None:
            shown_notes += waiting.pop(group, {}).values()
    if all_listed:
        for notes in waiting.values():
            shown_notes += notes.values()
    return shown_notes


def _add(note: str, waiting: _Waiting, list_group: str | None) -> None:
    name, group = _attributes(note)
    if name.isdecimal():  # an error to MediaWiki, and nameless notes are numbers here
        return
    notes = waiting.setdefault(group or list_group or "", {})
    known_note = notes.get(name)
    if not name:
        if list_group is None:
            notes[str(len(notes))] = note
    elif known_note is None:
        if list_group is None:
            notes[name] = note
    elif known_note.endswith("/>"):
        notes[name] = note


def _attributes(tag: str) -> tuple[str, str]:
    """(name, group) of the tag that a text begins with."""
    attributes = {
        match[1].lower(): match[2] or match[3] or match[4] or "" for match in _ATTRIBUTE.finditer(tag, 0, tag.find(">"))
    }
    return attributes.get("name", "").strip(), attributes.get("group", "").strip()
