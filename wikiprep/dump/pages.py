"""The pages of one range of a dump, as a stream: nothing but the page in hand is kept.

A page that cannot be read is a BadPage, not the end of the run. Damage of the file is an error that names file and
byte; with `keep_damaged` it is a LostRange, and the pages on both sides of it come out. A page with many revisions
counts by its newest. The same page twice in a dump comes twice: that is for the tables to find.
"""

import re
from collections.abc import Callable, Generator, Iterator
from dataclasses import dataclass
from typing import cast

from wikiprep.compiled import fast_path
from wikiprep.dump.page_xml import BadPage, Malformed, Page, RawPage, clean, glimpse, parse_any, parse_regular
from wikiprep.dump.range_bytes import UnpackedChunk, read_chunks
from wikiprep.dump.ranges import Range
from wikiprep.dump.siteinfo import Siteinfo
from wikiprep.dump.source import read_head
from wikiprep.dump.title_rules import TitleRules
from wikiprep.errors import WikiprepError
from wikiprep.languages.language import language, redirect_target

__all__ = ["BadPage", "LostRange", "Page", "RangeReader"]

MAX_PAGE_BYTES = 64 << 20  # of XML; a longer page is a reject ("page too long")
_CLOSED = b"</mediawiki"
_find: Callable[[bytes, bytes, int], int] = fast_path("xml_text", "find_bytes") or bytes.find
_NAMESPACE = re.compile(rb"<ns>\s*(-?\d+)\s*</ns>")
_UNENDED = "page without an end: another <page> begins within it"


@dataclass(frozen=True, slots=True)
class LostRange:
    """Compressed bytes [start, end) of the file that gave nothing, and why."""

    start: int
    end: int
    detail: str


