"""What a file is compressed with, told by its first bytes, and its streams unpacked as they are read: gz, bz2, xz, zst.

The one place that knows a decompressor and its limits, so that no file is read by one command and called damaged by
another. Only `dump/bz2_blocks.py`, which begins in the middle of a bz2 file, does more.
"""

import bz2
import lzma
import zlib
from collections.abc import Iterator
from typing import Literal, Protocol, cast

import zstandard

Compression = Literal["bz2", "gz", "xz", "zst", "plain"]

_MAGIC: dict[bytes, Compression] = {
    b"BZh": "bz2",
    b"\x1f\x8b": "gz",
    b"\xfd7zXZ\x00": "xz",
    b"\x28\xb5\x2f\xfd": "zst",
    # Frames that a reader skips (RFC 8878, 3.1.2): pzstd puts one before each frame of data.
    **{bytes((0x50 + i, 0x2A, 0x4D, 0x18)): "zst" for i in range(16)},
}
# Bytes of window that zstd may ask for: what its --long=31, the longest there is, writes. The tool itself refuses over
# 128 MB unless it is told the same; who gives such a file here has told it by giving it.
ZST_WINDOW = 1 << 31

# What the decompressors raise for damaged data.
DAMAGE = (OSError, EOFError, ValueError, zlib.error, lzma.LZMAError, zstandard.ZstdError)


def compression_of(head: bytes) -> Compression:
    """What a file that starts with `head` is compressed with."""
    return next((name for magic, name in _MAGIC.items() if head.startswith(magic)), "plain")


class _Decompressor(Protocol):
    """The part of the standard library's decompressors that reading needs."""

    def decompress(self, data: bytes, /) -> bytes:
        """The bytes that `data` gives."""

    @property
    def eof(self) -> bool:
        """Whether the end of the stream has been seen."""

    @property
    def unused_data(self) -> bytes:
        """What follows the end of the stream."""


def _decompressor(compression: Compression) -> _Decompressor:
    """A fresh decompressor for one stream."""
    if compression == "bz2":
        return cast(_Decompressor, bz2.BZ2Decompressor())
    if compression == "gz":
        return cast(_Decompressor, zlib.decompressobj(31))
    if compression == "xz":
        return cast(_Decompressor, lzma.LZMADecompressor(lzma.FORMAT_XZ))
    return cast(_Decompressor, zstandard.ZstdDecompressor(max_window_size=ZST_WINDOW).decompressobj())


class Unpacker:
    """The streams of one file, fed piece by piece.

    Zeros between streams are padding. What follows the last stream and is none is ignored, as the formats' own tools
    do: then `ended` is true, and nothing more need be fed.
    """

    def __init__(self, compression: Compression) -> None:
        """`compression` is none of "plain"."""
        self.ended = False
        self._compression = compression
        self._stream: _Decompressor | None = None
        self._rest = b""  # the first bytes of what may be a stream
        self._has_begun = False

    @property
    def cut(self) -> bool:
        """Whether the file, if it ends here, ends within a stream."""
        return self._stream is not None or bool(self._rest) or not self._has_begun

    def feed(self, data: bytes) -> Iterator[bytes]:
        """What `data` gives, in pieces. Raises one of DAMAGE."""
        data, self._rest = self._rest + data, b""
        while data and not self.ended:
            if self._stream is None:
                data = data.lstrip(b"\0") if self._has_begun else data
                if compression_of(data) != self._compression:
                    self._rest = data if self._may_begin(data) else b""
                    self.ended = bool(data) and not self._rest
                    return
                self._stream, self._has_begun = _decompressor(self._compression), True
            unpacked = self._stream.decompress(data)
            data = b""
            if self._stream.eof:
                data, self._stream = self._stream.unused_data, None
            if unpacked:
                yield unpacked

    def _may_begin(self, data: bytes) -> bool:
        """Whether more bytes could make a stream of it."""
        return bool(data) and any(magic.startswith(data) for magic, name in _MAGIC.items() if name == self._compression)
