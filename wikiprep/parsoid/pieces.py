"""A snapshot cut into pieces, each of them work for one worker: whole lines, or the files of a part of a folder.

A gz file can only be read from its beginning, and a snapshot is one of 100 GB and more: so it is unpacked once, and its
lines are packed again as they are, by zstd at its fastest level, into files of frames. What cannot be read stays in
them, with its place, for the account of rejects.
"""

import struct
from collections.abc import Iterator, Sequence
from dataclasses import asdict
from pathlib import Path
from typing import IO, cast

import orjson
import pyarrow as pa

from wikiprep.dump.pages import BadPage, LostRange, Page
from wikiprep.dump.site import Site
from wikiprep.errors import WikiprepError
from wikiprep.parsoid.folder import FolderFile, pages_of_files
from wikiprep.parsoid.lines import LONGEST, Block, What
from wikiprep.parsoid.snapshot import pages_of_line

_FRAME = struct.Struct("<qqqqb")  # line, bytes of the name, of data unpacked and packed; what it is
_WHAT = ("lines", "long", "damage", "files")
_FILES = 3
_FILES_IN_FRAME = 10_000


class PieceWriter:
    """Writes one piece; `size` is what it has in bytes."""

    def __init__(self, path: Path) -> None:
        self._codec = pa.Codec("zstd", compression_level=1)
        self._file = path.open("wb")
        self.size = 0

    def add(self, block: Block) -> None:
        """A block of a file of lines."""
        self._write(_WHAT.index(block.what), block.name, block.line, block.data)

    def add_files(self, files: Sequence[FolderFile]) -> None:
        """Files of a folder."""
        for at in range(0, len(files), _FILES_IN_FRAME):
            rows = [asdict(file) for file in files[at : at + _FILES_IN_FRAME]]
            self._write(_FILES, "", 0, orjson.dumps(rows))

    def close(self) -> None:
        """Makes the file whole."""
        self._file.close()

    def _write(self, what: int, name: str, line: int, data: bytes) -> None:
        encoded = name.encode("utf-8", "replace")
        packed = self._codec.compress(data, asbytes=True) if data else b""
        for part in (_FRAME.pack(line, len(encoded), len(data), len(packed), what), encoded, packed):
            self._file.write(part)
            self.size += len(part)


class PieceReader:
    """Iterates over the pages of a piece, as `RangeReader` does over those of a range.

    `folder`: where the files of a folder lie. `older`: (file, line) of lines with an older copy of a page.
    """

    def __init__(
        self, path: Path, site: Site, folder: str | None, older: frozenset[tuple[str, int]], keep_damaged: bool
    ) -> None:
        self._path, self._site, self._folder = path, site, folder
        self._older, self._keep_damaged = older, keep_damaged
        self.bytes_read = 0  # of the piece
        self.xml_bytes = 0  # of lines and files

    def __iter__(self) -> Iterator[Page | BadPage | LostRange]:
        with self._path.open("rb") as file:
            while head := file.read(_FRAME.size):
                what, block = self._read_block(file, head)
                if what == _FILES:
                    yield from self._read_files(block.data)
                elif block.what == "lines":
                    yield from self._read_lines(block)
                elif block.what == "long":
                    self.xml_bytes += len(block.data)
                    yield BadPage(
                        None, None, "line too long", f"{block.name}, line {block.line:,}: over {LONGEST >> 20} MB"
                    )
                else:
                    yield self._lost_range(block)
                self.bytes_read = file.tell()

    def _lost_range(self, block: Block) -> LostRange:
        problem = block.data.decode()
        if not self._keep_damaged:
            raise damage_error(block.name, problem)
        return LostRange(0, 0, f"{block.name}: {problem}")

    def _read_files(self, data: bytes) -> Iterator[Page | BadPage]:
        assert self._folder is not None
        for page in pages_of_files(self._folder, [FolderFile(**row) for row in orjson.loads(data)], self._site):
            self.xml_bytes += page.xml_bytes if isinstance(page, Page) else 0
            yield page

    def _read_lines(self, block: Block) -> Iterator[Page | BadPage]:
        for number, line in enumerate(block.data.split(b"\n"), block.line):
            if not line or line.isspace():
                continue
            self.xml_bytes += len(line)
            where = f"{block.name}, line {number:,}"
            pages = pages_of_line(line, where, self._site)
            if (block.name, number) in self._older:
                page = next(pages)
                title = page.title if isinstance(page, Page | BadPage) else None
                yield BadPage(None, title, "older copy", f"{where}: the snapshot has page {page.page_id} again, newer")
                continue
            yield from pages

    def _read_block(self, file: IO[bytes], head: bytes) -> tuple[int, Block]:
        try:
            line, name_size, size, packed_size, what = _FRAME.unpack(head)
            name, packed = file.read(name_size).decode(), file.read(packed_size)
            data = pa.Codec("zstd").decompress(packed, decompressed_size=size, asbytes=True) if size else b""
        except (struct.error, OSError, ValueError) as error:
            raise WikiprepError(
                f"{self._path}: not whole ({error})", "remove it and run the same command again"
            ) from error
        return what, Block(name, line, data, cast(What, _WHAT[what]))


def damage_error(name: str, problem: str) -> WikiprepError:
    """Of a snapshot that cannot be read to its end."""
    return WikiprepError(
        f"{name}: {problem}",
        "fetch the file again and compare its checksum, or keep the pages before that with --keep-damaged",
    )