class RangeReader:
    """Iterates over the pages that start in `range_`.

    `bytes_read` is how far the range is done, in compressed bytes; `xml_bytes` the XML of the pages so far.
    `chunks`: the range's bytes (`read_chunks`), where they come from elsewhere. `namespace`: pages whose XML names
    another one are passed over unread.
    """

    def __init__(
        self,
        range_: Range,
        siteinfo: Siteinfo,
        keep_damaged: bool = False,
        *,
        chunks: Iterator[UnpackedChunk] | None = None,
        namespace: int | None = None,
    ) -> None:
        self.range, self.siteinfo, self.keep_damaged = range_, siteinfo, keep_damaged
        self._chunks = chunks
        self._namespace = None if namespace is None else str(namespace).encode()
        self.bytes_read = 0
        self.xml_bytes = 0
        self._language = language(siteinfo.language)
        self._rules = TitleRules(siteinfo, self._language)

    def __iter__(self) -> Iterator[Page | BadPage | LostRange]:
        chunks = cast(Generator[UnpackedChunk, None, None], self._chunks or read_chunks(self.range))
        try:
            yield from self._pages(chunks)
        finally:
            chunks.close()
        self.bytes_read = self.range.end - self.range.start

    def _pages(self, chunks: Iterator[UnpackedChunk]) -> Iterator[Page | BadPage | LostRange]:
        splitter = _Splitter()
        for chunk in chunks:
            if chunk.own:
                self.bytes_read = max(min(chunk.end, self.range.end) - self.range.start, 0)
            if chunk.data is None:
                if not self.keep_damaged:
                    raise WikiprepError(
                        f"{self.range.path}: {chunk.problem} at byte {chunk.start:,} of {self.range.size:,}",
                        "fetch the file again and compare its checksum, or keep the pages around with --keep-damaged",
                    )
                if splitter.open_page:
                    yield self._bad_page(splitter.reset(), "the file is damaged within the page")
                splitter.reset()
                if chunk.own:
                    yield LostRange(chunk.start, chunk.end, chunk.problem)
                continue
            for xml, problem in splitter.feed(chunk.data, chunk.own):
                if problem:
                    yield self._bad_page(xml, problem)
                else:
                    yield from self._page(xml)
            if splitter.done:
                return
        yield from self._check_end(splitter)

    def _check_end(self, splitter: "_Splitter") -> Iterator[BadPage | LostRange]:
        size = self.range.size
        if splitter.open_page:
            problem = "the file ends within a page"
        elif splitter.last and not splitter.closed and self._has_root() and not splitter.ends_like_root():
            problem = "the file ends without </mediawiki>"
        else:
            return
        if not self.keep_damaged:
            raise WikiprepError(
                f"{self.range.path}: {problem}, at byte {size:,}",
                "it was cut: fetch it again and compare its checksum, or keep what is there with --keep-damaged",
            )
        if splitter.open_page:
            yield self._bad_page(splitter.reset(), problem)
        yield LostRange(size, size, problem)

    def _has_root(self) -> bool:
        return b"<mediawiki" in read_head(self.range.path)[1].replace(b"\0", b"")

    def _bad_page(self, xml: bytes, problem: str) -> BadPage:
        number, title = glimpse(xml)
        self.xml_bytes += len(xml)
        return BadPage(number, title, problem.partition(":")[0], problem)

    def _page(self, xml: bytes) -> Iterator[Page | BadPage]:
        """The page in `xml`, which ends with the first </page>; a page without an end may stand before it."""
        if self._namespace is not None and self._is_of_another_namespace(xml):
            self.xml_bytes += len(xml)
            return
        raw, problem = self._parse(xml)
        while raw is None and (next_start := _page_start(xml, 5)) >= 0:
            yield self._bad_page(xml[:next_start], _UNENDED)
            xml = xml[next_start:]
            raw, problem = self._parse(xml)
        self.xml_bytes += len(xml)
        if raw is None:
            number, title = glimpse(xml)
            yield BadPage(number, title, "malformed XML", problem)
        else:
            yield self._build_page(raw, len(xml))

    def _is_of_another_namespace(self, xml: bytes) -> bool:
        match = _NAMESPACE.search(xml, 0, 2_000)
        return match is not None and match[1] != self._namespace and _page_start(xml, 5) < 0

    def _parse(self, xml: bytes) -> tuple[RawPage | None, str]:
        cleaned = clean(xml)
        try:
            return parse_regular(cleaned) or parse_any(cleaned), ""
        except Malformed as error:
            return None, str(error)

    def _build_page(self, raw: RawPage, xml_bytes: int) -> Page | BadPage:
        number = _number(raw.id)
        title = (raw.title or "").replace("_", " ").strip() or None
        if number is None or title is None:
            what = "page id" if number is None else "title"
            return BadPage(
                number, title, f"no {what}", f"the page has no usable <{'id' if number is None else 'title'}>"
            )
        revision = raw.revision
        if revision is None:
            return BadPage(number, title, "no revision", "the page has no <revision>")
        attributes = revision.attributes
        if "deleted" in attributes:
            return BadPage(number, title, "text suppressed", f"the text of revision {revision.id} is hidden")
        text = revision.text
        stub = not text and (attributes.get("bytes", "0") != "0" or "id" in attributes)
        if text is None or stub:
            return BadPage(number, title, "no text", "no <text>, or one of a stub dump: take mediawiki_content_current")
        if raw.ns is not None and _number(raw.ns.removeprefix("-")) is not None:
            namespace = int(raw.ns)
        else:
            namespace = self._rules.namespace_of(title)
        return Page(
            page_id=number,
            namespace=namespace,
            title=title,
            revision_id=_number(revision.id),
            timestamp=revision.timestamp or None,
            model=revision.model or _default_model(namespace, title),
            redirect=self._target(raw.redirect, text),
            text=text,
            xml_bytes=xml_bytes,
        )

    def _target(self, element: str | None, text: str) -> str | None:
        """Where a page redirects to: the title that <redirect> gives with the fragment that only the text has."""
        may_redirect = element is not None or text[:64].lstrip()[:1] in "#＃"
        text_target = redirect_target(text, self._language) if may_redirect else None
        if not element:
            return text_target or None
        fragment = (text_target or "").partition("#")[2]
        return f"{element}#{fragment}" if fragment and "#" not in element else element


def _number(text: str) -> int | None:
    """A whole number of at most 18 digits, else None."""
    return int(text) if text.isascii() and text.isdigit() and len(text) <= 18 else None


