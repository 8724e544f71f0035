"""Rows of a MySQL table dump (page, redirect, page_props, pagelinks, linktarget …) by column name, as a stream.

Columns were added and dropped over the years; the CREATE TABLE of the same file says which place each has. Only what
mysqldump writes is understood: quoted strings with backslash escapes, numbers, NULL, `_binary '…'` and 0x…; memory is
bounded by one row.
"""

import re
from collections.abc import Iterator, Sequence

from wikiprep.dump.range_bytes import read_chunks
from wikiprep.dump.ranges import Range
from wikiprep.dump.source import is_html, read_head, size_of
from wikiprep.errors import WikiprepError
from wikiprep.progress import Advance, ignore_progress

Value = bytes | int | float | None

_CREATE = re.compile(rb"CREATE TABLE (?:IF NOT EXISTS )?`?([^`\s(]+)`?\s*\(")
_COLUMN = re.compile(rb"\s*`([^`]+)`\s")
_INSERT = re.compile(rb"INSERT (?:IGNORE )?INTO `?([^`\s(]+)`?\s*(?:\(([^)]*)\)\s*)?VALUES\s*", re.IGNORECASE)
_VALUE = re.compile(
    rb"\s*(?:(?:_binary\s*)?'((?:[^'\\]++|\\.|'')*+)'|(NULL)|(-?\d++)(?![\d.eEx])|(-?\d*\.?\d+(?:[eE][-+]?\d+)?)(?!x)"
    rb"|0x([0-9A-Fa-f]++))"
    rb"\s*([,)])",
    re.DOTALL,
)
_OPEN = re.compile(rb"\s*\(")
_ESCAPE = re.compile(rb"\\(.)|''", re.DOTALL)
_ESCAPES = {b"0": b"\0", b"b": b"\b", b"n": b"\n", b"r": b"\r", b"t": b"\t", b"Z": b"\x1a"}
_LONGEST_ROW = 32 << 20  # bytes


def _unescape(match: re.Match[bytes]) -> bytes:
    return b"'" if match[1] is None else _ESCAPES.get(match[1], match[1])


def read_rows(path: str, columns: Sequence[str], advance: Advance = ignore_progress) -> Iterator[tuple[Value, ...]]:
    """The values of `columns`, in that order, of every row.

    Strings are bytes, as the table has them. `advance` is told of the file's own bytes.

    Raises WikiprepError for a file that is cut, damaged or no table dump, and for a column that the table lacks.
    """
    stream = _Stream(path, advance)
    names: list[str] | None = None
    while stream.find(b"INSERT", b"CREATE TABLE"):
        if match := stream.match(_CREATE, 1 << 10):
            stream.skip(match.end())
            names = stream.column_names()
        elif match := stream.match(_INSERT, 1 << 16):
            stream.skip(match.end())
            table_columns = [name.strip(b" `").decode() for name in match[2].split(b",")] if match[2] else names
            if table_columns is None:
                raise WikiprepError(
                    f"{path}: rows begin at byte {stream.offset:,} without a CREATE TABLE, so columns have no names",
                    "take the file from dumps.wikimedia.org, or put the CREATE TABLE of the same wiki before it",
                )
            missing = [name for name in columns if name not in table_columns]
            if missing:
                raise WikiprepError(
                    f"{path}: table {match[1].decode()} has no column {', '.join(missing)}",
                    f"its columns are {', '.join(table_columns)}",
                )
            yield from stream.rows([table_columns.index(name) for name in columns], len(table_columns))
        else:
            stream.step(6)
    if names is None and not stream.inserts:
        raise WikiprepError(f"{path}: holds no table", "take a .sql.gz file from dumps.wikimedia.org")
    if stream.complete is False:
        raise WikiprepError(f"{path}: ends without mysqldump's last line", "it was cut: fetch it again")


