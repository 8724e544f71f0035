"""Lines of a text file that people bring along: plain, gz, bz2, xz or zst, on local disk or a `pyarrow.fs` URL.

The content decides how a file is unpacked, and a suffix that promises something else is an error. A cut file is an
error too, never a shorter file. Memory: one chunk and one line.
"""

from collections.abc import Iterator
from pathlib import Path, PurePosixPath
from typing import Any

from wikiprep.addresses import open_filesystem
from wikiprep.compression import DAMAGE, Unpacker, compression_of
from wikiprep.errors import UsageError, WikiprepError

MAX_LINE = 256_000_000  # bytes; a longer line is no line of text
_CHUNK = 1 << 18
PACKED = (".gz", ".bz2", ".xz", ".zst")
WIDE = (b"\xff\xfe", b"\xfe\xff")
_BOM = b"\xef\xbb\xbf"


def read_lines(path: str | Path) -> Iterator[tuple[int, bytes]]:
    """Numbered lines (from 1) without their end ("\\n" or "\\r\\n") and without a UTF-8 byte order mark at the start.

    Blank lines are left out but counted. Raises WikiprepError for a file that is missing, cut, or not of lines.
    """
    number = 0
    rest = b""
    start = True
    for chunk in _chunks(str(path)):
        if start:
            if chunk.startswith(WIDE):
                raise WikiprepError(f"{path}: is UTF-16, not UTF-8", "convert it: iconv -f UTF-16 -t UTF-8")
            chunk = chunk.removeprefix(_BOM)
            start = False
        lines = (rest + chunk).split(b"\n") if b"\n" in chunk else [rest + chunk]
        rest = lines.pop()
        if len(rest) > MAX_LINE:
            raise WikiprepError(
                f"{path}: line {number + len(lines) + 1} is longer than {MAX_LINE // 1_000_000} MB",
                "one line holds one record: is this file made of lines?",
            )
        for line in lines:
            number += 1
            if line and not line.isspace():
                yield number, line.removesuffix(b"\r")
    if rest and not rest.isspace():
        yield number + 1, rest.removesuffix(b"\r")


def compressed_suffix(start: bytes) -> str:
    """The suffix for a file with these first bytes: ".gz", ".bz2", ".xz", ".zst"; "" for one that is not packed."""
    compression = compression_of(start)
    return "" if compression == "plain" else f".{compression}"


def head(path: str | Path, size: int = 4) -> bytes:
    """The first bytes of a file, unpacked."""
    for chunk in _chunks(str(path)):
        return chunk[:size]
    return b""


def read_whole(path: str | Path) -> bytes:
    """The whole file, unpacked, without a byte order mark. Raises WikiprepError as `read_lines` does."""
    return b"".join(_chunks(str(path))).removeprefix(_BOM)


def _chunks(path: str) -> Iterator[bytes]:
    """The unpacked content in pieces; the first has at least 8 bytes where the file has."""
    try:
        with _open(path) as raw:
            yield from _unpack(raw, path)
    except FileNotFoundError as error:
        raise UsageError(f"{path}: no such file", "check the path") from error
    except IsADirectoryError as error:
        raise UsageError(f"{path}: is a folder", "name a file in it") from error
    except OSError as error:
        raise WikiprepError(
            f"{path}: cannot be read ({error.strerror or error})", "check the file and its permissions"
        ) from error


def _open(path: str) -> Any:
    if "://" not in path:
        return Path(path).open("rb")

    filesystem, key = open_filesystem(path)
    return filesystem.open_input_file(key)


def _unpack(raw: Any, path: str) -> Iterator[bytes]:
    start = _read_start(raw)
    kind = compressed_suffix(start)
    suffix = PurePosixPath(path).suffix.lower()
    if start and suffix in PACKED and suffix != kind:
        raise WikiprepError(f"{path}: its name says {suffix}, its content does not", "rename it or get it again")
    if not kind:
        while chunk := raw.read(_CHUNK):
            yield chunk
        return
    unpacker = Unpacker(compression_of(start))
    while not unpacker.ended and (chunk := raw.read(_CHUNK)):
        try:
            data = b"".join(unpacker.feed(chunk))  # together, so that the first piece is not that of a tiny stream
        except DAMAGE as error:
            raise WikiprepError(f"{path}: damaged compressed data ({error})", "get the file again") from error
        if data:
            yield data
    if unpacker.cut:
        raise WikiprepError(f"{path}: cut short, its compressed data has no end", "get the file again")


def _read_start(raw: Any) -> bytes:
    """The first bytes, which are read again afterwards; of a pipe (`<(command)`) what its buffer holds."""
    if not raw.seekable():
        return bytes(raw.peek(8)[:8])
    start: bytes = raw.read(8)
    raw.seek(0)
    return start
