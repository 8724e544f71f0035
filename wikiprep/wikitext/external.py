"""External links: `[http://… label]` becomes its label, `[http://…]` leaves a hole, a bare address stays."""

import re
from collections import Counter

from wikiprep.wikitext.marks import HOLE, NOTHING

# MediaWiki's $wgUrlProtocols.
SCHEME = (
    r"(?:(?:https?|ftps?|ircs?|svn|git|gopher|nntp|telnet|worldwind|ssh|sftp|mms|redis)://|//"
    r"|mailto:|news:|tel:|sms:|geo:|urn:|xmpp:|sips?:|bitcoin:|magnet:|matrix:)"
)
_OPENING = re.compile(rf"\[(?={SCHEME}[^\s\[\]<>\"])", re.I)
_ADDRESS = re.compile(r"(?:[^\s\[\]<>\"'\x01-\x08\x7f]|'(?!'))+")  # quotes end it: they are read first


def strip_external(text: str, flags: Counter[str]) -> str:
    """The text with external links reduced to their labels. A label ends at `]` or at the end of the line."""
    if "[" not in text:
        return text
    pieces = _OPENING.split(text)
    if len(pieces) == 1:
        return text
    flags["external"] += len(pieces) - 1
    out = [pieces[0]]
    for piece in pieces[1:]:
        inside, closed, rest = piece.partition("]")
        cut = inside.find("\n")
        if not closed or cut >= 0:
            flags["unclosed:external"] += 1
            out.append(piece)
            continue
        address = _ADDRESS.match(inside)
        label = inside[address.end() :] if address else inside
        out.append(NOTHING + label.strip(" \t") + NOTHING if label else HOLE)
        out.append(rest)
    return "".join(out)