class _Stream:
    """The unpacked file as a window of bytes that moves on."""

    def __init__(self, path: str, advance: Advance) -> None:
        size = size_of(path)
        if size == 0:
            raise WikiprepError(f"{path}: is empty", "fetch it again")
        compression, head = read_head(path, limit=1 << 12)
        if is_html(head):
            raise WikiprepError(f"{path}: is an HTML page, not an SQL dump", "the download failed: fetch it again")
        self.path = path
        self._chunks = read_chunks(Range(path, compression, 0, size, size))
        self._data, self._at, self._dropped_bytes = b"", 0, 0
        self._advance, self._bytes_read = advance, 0
        self.inserts = 0
        # Only a file that begins as mysqldump's do has to end as they do.
        self.complete = False if re.match(rb"--\s+(?:MySQL|MariaDB) dump", head) else None

    @property
    def offset(self) -> int:
        """Where reading is, in unpacked bytes."""
        return self._dropped_bytes + self._at

    def more(self) -> bool:
        """Read on; False at the end of the file."""
        chunk = next(self._chunks, None)
        if chunk is None:
            return False
        if chunk.data is None:
            raise WikiprepError(
                f"{self.path}: {chunk.problem} at byte {chunk.start:,}", "fetch it again and compare its checksum"
            )
        self._advance(chunk.end - self._bytes_read)
        self._bytes_read = chunk.end
        self._dropped_bytes += self._at
        self._data, self._at = self._data[self._at :] + chunk.data, 0
        return True

    def skip(self, to: int) -> None:
        """Move to byte `to` of the window."""
        self._at = to

    def step(self, count: int) -> None:
        """Move `count` bytes on."""
        self._at += count

    def find(self, *words: bytes) -> bool:
        """Move to the first of `words`; False if none comes."""
        while True:
            positions = [at for word in words if (at := self._data.find(word, self._at)) >= 0]
            if positions:
                self._note_end(min(positions))
                self._at = min(positions)
                return True
            self._note_end(len(self._data))
            self._at = max(len(self._data) - 32, self._at)
            if not self.more():
                return False

    def _note_end(self, end: int) -> None:
        if self.complete is False and self._data.find(b"-- Dump completed", self._at, end) >= 0:
            self.complete = True

    def match(self, pattern: re.Pattern[bytes], room: int) -> re.Match[bytes] | None:
        """`pattern` here, with at least `room` bytes behind it where the file has them."""
        while len(self._data) - self._at < room and self.more():
            pass
        return pattern.match(self._data, self._at)

    def column_names(self) -> list[str]:
        """The names in the body of a CREATE TABLE."""
        while (end := self._data.find(b"\n)", self._at)) < 0 and self.more():
            pass
        body = self._data[self._at : end if end >= 0 else len(self._data)]
        return [m[1].decode() for line in body.split(b"\n") if (m := _COLUMN.match(line))]

    def rows(self, indices: list[int], width: int) -> Iterator[tuple[Value, ...]]:
        """The rows of one INSERT, from its first parenthesis to its semicolon."""
        self.inserts += 1
        while True:
            row, data, at = [], self._data, self._at
            opening = _OPEN.match(data, at)
            is_whole = opening is not None
            at = opening.end() if opening else at
            while is_whole:
                match = _VALUE.match(data, at)
                if match is None:
                    is_whole = False
                    break
                row.append(match)
                at = match.end()
                if match[6] == b")":
                    break
            if not is_whole or at >= len(data):
                if len(data) - self._at < _LONGEST_ROW and self.more():
                    continue
                raise WikiprepError(
                    f"{self.path}: a row of values is cut or wrong at byte {self.offset:,}",
                    "fetch the file again and compare its checksum",
                )
            if len(row) != width:
                raise WikiprepError(
                    f"{self.path}: a row of {len(row)} values in a table of {width} columns at byte {self.offset:,}",
                    "the CREATE TABLE before it is of another table or year",
                )
            yield tuple(_value(row[i]) for i in indices)
            self._at = at
            if data[at : at + 1] != b",":
                return
            self._at = at + 1


def _value(match: re.Match[bytes]) -> Value:
    if match[1] is not None:
        text = match[1]
        return _ESCAPE.sub(_unescape, text) if b"\\" in text or b"''" in text else text
    if match[2]:
        return None
    if match[3]:
        return int(match[3])
    return float(match[4]) if match[4] else bytes.fromhex(match[5].decode())
