"""The lines of a snapshot's file, in order and a block at a time: of a tar of NDJSON files, or of one NDJSON file.

Whatever it is packed with is unpacked as it is read; nothing but a block of whole lines is held. A line that is longer
than any page is passed over, but for its beginning.
"""

import io
import tarfile
from collections.abc import Callable, Iterator
from dataclasses import dataclass
from typing import IO, Literal

from wikiprep.compression import DAMAGE, Unpacker, compression_of
from wikiprep.dump.source import open_bytes

BLOCK = 1 << 20  # bytes of lines in a block, unless one line has more
LONGEST = 64 << 20  # bytes of a line; a longer one is a reject
GLIMPSE = 1 << 12  # bytes that are kept of it
MEMBERS = (".ndjson", ".json", ".jsonl")
_READ = 1 << 18
_PACKED = 1 << 14  # bytes unpacked at once; gz makes at most a thousand times as many of them

What = Literal["lines", "long", "damage"]


@dataclass(frozen=True, slots=True)
class Block:
    """Whole lines of one file (`name`, for people), the first of them number `line`.

    `what`: "long" for one line that is too long, of which `data` has the beginning; "damage" for a place that cannot
    be read on from, which `data` describes.
    """

    name: str
    line: int
    data: bytes
    what: What = "lines"


def blocks_of(path: str, name: str, on_byte: Callable[[int], None] = lambda at: None) -> Iterator[Block]:
    """The blocks of the file at `path`, `name` being its name; damage is the last one.

    `on_byte` hears how far it is read, in bytes of the file.
    """
    with open_bytes(path) as file:
        raw = _UnpackedFile(file)
        try:
            head = raw.peek(512)
            if len(head) >= 262 and head[257:262] == b"ustar":
                with tarfile.open(fileobj=raw, mode="r|") as archive:
                    for member in archive:
                        inside = archive.extractfile(member) if member.name.endswith(MEMBERS) else None
                        for block in _blocks(inside, member.name.rpartition("/")[2]) if inside is not None else ():
                            on_byte(file.tell())
                            yield block
                        archive.members.clear()  # type: ignore[attr-defined]  # a stream needs none
                raw.check_end()
            else:
                for block in _blocks(raw, name):
                    on_byte(file.tell())
                    yield block
        except (tarfile.TarError, *DAMAGE) as error:
            yield Block(name, 0, f"damaged at byte {file.tell():,} or before: {error}".encode(), "damage")


def _blocks(file: IO[bytes] | io.RawIOBase, name: str) -> Iterator[Block]:
    line, rest, skipping, first = 1, b"", False, True
    while data := file.read(_READ):
        if first:
            data, first = data.removeprefix(b"\xef\xbb\xbf"), False
        end = data.rfind(b"\n") + 1
        if skipping:
            start = data.find(b"\n") + 1
            if not start:
                continue
            data, end, skipping, line = data[start:], end - start, False, line + 1
        if not end:
            rest += data
            if len(rest) > LONGEST:
                yield Block(name, line, rest[:GLIMPSE], "long")
                rest, skipping = b"", True
            continue
        whole, rest = rest + data[:end], data[end:]
        # The reads are joined until there is a block, so that small pieces of lines are not packed one by one.
        while len(whole) < BLOCK and (more := file.read(_READ)):
            end = more.rfind(b"\n") + 1
            if not end:
                rest += more
                if len(rest) > BLOCK:
                    break
                continue
            whole, rest = whole + rest + more[:end], more[end:]
        yield Block(name, line, whole)
        line += whole.count(b"\n")
    if rest and not skipping:
        yield Block(name, line, rest)


class _UnpackedFile(io.RawIOBase):
    """A packed file as its bytes. Raises OSError where it ends within a stream."""

    def __init__(self, file: IO[bytes]) -> None:
        self._file = file
        head = file.read(_PACKED)
        compression = compression_of(head)
        self._unpacker = None if compression == "plain" else Unpacker(compression)
        self._pieces = iter([head]) if self._unpacker is None else self._unpacker.feed(head)
        self._buffer, self._position = b"", 0  # unpacked bytes, and how many of them have been read

    def readable(self) -> bool:
        return True

    def peek(self, size: int) -> bytes:
        """The next bytes, which are read again; fewer at the end alone."""
        self._buffer, self._position = self._buffer[self._position :], 0
        while len(self._buffer) < size and (more := self._next()):
            self._buffer += more
        return self._buffer[:size]

    def read(self, size: int = -1) -> bytes:
        """Up to `size` bytes, fewer at the end alone."""
        parts, remaining = [], size if size >= 0 else 1 << 62
        while remaining > 0:
            if self._position >= len(self._buffer):
                self._buffer, self._position = self._next(), 0
                if not self._buffer:
                    break
            part = self._buffer[self._position : self._position + remaining]
            parts.append(part)
            self._position, remaining = self._position + len(part), remaining - len(part)
        return b"".join(parts)

    def check_end(self) -> None:
        """Reads to the end of the file, so that what is cut behind the archive's own end is noticed."""
        while self._next():
            pass

    def _next(self) -> bytes:
        while True:
            if piece := next(self._pieces, b""):
                return piece
            data = self._file.read(_PACKED)
            if not data or (self._unpacker is not None and self._unpacker.ended):
                if self._unpacker is not None and self._unpacker.cut and not self._unpacker.ended:
                    raise OSError("the file ends within a compressed stream")
                return b""
            self._pieces = iter([data]) if self._unpacker is None else self._unpacker.feed(data)
