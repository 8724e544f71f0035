"""bz2 read block by block, from any byte of the file on.

A bz2 stream is a chain of independent blocks of up to 900 KB, each starting at any BIT with a 48-bit magic and its
own CRC. A block wrapped as a stream of its own (header, block, end magic, CRC) is unpacked by a library that checks the
CRC. So one stream, or a file of many, can be worked on from any block, and a damaged block costs only itself.

Format: https://github.com/dsnet/compress/blob/master/doc/bzip2-format.pdf. The magic can come up inside a block by
chance (once in 2^48 bits): a piece that does not unpack is therefore tried again joined with what follows.
"""

import bz2
import io
from collections.abc import Callable, Iterator
from dataclasses import dataclass
from functools import cache
from typing import IO, TYPE_CHECKING, cast

from wikiprep.compiled import fast_path

if TYPE_CHECKING:  # who plans or commits imports this module too, and has no use for numpy
    import numpy as np
    import numpy.typing as npt

BLOCK, END = 0x314159265359, 0x177245385090
_LONGEST = 1_250_000  # bytes; a block of 900 KB of incompressible data stays under it
_CHUNK = 1 << 20
_wrap_block: Callable[[bytes, int, int], bytes | None] | None = fast_path("bz2_block", "wrap_block")
_MAGIC_BITS = (1 << 48) - 1


@cache
def _pairs(*places: int) -> "npt.NDArray[np.bool_]":
    """[65536]: which two bytes, as a number of this machine, are in a magic, `places` behind the byte it starts in."""
    import numpy as np

    table = np.zeros(1 << 16, dtype=np.bool_)
    for magic in (BLOCK, END):
        for shift in range(8):
            spread = (magic << (8 - shift)).to_bytes(7, "big")  # its bytes 1 to 5 are the magic's in whole
            for place in places:
                table[np.frombuffer(spread[place : place + 2], dtype=np.uint16)] = True
    return table


