"""One `<page>` element -> Page. MediaWiki's own export takes a strict pattern; all else goes through expat.

The pattern accepts only what is well-formed, so that both ways give the same. No DTD, no external entity, no
expansion: an unknown entity is an error. Characters that XML forbids become U+FFFD, as in MediaWiki itself; bytes that
are not UTF-8 make the page a reject.
"""

import re
from collections.abc import Callable
from dataclasses import dataclass, field
from xml.parsers import expat

from wikiprep.compiled import fast_path


@dataclass(frozen=True, slots=True)
class Page:
    """A page and its newest revision.

    `redirect` is the target as written, with its fragment; `model` is "wikitext", "css", …; `namespace` is a number,
    `timestamp` ISO 8601 in UTC; `xml_bytes` is the length of the page's XML in bytes of UTF-8. Of control characters
    `text` can hold tab, line ends and U+007F alone.
    """

    page_id: int | None  # None: a redirect that its source knows by its title alone
    namespace: int
    title: str
    revision_id: int | None
    timestamp: str | None
    model: str
    redirect: str | None
    text: str
    xml_bytes: int


@dataclass(frozen=True, slots=True)
class BadPage:
    """A page that cannot be read: a reject. `reason` is one of few fixed words, `detail` is for people."""

    page_id: int | None
    title: str | None
    reason: str
    detail: str


@dataclass(slots=True)
class Revision:
    """What one <revision> holds. `text` is None without a <text> element."""

    id: str = ""
    timestamp: str = ""
    model: str = ""
    text: str | None = None
    attributes: dict[str, str] = field(default_factory=dict)


@dataclass(slots=True)
class RawPage:
    """The fields of a page as the XML has them. `ns` and `redirect` are None where the schema lacks them."""

    title: str | None = None
    id: str = ""
    ns: str | None = None
    redirect: str | None = None
    revision: Revision | None = None


_LEAF = rb"<(\w++)(?:\s[^<>]*+|/)?+(?:(?<=/)>|(?<!/)>[^<]*+</\%d>)\s*+"


def _leaf(group: int) -> bytes:
    return _LEAF % group


# Leaves in any order stand where nothing but them may come; contributor is the one element with children.
_REGULAR = re.compile(
    rb"<page>\s*+<title>([^<]*+)</title>\s*+(?:<ns>(-?\d++)</ns>\s*+)?+<id>(\d++)</id>\s*+"
    rb'(?:<redirect title="([^"<]*+)"\s*+/>\s*+)?+(?:<restrictions>[^<]*+</restrictions>\s*+)?+'
    rb"<revision>\s*+(?:<id>(\d++)</id>\s*+)?+(?:<parentid>\d++</parentid>\s*+)?+<timestamp>([^<]*+)</timestamp>\s*+"
    rb"(?:<contributor>\s*+(?:" + _leaf(7) + rb")*+</contributor>\s*+|<contributor [^<>]*+(?<=/)>\s*+)?+"
    rb"(?:(?!<text\b)" + _leaf(8) + rb")*+"
    rb"<text((?:\s[^<>]*+|/)?+)>"
)
_REST = re.compile(rb"</text>\s*+(?:" + _leaf(1) + rb")*+</revision>\s*+</page>")
_MODEL = re.compile(rb"<model>([^<]*)</model>")
_ATTRIBUTE = re.compile(rb"""\s*+([\w:.-]++)\s*+=\s*+(?:"([^"<]*+)"|'([^'<]*+)')""")
_SIMPLE = {b' xml:space="preserve"', b""}

_FORBIDDEN = bytes(c for c in range(32) if c not in (9, 10, 13))
_REFERENCE = re.compile(rb"&(?:(lt|gt|amp|quot|apos)|#(\d{1,7})|#x([0-9A-Fa-f]{1,6}));")
_unescape_named: Callable[[bytes], bytes | None] | None = fast_path("xml_text", "unescape_named")
_has_control: Callable[[bytes], bool] | None = fast_path("xml_text", "has_control")
_NAMED_REFERENCE = re.compile(rb"&(lt|gt|amp|quot|apos);")
_NAMED = {b"lt": b"<", b"gt": b">", b"amp": b"&", b"quot": b'"', b"apos": b"'"}


class Malformed(Exception):
    """The page is not well-formed XML, or not UTF-8."""


def _character(match: re.Match[bytes]) -> bytes:
    if match[1]:
        return _NAMED[match[1]]
    code = int(match[2]) if match[2] else int(match[3], 16)
    if not (code in (9, 10, 13) or 0x20 <= code <= 0xD7FF or 0xE000 <= code <= 0xFFFD or 0x10000 <= code <= 0x10FFFF):
        raise Malformed(f"character reference {match[0].decode()} to no character")
    return chr(code).encode()


def unescape(raw: bytes) -> str:
    """Character data of an element or attribute -> text. Raises Malformed."""
    if b"&" in raw:
        if _unescape_named is not None and (unescaped := _unescape_named(raw)) is not None:
            return _decode(unescaped)
        ampersands = raw.count(b"&")
        parts = _NAMED_REFERENCE.split(raw)  # text and names in turn; half the time of a `replace` for each name
        if len(parts) // 2 == ampersands:
            parts[1::2] = map(_NAMED.__getitem__, parts[1::2])
            raw = b"".join(parts)
        else:
            raw, replaced_count = _REFERENCE.subn(_character, raw)
            if replaced_count != ampersands:
                raise Malformed("an & that begins no known reference")
    return _decode(raw)


