"""The unpacked bytes of a range, whatever the compression: its own, what follows them, and what is damaged."""

import codecs
from collections.abc import Iterator
from dataclasses import dataclass
from typing import IO

from wikiprep.compression import DAMAGE, Unpacker
from wikiprep.dump.bz2_blocks import read_pieces
from wikiprep.dump.ranges import Range
from wikiprep.dump.source import open_bytes

_CHUNK = 1 << 18


@dataclass(slots=True)
class UnpackedChunk:
    """Unpacked `data`, or None where the compressed bytes [start, end) are damaged, which `problem` describes.

    A page that starts in a chunk that is not `own` belongs to a later range.
    """

    data: bytes | None
    start: int
    end: int
    own: bool
    problem: str = ""


def read_chunks(range_: Range) -> Iterator[UnpackedChunk]:
    """The chunks of a range and then, not its own, those behind it to the end of the file. Close it when done."""
    with open_bytes(range_.path) as file:
        if range_.compression == "bz2":
            chunks = _bz2(file, range_)
        elif range_.compression == "plain":
            chunks = _plain(file, range_)
        else:
            chunks = _stream(file, range_)
        yield from _utf8(chunks) if range_.start == 0 else chunks


def _plain(file: IO[bytes], range_: Range) -> Iterator[UnpackedChunk]:
    at = range_.start
    file.seek(at)
    while True:
        own = at < range_.end
        data = file.read(min(_CHUNK, range_.end - at) if own else _CHUNK)
        if not data:
            return
        yield UnpackedChunk(data, at, at + len(data), own)
        at += len(data)


def _bz2(file: IO[bytes], range_: Range) -> Iterator[UnpackedChunk]:
    own = True
    for piece in read_pieces(file, range_.start, range_.end):
        if piece.data is not None and piece.start >= range_.end * 8:
            own = False
        yield UnpackedChunk(piece.data, piece.start // 8, (piece.end + 7) // 8, own, piece.problem)


def _stream(file: IO[bytes], range_: Range) -> Iterator[UnpackedChunk]:
    """gz, xz and zst: one or more streams. What follows the last and is none is ignored, as their tools do."""
    compression = range_.compression
    unpacker = Unpacker(compression)
    at = 0
    while not unpacker.ended and (data := file.read(_CHUNK)):
        start, at = at, at + len(data)
        try:
            for piece in unpacker.feed(data):
                yield UnpackedChunk(piece, start, at, True)
        except DAMAGE as error:
            yield UnpackedChunk(None, start, range_.size, True, f"damaged {compression} data ({error})")
            return
    if unpacker.cut:
        yield UnpackedChunk(None, at, at, True, f"the file ends within a {compression} stream")


def _utf8(chunks: Iterator[UnpackedChunk]) -> Iterator[UnpackedChunk]:
    """`chunks` from the start of a file, in UTF-8: UTF-16 is recognised by its mark or by its first `<`."""
    decoder: codecs.IncrementalDecoder | None = None
    first = True
    for chunk in chunks:
        if chunk.data:
            if first:
                first = False
                mark = chunk.data[:2]
                name = {b"\xff\xfe": "utf-16", b"\xfe\xff": "utf-16", b"<\0": "utf-16-le", b"\0<": "utf-16-be"}.get(
                    mark
                )
                decoder = codecs.getincrementaldecoder(name)("replace") if name else None
            if decoder is not None:
                chunk.data = decoder.decode(chunk.data).encode("utf-8", "replace")
        yield chunk
