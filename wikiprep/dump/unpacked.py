"""The unpacked bytes of a range, kept for a second reading: unpacking bz2 costs as much as all else that a page costs.

A file of frames, one a chunk, each packed by zstd at its fastest level: a twentieth of the time of bz2, a third more
bytes. What is read back are the same chunks, so that the pages are the same.
"""

import struct
from collections.abc import Iterator
from pathlib import Path

import pyarrow as pa

from wikiprep.dump.range_bytes import UnpackedChunk
from wikiprep.dump.ranges import Range
from wikiprep.errors import WikiprepError

_FRAME = struct.Struct("<qqqqq?")  # start, end, bytes of the problem, of data unpacked (-1: none) and packed, own
SLOW = ("bz2", "gz", "xz")  # what is slower to unpack than such a copy


def worth_keeping(range_: Range) -> bool:
    """Whether a copy of the range is read faster than the range."""
    return range_.compression in SLOW


def copy_chunks(chunks: Iterator[UnpackedChunk], path: Path) -> Iterator[UnpackedChunk]:
    """The chunks as they come, which are written to `path` too; the file is whole when the iterator has been closed."""
    codec = pa.Codec("zstd", compression_level=1)
    with path.open("wb") as file:
        for chunk in chunks:
            problem, data = chunk.problem.encode(), chunk.data
            packed = codec.compress(data, asbytes=True) if data else b""
            size = -1 if data is None else len(data)
            file.write(_FRAME.pack(chunk.start, chunk.end, len(problem), size, len(packed), chunk.own))
            file.write(problem)
            file.write(packed)
            yield chunk


def read_copied_chunks(path: Path) -> Iterator[UnpackedChunk]:
    """The chunks of a file that `copy_chunks` made. Close it when done.

    Raises WikiprepError for a file that is not whole.
    """
    codec = pa.Codec("zstd")
    with path.open("rb") as file:
        while head := file.read(_FRAME.size):
            try:
                start, end, problem_size, size, packed_size, own = _FRAME.unpack(head)
                problem = file.read(problem_size).decode()
                packed = file.read(packed_size)
                data = codec.decompress(packed, decompressed_size=size, asbytes=True) if size > 0 else b""
            except (struct.error, OSError, ValueError) as error:
                raise WikiprepError(
                    f"{path}: not whole ({error})", "remove it and run the same command again"
                ) from error
            yield UnpackedChunk(None if size < 0 else data, start, end, own, problem)
