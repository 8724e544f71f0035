"""Opening a dump file: local or remote bytes, and how they begin.

Compression is told by the first bytes of the file (`compression.py`), never by its name: a download often has the wrong
one.
"""

import re
from pathlib import Path
from typing import IO, cast

from wikiprep.addresses import open_filesystem
from wikiprep.compression import DAMAGE, Compression, Unpacker, compression_of
from wikiprep.errors import UsageError, WikiprepError


def is_remote(path: str) -> bool:
    """Whether `path` is an address that pyarrow.fs opens (gs://, s3://, hdfs://)."""
    return "://" in path


def open_bytes(path: str) -> IO[bytes]:
    """The file's bytes, seekable. Raises WikiprepError where there is no such file or it may not be read."""
    try:
        if is_remote(path):
            system, inner = open_filesystem(path)
            return cast(IO[bytes], system.open_input_file(inner))
        return Path(path).open("rb")
    except FileNotFoundError:
        raise UsageError(f"{path}: no such file", "check the path; a glob must match something") from None
    except IsADirectoryError:
        raise UsageError(f"{path}: is a folder", "name the dump files in it, or use a glob") from None
    except OSError as error:
        raise WikiprepError(
            f"{path}: cannot be read: {error.strerror or error}", "check the file's permissions"
        ) from None


def is_file(path: str) -> bool:
    """Whether there is a file of that name. Raises WikiprepError where a store does not answer."""
    return Path(path).is_file() if not is_remote(path) else _remote_type(path) == "File"


def _remote_type(path: str) -> str:
    try:
        system, inner = open_filesystem(path)
        return str(system.get_file_info(inner).type.name)
    except OSError as error:
        reason = str(error).splitlines()[0]
        raise WikiprepError(f"{path}: {reason}", "check the address, the network and the credentials") from None


def size_of(path: str) -> int:
    """Size of the file in bytes. Raises WikiprepError for a pipe, which has none."""
    with open_bytes(path) as file:
        if not file.seekable():
            raise WikiprepError(f"{path}: is a pipe, and this is read in pieces", "write it to a file, and give that")
        return file.seek(0, 2)


_HTML = re.compile(rb"(?:\xef\xbb\xbf|\s|<!--.*?-->|<\?xml[^>]*>)*<(?:!doctype\s+html|html|head|body)\b", re.I | re.S)


def is_html(head: bytes) -> bool:
    """Whether a file that begins with `head` is a web page: what a failed download often leaves."""
    return _HTML.match(head[:4096]) is not None


def read_head(path: str, limit: int = 1 << 16, until: bytes = b"") -> tuple[Compression, bytes]:
    """Compression and the first unpacked bytes: at least `limit` or, with `until`, as many as bring that marker.

    Reads 64 KB at a time and never over 32 times `limit`; damage ends the head without an error.
    """
    with open_bytes(path) as file:
        data = file.read(1 << 16)
        compression = compression_of(data)
        unpacker = None if compression == "plain" else Unpacker(compression)
        head = b""
        while data and len(head) < 32 * limit:
            try:
                for piece in [data] if unpacker is None else unpacker.feed(data):
                    head += piece
            except DAMAGE:
                break
            if (until in head) if until else (len(head) >= limit):
                break
            data = b"" if unpacker is not None and unpacker.ended else file.read(1 << 16)
    return compression, head