def find_magics(data: bytes) -> list[tuple[int, int]]:
    """Every (bit offset, BLOCK or END) that starts and ends within `data`, ordered.

    One look-up for every second byte, where `bytes.find` would go through all of them for each of sixteen shifts.
    """
    import numpy as np

    magics = set()
    last = len(data) * 8 - 48
    pairs = np.frombuffer(data, dtype=np.uint16, count=len(data) // 2)
    # Wherever a magic starts, a pair of the first kind lies at an even place, and behind it one of the second.
    places = np.flatnonzero(_pairs(1, 2)[pairs[1:-1]]) + 1
    for place in places[_pairs(3, 4)[pairs[places + 1]]].tolist():
        first = 16 * (place - 1)  # the magic starts in these two bytes
        bit_window = bits(data, first, 64)
        for start in range(first, min(first + 16, last + 1)):
            magic = bit_window >> (first + 16 - start) & _MAGIC_BITS
            if magic in (BLOCK, END):
                magics.add((start, magic))
    return sorted(magics)


def bits(data: bytes, start: int, count: int) -> int:
    """`count` bits of `data` from bit `start` on, most significant first; bits beyond the end are 0."""
    first, last = start >> 3, (start + count + 7) >> 3
    piece = data[first:last].ljust(last - first, b"\0")
    return int.from_bytes(piece, "big") >> (last * 8 - start - count) & ((1 << count) - 1)


def wrap(data: bytes, start: int, end: int) -> bytes:
    """The block in the bits [start, end) of `data` as a whole bz2 stream. The CRC of one block is the stream's."""
    if _wrap_block is not None and (stream := _wrap_block(data, start, end)) is not None:
        return stream
    crc = bits(data, start + 48, 32)
    length = end - start
    tail = 48 + 32
    pad = -(length + tail) % 8
    number = bits(data, start, length) << tail | END << 32 | crc
    return b"BZh9" + (number << pad).to_bytes((length + tail + pad) // 8, "big")


def unpack(data: bytes, start: int, end: int) -> bytes | None:
    """The content of the block in the bits [start, end) of `data`; None if that is not one whole, sound block."""
    unpacker = bz2.BZ2Decompressor()
    try:
        out = unpacker.decompress(wrap(data, start, end))
    except OSError:
        return None
    return out if unpacker.eof else None


def unpack_quickly(data: bytes, start: int, end: int) -> bytes | None:
    """As `unpack` at three quarters of its CPU, where no magic lies between.

    Also None for what rapidgzip does not know (the "randomised" blocks of bzip2 0.9.0).
    """
    from rapidgzip import IndexedBzip2File  # here, since few processes unpack: it is 9 MB of machine code

    try:
        with IndexedBzip2File(io.BytesIO(wrap(data, start, end))) as file:
            return cast(bytes, file.read())
    except (ValueError, RuntimeError, LookupError, ArithmeticError, OSError):  # what its C++ exceptions become
        return None


@dataclass(slots=True)
class Stretch:
    """What a stretch of the file gives. Offsets are bits of the file; `data` is None where it is damaged."""

    start: int
    end: int
    data: bytes | None
    problem: str = ""


class _Window:
    """The bytes of a file from the place that is read on, with the magics in them. Offsets are bits of the file."""

    def __init__(self, file: IO[bytes], start: int) -> None:
        self.file, self.base, self.data, self.ended = file, start, b"", False
        self.magics: list[tuple[int, int]] = []
        self._known_until = start * 8  # every magic that starts before this bit is known
        file.seek(start)

    @property
    def end(self) -> int:
        return (self.base + len(self.data)) * 8

    def ensure(self, count: int) -> bool:
        """Whether there are `count` magics ahead; reads on for them, but not further than a block can reach."""
        while len(self.magics) < count and not self.ended and len(self.data) <= _LONGEST + _CHUNK:
            chunk = self.file.read(_CHUNK)
            self.ended = not chunk
            self.data += chunk
            first = self._known_until // 8 - self.base
            # A magic has 48 bits: one that starts in the last 7 bytes may be cut off, and is looked for next time.
            known_until = max(self._known_until, self.end - 56)
            new_magics = ((self._known_until + bit, magic) for bit, magic in find_magics(self.data[first:]))
            self.magics += [m for m in new_magics if m[0] < known_until or self.ended]
            self._known_until = self.end if self.ended else known_until
        return len(self.magics) >= count

    def advance(self) -> bool:
        """Whether there is a magic ahead, however far."""
        while not self.ensure(1):
            if self.ended:
                return False
            self.drop(0, self.end)
        return True

    def drop(self, count: int, bit: int) -> None:
        """Leave the first `count` magics, and all before `bit`, behind."""
        del self.magics[:count]
        cut = min(bit // 8, self._known_until // 8) - self.base
        if cut > 0:
            self.data = self.data[cut:]
            self.base += cut

    def block(self, start: int, end: int, *, whole: bool) -> bytes | None:
        """The content of the block [start, end), or None. `whole`: there is no magic between."""
        place = self.data, start - self.base * 8, end - self.base * 8
        return (unpack_quickly(*place) if whole else None) or unpack(*place)

    def bits(self, start: int, count: int) -> int:
        return bits(self.data, start - self.base * 8, count)

    def bytes_at(self, bit: int, count: int) -> bytes:
        first = bit // 8 - self.base
        return self.data[first : first + count]


def read_pieces(file: IO[bytes], start: int, stop: int) -> Iterator[Stretch]:
    """The blocks of a bz2 file from the first sound one that starts at byte `start` or later, to the end of the file.

    Nothing comes if that one starts at byte `stop` or later. With `start` 0 damage before the first sound block is told
    too; damage elsewhere is told by whoever reads the sound block before it.
    """
    window = _Window(file, start)
    position = start * 8  # where the next magic has to be
    crc: int | None = None  # of the stream so far, where its beginning was seen
    if start == 0:
        position, crc = 32, 0
    elif not _seek_first_sound(window, stop):
        return
    else:
        position = window.magics[0][0]
    reported = False
    while window.advance():
        bit, magic = window.magics[0]
        if bit != position:
            yield Stretch(position, bit, None, "no bz2 block where one has to start")
            crc = None
        if magic == END:
            position, problem = _close_stream(window, bit, crc)
            if problem:
                yield Stretch(bit, position, None, problem)
            if position < 0:
                return
            crc = 0
            window.drop(1, position)
            continue
        end, data, count = _read_block(window)
        if data is not None:
            yield Stretch(bit, end, data)
            crc = None if crc is None else (crc << 1 & 0xFFFFFFFF | crc >> 31) ^ window.bits(bit + 48, 32)
        else:
            reported = window.ended and end == window.end
            yield Stretch(bit, end, None, "the file ends within a bz2 block" if reported else "damaged bz2 block")
            crc = None
        position = end
        window.drop(count, end)
    if not reported:
        yield Stretch(min(position, window.end), window.end, None, "the file ends within a bz2 stream")


def _read_block(window: _Window) -> tuple[int, bytes | None, int]:
    """The block at the first magic: where it ends, its content (None: damaged), and the magics it covers."""
    bit = window.magics[0][0]
    count = 1
    nearest = None
    while True:
        more = window.ensure(count + 1)
        end = window.magics[count][0] if more else window.end
        nearest = nearest or end
        if end - bit > _LONGEST * 8:
            break
        data = window.block(bit, end, whole=count == 1)
        if data is not None:
            return end, data, count
        if not more:
            break
        count += 1
    return nearest, None, 1


def _seek_first_sound(window: _Window, stop: int) -> bool:
    """Move to the first block that unpacks; False if there is none before byte `stop`."""
    while True:
        if not window.ensure(1):
            if window.ended or window.base >= stop:
                return False
            window.drop(0, window.end)
            continue
        bit, magic = window.magics[0]
        if bit >= stop * 8:
            return False
        if magic == BLOCK and _read_block(window)[1] is not None:
            return True
        window.drop(1, bit + 1)


def _close_stream(window: _Window, bit: int, crc: int | None) -> tuple[int, str]:
    """At an end magic: where the next stream's first magic has to be (-1: the file ends here), and what is wrong."""
    after = (bit + 80 + 7) // 8 * 8
    window.ensure(2)  # so that what follows is there, if anything is
    problem = ""
    if after > window.end:
        return window.end, "the file ends within a bz2 stream"
    if crc is not None and window.bits(bit + 48, 32) != crc:
        problem = "checksum of a bz2 stream"
    head = window.bytes_at(after, 4)
    if head[:3] == b"BZh" or len(window.magics) > 1:
        return after + 32, problem
    return -1, problem  # the end, or something behind it that bzip2 ignores too
