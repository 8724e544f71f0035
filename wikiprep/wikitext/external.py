"""External links: `[http://… label]` becomes its label, `[http://…]` its number, a bare address stays."""

import re
from collections import Counter
from collections.abc import Callable

from wikiprep.wikitext.marks import HOLE, NOTHING

# MediaWiki's $wgUrlProtocols.
SCHEME = (
    r"(?:(?:https?|ftps?|ircs?|svn|git|gopher|nntp|telnet|worldwind|ssh|sftp|mms|redis)://|//"
    r"|mailto:|news:|tel:|sms:|geo:|urn:|xmpp:|sips?:|bitcoin:|magnet:|matrix:)"
)
_OPENING = re.compile(rf"\[(?={SCHEME}[^\s\[\]<>\"])", re.I)
_ADDRESS = re.compile(r"(?:[^\s\[\]<>\"'\x01-\x08\x7f]|'(?!'))+")  # quotes end it: they are read first


def strip_external(text: str, flags: Counter[str], number: Callable[[str], str] | None = None, blank: str = "") -> str:
    """The text with external links reduced to their labels. A label ends at `]` or at the end of the line.

    `number(address)` is what a link without label shows; without it that is nothing. A label of nothing but spaces and
    the characters of `blank` is none.
    """
    if "[" not in text:
        return text
    pieces = _OPENING.split(text)
    if len(pieces) == 1:
        return text
    flags["external"] += len(pieces) - 1
    out = [pieces[0]]
    for piece in pieces[1:]:
        parts = _parts(piece)
        if parts is None:
            flags["unclosed:external"] += 1
            out.append(piece)
            continue
        address, label, rest = parts
        if label.strip(" \t" + blank):
            out.append(NOTHING + label.strip(" \t") + NOTHING)
        else:
            out.append(NOTHING + number(address) + NOTHING if number else HOLE)
        out.append(rest)
    return "".join(out)


def without_label(text: str, blank: str) -> list[str]:
    """The addresses of the links without label, in order, as `strip_external` gives them to `number`."""
    links = map(_parts, _OPENING.split(text)[1:])
    return [link[0] for link in links if link is not None and not link[1].strip(" \t" + blank)]


def _parts(piece: str) -> tuple[str, str, str] | None:
    """(address, label, what is behind the link) of a text that begins with an address; None if nothing closes it."""
    inside, closed, rest = piece.partition("]")
    if not closed or "\n" in inside:
        return None
    address = _ADDRESS.match(inside)
    return (address[0], inside[address.end() :], rest) if address else ("", inside, rest)
