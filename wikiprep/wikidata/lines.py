"""The lines of one range of a JSON dump, as a stream, and the JSON objects on a line.

Nothing but the line in hand and a chunk is kept.

A line belongs to the range that holds the line break before it, the first line of a file to the range that begins it:
so each line comes from exactly one range of any grid. Ranges know their own lines only: a line's number and offset
are counted from the first line break of the range, and become those of the file by adding `lines` and `size` of the
ranges before it.

On a line is one object, as in the dump itself, or a whole array. Brackets and commas between entities are no content:
they may stand at either end of a line, or on lines of their own.
"""

from collections.abc import Generator, Iterator
from dataclasses import dataclass
from typing import Any, cast

import orjson

from wikiprep.dump.pages import LostRange
from wikiprep.dump.range_bytes import UnpackedChunk, read_chunks
from wikiprep.dump.ranges import Range
from wikiprep.dump.source import read_head
from wikiprep.errors import WikiprepError

LONGEST = 16 << 20  # bytes; Wikibase refuses an entity of over 3 MB, which escapes can make a few times longer
_SHOWN = 80
_BOM = b"\xef\xbb\xbf"


@dataclass(frozen=True, slots=True)
class Line:
    """`number` from 1 and `offset` in unpacked bytes, both within the range; `data` without the line break."""

    number: int
    offset: int
    data: bytes


@dataclass(frozen=True, slots=True)
class UnusableLine:
    """A line, or what there is of it, that cannot be used. Place as in `Line`."""

    number: int
    offset: int
    reason: str
    detail: str


class LineReader:
    """Iterates over the lines that belong to `range_`; blank ones come too.

    `bytes_read` is how far the range is done, in compressed bytes; `lines` and `size` what it holds: lines of its own,
    and unpacked bytes. Raises WikiprepError for a damaged or cut file, unless `keep_damaged`.
    """

    def __init__(self, range_: Range, keep_damaged: bool = False, longest: int = LONGEST) -> None:
        self.range, self.keep_damaged, self.longest = range_, keep_damaged, longest
        self.bytes_read = self.lines = self.size = 0

    def __iter__(self) -> Iterator[Line | UnusableLine | LostRange]:
        chunks = cast(Generator[UnpackedChunk, None, None], read_chunks(self.range))
        try:
            yield from self._lines(chunks)
        finally:
            chunks.close()
        self.bytes_read = self.range.end - self.range.start

    def _lines(self, chunks: Iterator[UnpackedChunk]) -> Iterator[Line | UnusableLine | LostRange]:
        line = _OpenLine(self.longest)
        line.open = self.range.start == 0
        last, ended = b"", True  # the last bytes of the own data; whether the file ends with them
        for chunk in chunks:
            data = chunk.data
            if chunk.own:
                self.bytes_read = max(min(chunk.end, self.range.end) - self.range.start, 0)
            if data is None:
                if not self.keep_damaged:
                    raise self._damage(f"{chunk.problem} at byte {chunk.start:,} of {self.range.size:,}")
                if line.open and line.length:
                    yield UnusableLine(
                        self._next_number(), line.offset, "damaged file", f"the file is damaged in it: {line.excerpt}"
                    )
                line.drop()
                if chunk.own:
                    yield LostRange(chunk.start, chunk.end, chunk.problem)
                continue
            if not chunk.own:
                if not line.open:
                    return
                ended = False
                end = data.find(b"\n")
                line.add(data if end < 0 else data[:end])
                if end >= 0:
                    yield self._build_line(line)
                    return
                continue
            start, self.size = self.size, self.size + len(data)
            if self.range.start == start == 0:
                data = data.removeprefix(_BOM)
                start = self.size - len(data)
                line.begin(start)
            last = data.rstrip()[-1:] or last
            yield from self._own_lines(line, data, start)
        if line.open and line.length:
            yield self._build_line(line)
        if ended and last not in (b"", b"]") and self._is_array():
            problem = "the file ends without the array's closing ]"
            if not self.keep_damaged:
                raise self._damage(problem)
            yield LostRange(self.range.size, self.range.size, problem)

    def _own_lines(self, line: "_OpenLine", data: bytes, start: int) -> Iterator[Line | UnusableLine]:
        """The lines that the own `data`, at offset `start`, completes."""
        first = 0
        if not line.open:
            first = data.find(b"\n") + 1
            if not first:
                return
            line.begin(start + first)
        while (end := data.find(b"\n", first)) >= 0:
            line.add(data[first:end])
            yield self._build_line(line)
            first = end + 1
            line.begin(start + first)
        line.add(data[first:] if first else data)

    def _next_number(self) -> int:
        self.lines += 1
        return self.lines

    def _build_line(self, line: "_OpenLine") -> Line | UnusableLine:
        if line.length > self.longest:
            detail = f"{line.length:,} bytes, over {self.longest:,}: {line.excerpt}"
            return UnusableLine(self._next_number(), line.offset, "line too long", detail)
        return Line(self._next_number(), line.offset, line.data)

    def _is_array(self) -> bool:
        head = read_head(self.range.path, 1 << 12)[1].replace(b"\0", b"")
        return head.lstrip(_BOM + b"\xff\xfe \t\r\n").startswith(b"[")

    def _damage(self, problem: str) -> WikiprepError:
        return WikiprepError(
            f"{self.range.path}: {problem}",
            "fetch the file again and compare its checksum, or keep the items around with --keep-damaged",
        )


