"""External links: `[http://… label]` becomes its label, `[http://…]` its number, a bare address stays."""

import re
from collections import Counter
from collections.abc import Callable, Iterator

from wikiprep.wikitext.control_marks import NOTHING, PLACEHOLDER, shield

# MediaWiki's $wgUrlProtocols.
SCHEME = (
    r"(?:(?:https?|ftps?|ircs?|svn|git|gopher|nntp|telnet|worldwind|ssh|sftp|mms|redis)://|//"
    r"|mailto:|news:|tel:|sms:|geo:|urn:|xmpp:|sips?:|bitcoin:|magnet:|matrix:)"
)
_SPACES = (
    " \xa0\u1680\u2000\u2001\u2002\u2003\u2004\u2005\u2006\u2007\u2008\u2009\u200a\u202f\u205f\u3000"  # Unicode's Zs
)
_IN_BRACKETS = r"\[[0-9a-f:.]+\]"  # as an address of IPv6 stands
_OPENING = re.compile(rf"\[(?={SCHEME}(?:[^\s\[\]<>\"]|{_IN_BRACKETS}))", re.I)
_HOST = re.compile(SCHEME + _IN_BRACKETS, re.I)
# Quotes end an address: they are read first. So do `&lt;` and `&gt;`, as no other character reference does.
_ADDRESS = re.compile(rf"(?:{_HOST.pattern})?(?:[^\s\[\]<>\"'\x01-\x08\x7f{shield('<>')}]|'(?!'))*", re.I)


def strip_external(text: str, flags: Counter[str], number: Callable[[], str] | None = None, blank: str = "") -> str:
    """The text with external links reduced to their labels. A label ends at `]` or at the end of the line.

    `number()` is what the next link without label shows; without it that is nothing. A label of nothing but spaces and
    the characters of `blank` is none.
    """
    if "[" not in text:
        return text
    pieces = _OPENING.split(text)
    if len(pieces) == 1:
        return text
    flags["external"] += len(pieces) - 1
    blank += _SPACES
    out = [pieces[0]]
    for group in _group_pieces(pieces[1:]):
        parts = _parts("[".join(group))
        if parts is None:
            flags["unclosed:external"] += len(group)
            half = "[" if "]" in group[-1].partition("\n\n")[0] else ""  # shown with its other half, as on the page
            out.append(half + half.join(group))
            continue
        _, label, rest = parts
        if label.strip(blank):
            out.append(NOTHING + label.strip(" \t") + NOTHING)
        else:
            out.append(NOTHING + number() + NOTHING if number else PLACEHOLDER)
        out.append(rest)
    return "".join(out)


def without_label(text: str, blank: str) -> list[str]:
    """The addresses of the links without label, in the order in which `strip_external` asks for their numbers."""
    blank += _SPACES
    links = [_parts("[".join(group)) for group in _group_pieces(_OPENING.split(text)[1:])]
    return [link[0] for link in links if link is not None and not link[1].strip(blank)]


def mark_without_label(text: str, blank: str, mark: str) -> tuple[str, int]:
    """The text with `mark` and a number from 0 behind the address of each link without label, and how many there are.

    `text` has its character references still.
    """
    blank += _SPACES
    pieces = _OPENING.split(text)
    out = [pieces[0]]
    count = 0
    for group in _group_pieces(pieces[1:]):
        link = _parts("[".join(group))
        if link is None or link[1].strip(blank) or "&lt;" in link[0] or "&gt;" in link[0]:
            out += group
        else:
            out.append(f"{link[0]}{mark}{count}{link[1]}]{link[2]}")
            count += 1
    return "[".join(out), count


def _group_pieces(pieces: list[str]) -> Iterator[list[str]]:
    """Texts that begin with an address, each with those behind it that are in its label: up to a `]` or line end."""
    group: list[str] = []
    for piece in pieces:
        group.append(piece)
        if "]" in piece or "\n" in piece:
            yield group
            group = []
    if group:
        yield group


def _parts(piece: str) -> tuple[str, str, str] | None:
    """(address, label, what is behind the link) of a text that begins with an address; None if nothing closes it."""
    host = match.end() if "[" in piece[:20] and (match := _HOST.match(piece)) else 0
    end = piece.find("]", host)
    if end < 0 or "\n" in piece[:end]:
        return None
    address = _ADDRESS.match(piece, 0, end)
    size = address.end() if address else 0
    return piece[:size], piece[size:end], piece[end + 1 :]
