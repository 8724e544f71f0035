"""Takes away what a dropped template leaves around it: empty brackets, orphan commas, spaces before punctuation.

Only at holes, never elsewhere: `f( )` in running text stays what its author wrote.
"""

import re

from wikiprep.wikitext.marks import HOLE

_HOLES = re.compile("\x03[\x03 ]*\x03")
_LIST_OF_HOLES = re.compile(r"\x03(?: ?[,;、，；·] ?\x03)+")
_AT_END = re.compile(r" ?[,;、，；] ?\x03 ?$")
_BRACKETS = re.compile(r"([(（\[［])([^()（）\[\]［］\x03]*+\x03[^()（）\[\]［］]*+)([)）\]］])")
_SEPARATORS = re.compile(r"([,;،、，；·•]|(?:(?<=[\s\x03])(?:or|and|und|et|y)(?=[\s\x03])))")
# Nothing but holes and their trimmings, or a label whose value is gone ("Greek: ").
_EMPTY = re.compile(r"[\s\x03'\"“”„«»:/–—=-]*|[^:\x01\x02]{1,40}:[\s\x03'\"]*")
_AFTER_OPEN = re.compile(r"(?<=[(\[（]) ?\x03 ?(?:[,;、，；] ?)?")
_BEFORE_CLOSE = re.compile(r" ?[,;、，；] ?\x03 ?(?=[)\]）])")
_EMPTY_QUOTES = re.compile(r"“\x03”|„\x03[“”]|「\x03」|『\x03』|《\x03》|«\x03»|(?<![^\s(\x03])\"\x03\"(?!\w)")
_AT_START = re.compile(r"^\x03[ ,;:]+")
# A colon stays: before a formula it is the author's.
_DOUBLE_STOP = re.compile(r"(?: ?[,;]| [–—]) ?\x03 ?(?=[,;.])")


_STOP = re.compile(r" ?[,.;:!?)\]}%،。、，；]")
# What stands behind a hole where slower patterns may find something.
_STOPPED = re.compile(HOLE + _STOP.pattern)
_DOUBLE_STOPPED = re.compile("\x03 ?[,;.]")
_CLOSED = re.compile("\x03 ?[)\\]）]")
_IN_QUOTES = re.compile('\x03[”“」』》»"]')

# Whether a hole stands beside anything that it may leave behind; a literal first, so that `re` skips to each hole.
_BEFORE = r"[,;:،、，；·•(\[（［“„「『《«\"]"
_TOUCHING = re.compile(
    rf"\x03(?: ?[\x03,.;:!?)\]}}%،、。，；·•）］“”」』》»\"]|(?<={_BEFORE}\x03)|(?<={_BEFORE} \x03)"
    r"|(?<=[ \x03]or\s\x03)|(?<=[ \x03](?:and|und)\s\x03)|(?<=[ \x03]et\s\x03)|(?<=[ \x03]y\s\x03)"
    r"|\s(?:or|and|und|et|y)\s)"
)


def _bracket(match: re.Match[str]) -> str:
    """What is left of a pair of brackets with a hole in it, a hole if nothing."""
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
    return f"{match[1]}{inside}{match[3]}" if inside else HOLE


def _close_brackets(block: str) -> str:
    """Brackets around holes, with the space before those that go. (A pattern that begins with it is far slower.)"""
    out: list[str] = []
    last = 0
    for match in _BRACKETS.finditer(block):
        shown, before = _bracket(match), block[last : match.start()]
        out += (before.removesuffix(" ") if shown == HOLE else before, shown)
        last = match.end()
    return "".join([*out, block[last:]]) if out else block


def _close_stops(block: str) -> str:
    """The block without holes, nor the spaces around those that stand before a stop."""
    first, *rest = block.split(HOLE)
    out = [first]
    for piece in rest:
        if _STOP.match(piece):
            out[-1] = out[-1].removesuffix(" ")
            piece = piece.removeprefix(" ")
        out.append(piece)
    return "".join(out)


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
            block = _close_brackets(block)
            if len(block) == before:
                break
            block = _HOLES.sub(HOLE, block)
        if _DOUBLE_STOPPED.search(block):
            block = _DOUBLE_STOP.sub("", block)
        block = _AFTER_OPEN.sub("", block)
        if _CLOSED.search(block):
            block = _BEFORE_CLOSE.sub("", block)
    if block[:1] == HOLE:
        block = _AT_START.sub("", block)
    if block.endswith((HOLE, HOLE + " ")):
        block = _AT_END.sub("", block)
    if _STOPPED.search(block):
        if _DOUBLE_STOPPED.search(block):
            block = _DOUBLE_STOP.sub("", block)
        return _close_stops(block)
    return block.replace(HOLE, "")
