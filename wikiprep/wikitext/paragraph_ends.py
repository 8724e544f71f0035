"""Which lines share a paragraph: none does with a line that holds the tag of a block.

MediaWiki reads lines, not elements: a line with such a tag ends the paragraph before it and lets the next one begin
behind it, what of the line stands outside the block included. Behind a tag like `<p>` or `<li>` lines go on with it
until one that holds a tag like `</p>` or `<div>`. Two lines with tags share what stands between their tags.
"""

import re

from wikiprep.wikitext.control_marks import (
    BREAK,
    DEFINITION,
    ITEM,
    ITEM_CLOSE,
    LIST_OPEN,
    LIST_TAG,
    QUOTE_CLOSE,
    QUOTE_OPEN,
    TAG,
    TERM,
    WITHIN,
)

_MARK = re.compile(rf"[{BREAK}{QUOTE_OPEN}{QUOTE_CLOSE}]|{WITHIN}|{LIST_TAG.pattern}")
_FIRST = BREAK + QUOTE_OPEN + QUOTE_CLOSE + TAG  # what they start with
_CONTINUING = frozenset((WITHIN, LIST_OPEN, ITEM, TERM, DEFINITION, ITEM_CLOSE))


def end_paragraphs(text: str, *, tagged: bool = True) -> str:
    """The text with BREAK where a line that holds marks of tags meets one that holds none; no WITHIN is left in it.

    `tagged`: whether it may hold another mark than BREAK.
    """
    # Where the next of each kind stands. To look for one character is many times faster than for one of a class.
    size = len(text)
    places = {mark: at for mark in (_FIRST if tagged else BREAK) if (at := text.find(mark)) >= 0}
    if not places:
        return text
    break_places: list[int] = []  # where a BREAK is missing
    seen_marks: set[str] = set()
    runs = False  # whether marks stand one behind the other
    within = False  # whether lines without a mark go on with the last one that held one
    at, last_end = 0, -1  # where the next line to look at begins, where that last one ended
    while (start := min(places.values())) < size:
        begin = text.rfind("\n", at, start) + 1 or at
        end = text.find("\n", start)
        if end < 0:
            end = size
        line = text[begin:end]
        marks = _MARK.findall(line)
        seen_marks.update(marks)
        runs = runs or _RUN.search(line) is not None
        if line[0] not in "*#:;":  # items are blocks of their own
            if not within and begin != last_end + 1:
                break_places += [last_end, begin] if line[0] != "=" and not line.startswith("----") else [last_end]
            within = _CONTINUING.issuperset(marks)
            last_end = end
        at = end + 1
        for mark, place in places.items():
            if place < at:
                place = text.find(mark, at)
                places[mark] = place if place >= 0 else size
    if not within:
        break_places.append(last_end)
    text = _with_breaks(text, break_places)
    if WITHIN in seen_marks:
        text = text.replace(WITHIN, BREAK)
    while runs and BREAK + BREAK in text:  # a few times: each halves the longest run
        text = text.replace(BREAK + BREAK, BREAK)
    return text


def _with_breaks(text: str, places: list[int]) -> str:
    """BREAK at these places, but at the ends of the text and where there is one."""
    out: list[str] = []
    last = 0
    for at in places:
        if 0 < at < len(text) and text[at] not in _BREAKS and text[at - 1] not in _BREAKS:
            out += [text[last:at], BREAK]
            last = at
    return "".join([*out, text[last:]]) if last else text


_BREAKS = BREAK + WITHIN
_RUN = re.compile(rf"(?:{BREAK}|{WITHIN}){{2,}}")