class _OpenLine:
    """The line that is being read. Of one that is too long only the beginning is kept."""

    def __init__(self, longest: int) -> None:
        self._longest = longest
        self.open = False
        self.offset = self.length = 0
        self.data = b""

    def begin(self, offset: int) -> None:
        self.open, self.offset, self.length, self.data = True, offset, 0, b""

    def drop(self) -> None:
        self.open, self.length, self.data = False, 0, b""

    def add(self, data: bytes) -> None:
        self.length += len(data)
        self.data = self.data + data if self.data else data
        if self.length > self._longest:
            self.data = self.data[:_SHOWN]

    @property
    def excerpt(self) -> str:
        return self.data[:_SHOWN].decode("utf-8", "replace")


_AROUND = b" \t\r\n,"
_BRACKETS = b"[]"
_EXCERPT = 60


@dataclass(frozen=True, slots=True)
class Undecodable:
    """Why a line is none."""

    reason: str
    detail: str


def core(line: bytes) -> bytes:
    """The entities on a line without the brackets and commas around them; empty for a line of brackets alone.

    Only what can be read as JSON afterwards is taken off, so that a broken line stays broken.
    """
    text = line.strip(_AROUND)
    if text[:1] == b"{" and text[-1:] == b"}":
        return text
    if not text.strip(_AROUND + _BRACKETS):
        return b""
    text = text.lstrip(_AROUND + b"[") if text[:1] == b"[" else text
    # `}` can be followed by `]` of the array alone: an object ends with `}`.
    return text.rstrip(_AROUND + b"]") if text[:1] == b"{" and text[-1:] == b"]" and _ends_array(text) else text


def _ends_array(text: bytes) -> bool:
    return text.rstrip(_AROUND + b"]")[-1:] == b"}"


def decode(text: bytes) -> list[dict[str, Any]] | Undecodable:
    """The objects in what `core` left of a line."""
    if b"\0" in text:
        return Undecodable("NUL byte", f"{text.count(0)} of {len(text):,} bytes are NUL: {_excerpt(text)}")
    if text[:1] != b"{" or text[-1:] != b"}":
        missing = "beginning" if text[:1] != b"{" else "end"
        return Undecodable("cut line", f"its {missing} is missing: {_excerpt(text)}")
    try:
        return [orjson.loads(text)]
    except orjson.JSONDecodeError as error:
        problem = error
    try:
        array = orjson.loads(b"[" + text + b"]")
    except orjson.JSONDecodeError:
        # pos counts characters, of which there are none where the bytes are not UTF-8.
        return Undecodable("not JSON", f"{problem.msg} at character {problem.pos:,}: {_excerpt(text)}")
    if all(isinstance(entity, dict) for entity in array):
        entities: list[dict[str, Any]] = array
        return entities
    return Undecodable("not an object", f"an array with something else than objects: {_excerpt(text)}")


def _excerpt(text: bytes) -> str:
    beginning = text[:_EXCERPT].decode("utf-8", "replace").replace("\0", "\ufffd")
    return beginning if len(text) <= _EXCERPT else f"{beginning}…"