def _default_model(namespace: int, title: str) -> str:
    """MediaWiki's content model by title, for schemas that do not name it (before 0.8)."""
    if namespace in (2, 8):
        for ending, model in ((".css", "css"), (".js", "javascript")):
            if title.endswith(ending) and (namespace == 8 or "/" in title):
                return model
    if namespace == 828 and not title.endswith("/doc"):
        return "Scribunto"
    return "wikitext"


class _Splitter:
    """Cuts a stream of bytes into `<page>` elements and holds at most one of them.

    `<page` cannot occur inside a page, where `<` is escaped; so a second one before `</page>` ends a malformed page.
    """

    def __init__(self) -> None:
        self._data = b""
        self._searched_bytes = 0  # bytes of `_data`, from its page's start, that hold no end
        self._own_end: int | None = None  # pages that start at this byte of `_data` or later are the next range's
        self._skipping = False
        self._seen_bytes = 0
        self._tail = b""
        self.open_page = False
        self.done = False
        self.closed = False
        self._has_own_data = False

    def reset(self) -> bytes:
        """Forget the page in hand, and return what there is of it."""
        data, self._data, self._searched_bytes, self.open_page = self._data, b"", 0, False
        self._skipping = False
        if self._own_end is not None:
            self._own_end = 0
        return data

    @property
    def last(self) -> bool:
        """Whether nothing followed the range's own data."""
        return self._has_own_data and self._own_end is None

    def ends_like_root(self) -> bool:
        """Whether all that this range has seen is the rest of the closing tag."""
        return self._seen_bytes <= 64 and b"</mediawiki>".endswith(self._tail.strip())

    def feed(self, data: bytes, own: bool) -> Iterator[tuple[bytes, str]]:
        """The pages (XML, "") that `data` completes, and malformed ones (XML, what is wrong)."""
        if own:
            self._has_own_data = True
            self._seen_bytes += len(data)
            self._tail = (self._tail + data[-64:])[-64:]
        elif self._own_end is None:
            self._own_end = len(self._data)
        data = self._data + data if self._data else data
        at = 0
        while True:
            if not self.open_page:
                start = _page_start(data, at)
                if not self.closed and data.find(_CLOSED, at, start if start >= 0 else len(data)) >= 0:
                    self.closed = True
                limit = self._own_end
                if start < 0:
                    # "<page" or "</mediawiki" may be cut by the end of the data.
                    at = max(len(data) - len(_CLOSED), at)
                    if limit is not None and not _may_start(data, min(limit, len(data))):
                        self.done = True
                    break
                if limit is not None and start >= limit:
                    self.done = True
                    return
                at, self.open_page, self._searched_bytes = start, True, 5
            end = _find(data, b"</page>", at + self._searched_bytes)
            if self._skipping or (end >= 0 and self._own_end is not None):
                # What begins behind the own data is the next range's, even where this page has no end.
                next_start = _page_start(data, at + 5, end if end >= 0 else len(data))
                if next_start >= 0:
                    if not self._skipping:
                        yield data[at:next_start], _UNENDED
                    at, self.open_page, self._skipping = next_start, False, False
                    continue
            if end < 0:
                self._searched_bytes = max(len(data) - at - 6, 5)
                if len(data) - at > MAX_PAGE_BYTES:
                    if not self._skipping:
                        yield data[at : at + (1 << 16)], f"page too long: over {MAX_PAGE_BYTES >> 20} MB of XML"
                    self._skipping = True
                    data = data[:at] + data[at : at + 5] + data[-8:]
                    self._searched_bytes = 5
                break
            if not self._skipping:
                yield data[at : end + 7], ""
            at, self.open_page, self._skipping = end + 7, False, False
        self._data = data[at:]
        if self._own_end is not None:
            self._own_end = max(self._own_end - at, 0)


def _page_start(data: bytes, at: int, stop: int | None = None) -> int:
    end = len(data) if stop is None else stop
    start = data.find(b"<page", at, end)
    while start >= 0 and data[start + 5 : start + 6] not in (b">", b" ", b"\n", b"\t", b"\r"):
        start = data.find(b"<page", start + 5, end)
    return start


def _may_start(data: bytes, limit: int) -> bool:
    """Whether a `<page>` may begin before `limit` whose end has not been read yet."""
    at = max(len(data) - 5, 0)
    return at < limit and any(b"<page".startswith(data[i:]) for i in range(at, limit) if data[i:])
