"""Takes away what a dropped template leaves around it: empty brackets, orphan commas, spaces before punctuation.

Only at holes, never elsewhere: `f( )` in running text stays what its author wrote.
"""

import re

from wikiprep.wikitext.marks import HOLE

_HOLES = re.compile("\x03[\x03 ]*\x03")
_LIST_OF_HOLES = re.compile(r"\x03(?: ?[,;、，；·] ?\x03)+")
_AT_END = re.compile(r" ?[,;、，；] ?\x03 ?$")
_BRACKETS = re.compile(r" ?([(（\[［])([^()（）\[\]［］]*+)([)）\]］])")
_SEPARATORS = re.compile(r"([,;،、，；·•]|(?:(?<=[\s\x03])(?:or|and|und|et|y)(?=[\s\x03])))")
# Nothing but holes and their trimmings, or a label whose value is gone ("Greek: ").
_EMPTY = re.compile(r"[\s\x03'\"“”„«»:/–—=-]*|[^:\x01\x02]{1,40}:[\s\x03'\"]*")
_BEFORE_STOP = re.compile(r" ?\x03 ?(?=[,.;:!?)\]}%،。、，；])")
_AFTER_OPEN = re.compile(r"(?<=[(\[（]) ?\x03 ?(?:[,;、，；] ?)?")
_BEFORE_CLOSE = re.compile(r" ?[,;、，；] ?\x03 ?(?=[)\]）])")
_EMPTY_QUOTES = re.compile(r"“\x03”|„\x03[“”]|「\x03」|『\x03』|《\x03》|«\x03»|(?<![^\s(\x03])\"\x03\"(?!\w)")
_AT_START = re.compile(r"^\x03[ ,;:]+")
# A colon stays: before a formula it is the author's.
_DOUBLE_STOP = re.compile(r"(?: ?[,;]| [–—]) ?\x03 ?(?=[,;.])")


_STOPPED = re.compile("\x03 ?[,.;:!?)\\]}%،、。，；]")
_IN_QUOTES = re.compile('\x03[”“」』》»"]')

# Whether a hole stands beside anything that it may leave behind; a literal first, so that `re` skips to each hole.
_BEFORE = r"[,;:،、，；·•(\[（［“„「『《«\"]"
_TOUCHING = re.compile(
    rf"\x03(?: ?[\x03,.;:!?)\]}}%،、。，；·•）］“”」』》»\"]|(?<={_BEFORE}\x03)|(?<={_BEFORE} \x03)"
    r"|(?<=[ \x03]or\s\x03)|(?<=[ \x03](?:and|und)\s\x03)|(?<=[ \x03]et\s\x03)|(?<=[ \x03]y\s\x03)"
    r"|\s(?:or|and|und|et|y)\s)"
)


def _bracket(match: re.Match[str]) -> str:
    if HOLE not in match[2]:
        return match[0]
    parts = _SEPARATORS.split(match[2])
    kept: list[str] = []
    gap = False  # whether a part went just before
    for i in range(0, len(parts), 2):
        part = parts[i]
        if HOLE in part and _EMPTY.fullmatch(part):
            gap = True
            continue
        if kept and gap:
            kept[-1] = kept[-1].rstrip(" ")  # its own separator, which may have stood apart, is gone
        gap = False
        if kept:
            kept.append(parts[i - 1] if i else "")
        kept.append(part)
    if not kept:
        return HOLE
    inside = "".join(kept).strip(" /\x03")
    lead = match[0][: match[0].index(match[1])]
    return f"{lead}{match[1]}{inside}{match[3]}" if inside else HOLE


def close_holes(block: str) -> str:
    """The block, of single spaces, with its holes closed; doubled spaces may be left. Linear: no two runs overlap."""
    if _TOUCHING.search(block) is None:
        return block.replace(HOLE, "")
    if block.count(HOLE) > 1:
        block = _LIST_OF_HOLES.sub(HOLE, _HOLES.sub(HOLE, block))
    if _IN_QUOTES.search(block):
        block = _EMPTY_QUOTES.sub(HOLE, block)
    if "(" in block or "（" in block or "[" in block:
        for _ in range(3):  # brackets in brackets, innermost first
            before = len(block)
            block = _BRACKETS.sub(_bracket, block)
            if len(block) == before:
                break
            block = _HOLES.sub(HOLE, block)
        block = _AFTER_OPEN.sub("", _DOUBLE_STOP.sub("", block))
        block = _BEFORE_CLOSE.sub("", block)
    if block[:1] == HOLE:
        block = _AT_START.sub("", block)
    if block.endswith((HOLE, HOLE + " ")):
        block = _AT_END.sub("", block)
    if _STOPPED.search(block):
        block = _BEFORE_STOP.sub("", _DOUBLE_STOP.sub("", block))
    return block.replace(HOLE, "")