def _decode(raw: bytes) -> str:
    try:
        text = raw.decode()
    except UnicodeDecodeError as error:
        raise Malformed(f"not UTF-8: {error.reason} at byte {error.start} of an element") from None
    if "\r" in text:
        text = text.replace("\r\n", "\n").replace("\r", "\n")
    return text


def clean(xml: bytes) -> bytes:
    """`xml` with U+FFFD for the control characters that XML forbids."""
    if not (_has_control(xml) if _has_control is not None else len(xml.translate(None, _FORBIDDEN)) != len(xml)):
        return xml
    return re.sub(b"[" + re.escape(_FORBIDDEN) + b"]", "\ufffd".encode(), xml)


def parse_regular(xml: bytes) -> RawPage | None:
    """The page, if it is as MediaWiki exports it, with one revision; else None, and expat has to look at it."""
    head = _REGULAR.match(xml)
    if head is None:
        return None
    attributes = head[9]
    start = head.end()
    if attributes.endswith(b"/"):
        # An empty element: the rest has to follow as if </text> had.
        rest = _REST.fullmatch(b"</text>" + xml[start:])
        text, attributes = b"", attributes[:-1].rstrip()
    else:
        end = xml.find(b"<", start)
        rest = _REST.fullmatch(xml, end)
        text = xml[start:end]
    if rest is None:
        return None
    values: dict[str, str] = {}
    if attributes not in _SIMPLE:
        at = 0
        while match := _ATTRIBUTE.match(attributes, at):
            at = match.end()
            values[match[1].decode()] = unescape(match[2] or match[3] or b"")
        if attributes[at:].strip():
            return None
        values.pop("xml:space", None)
    model = _MODEL.search(xml, head.end(6), start) or _MODEL.search(xml, len(xml) - len(rest[0]))
    revision = Revision(
        id=(head[5] or b"").decode(),
        timestamp=head[6].decode("ascii", "replace"),
        model=model[1].decode("ascii", "replace") if model else "",
        text=unescape(text),
        attributes=values,
    )
    return RawPage(
        title=unescape(head[1]),
        id=head[3].decode(),
        ns=head[2].decode() if head[2] else None,
        redirect=unescape(head[4]) if head[4] is not None else None,
        revision=revision,
    )


_TEXT = ["page", "revision", "text"]


class _Handler:
    """Collects the fields of a page from expat's events; the newest revision stays, of equal ones the last."""

    def __init__(self) -> None:
        self.page = RawPage()
        self.path: list[str] = []
        self.revision: Revision | None = None
        self.words: list[str] = []

    def start(self, name: str, attributes: dict[str, str]) -> None:
        self.path.append(name)
        self.words.clear()
        if self.path == ["page", "redirect"]:
            self.page.redirect = attributes.get("title", "")
        elif self.path == ["page", "revision"]:
            self.revision = Revision()
        elif self.path == _TEXT and self.revision is not None:
            attributes.pop("xml:space", None)
            self.revision.attributes = attributes
        elif self.path[:3] == _TEXT:
            raise Malformed(f"an element <{name}> within <text>")

    def end(self, name: str) -> None:
        text = "".join(self.words)
        self.words.clear()
        path, page, revision = self.path, self.page, self.revision
        if len(path) == 2:
            if name == "title":
                page.title = text
            elif name == "id":
                page.id = text.strip()
            elif name == "ns":
                page.ns = text.strip()
            elif name == "revision" and revision is not None:
                if page.revision is None or revision.timestamp >= page.revision.timestamp:
                    page.revision = revision
                self.revision = None
        elif len(path) == 3 and path[1] == "revision" and revision is not None:
            if name == "id":
                revision.id = text.strip()
            elif name == "timestamp":
                revision.timestamp = text.strip()
            elif name == "model":
                revision.model = text.strip()
            elif name == "text":
                revision.text = text
        path.pop()


def parse_any(xml: bytes) -> RawPage:
    """The page by expat. Raises Malformed with expat's words and the line."""
    handler = _Handler()
    parser = expat.ParserCreate("utf-8")
    parser.buffer_text = True
    parser.StartElementHandler = handler.start
    parser.EndElementHandler = handler.end
    parser.CharacterDataHandler = handler.words.append
    try:
        parser.Parse(xml, True)
    except expat.ExpatError as error:
        raise Malformed(f"{expat.ErrorString(error.code)}, line {error.lineno} of the page") from None
    return handler.page


_TITLE = re.compile(rb"<title>([^<]*)</title>")
_ID = re.compile(rb"<id>\s*(\d{1,18})\s*</id>")


def glimpse(xml: bytes) -> tuple[int | None, str | None]:
    """Id and title of a page that cannot be read, as far as its first lines tell."""
    head = xml[: 1 << 12].split(b"<revision", 1)[0]
    title, number = _TITLE.search(head), _ID.search(head)
    name = title[1].decode("utf-8", "replace") if title else None
    if name is not None:
        for entity, char in (("&lt;", "<"), ("&gt;", ">"), ("&quot;", '"'), ("&#039;", "'"), ("&amp;", "&")):
            name = name.replace(entity, char)
    return (int(number[1]) if number else None), name
