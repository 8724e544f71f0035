"""Which notes the lists of a page show: `<references/>` those of its group that stand before it, each name once."""

import re

from wikiprep.wikitext.references import LIST, note_spans

_ATTRIBUTE = re.compile(r"""\b(name|group)\s*=\s*(?:"([^"]*)"|'([^']*)'|([^\s"'/>]+))""", re.I)
_Waiting = dict[str, dict[str, str]]  # by group and name, the nameless ones by number


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
