"""Where a guarded unit is: a small page of memory that the child writes and its parent reads.

No message and no lock: `begin` costs about a microsecond, is read by the parent at its leisure, and is still readable
when the child has been killed. A sequence number, odd while a write is under way, tells the parent to look again.
"""

import mmap
import os
import struct
import tempfile
import weakref
from collections.abc import Callable
from dataclasses import dataclass
from typing import Protocol

TITLE_BYTES = 1024  # MediaWiki allows 255
_SEQUENCE = struct.Struct("=q")
_PAGE = struct.Struct(f"=qqqqqH{TITLE_BYTES}s")
_SIZE = _SEQUENCE.size + _PAGE.size
_NONE = -1
GIVEN_UP_FOR = {
    "timeout": "Took longer than --page-timeout, twice.",
    "memory": "Took more memory than --page-memory, twice.",
    "crash": "Ended the process that worked on it, twice.",
}
GIVEN_UP = "the page stopped its worker twice, the second time alone"  # the detail of such a reject


class Watch(Protocol):
    """What guarded work tells: which page it begins, and that it is between pages."""

    def begin(
        self,
        ordinal: int,
        page_id: int | None,
        title: str | None,
        pages: int = 0,
        bytes_done: int = 0,
        rejects: int = 0,
    ) -> None:
        """Before a page, or a few pages at once, named by the first. `ordinal`: the page's place in the unit's stream;
        then totals of the unit so far."""

    def end(self) -> None:
        """No page is worked on from here to the next `begin` (reading, writing files): nothing is timed or blamed."""


@dataclass(frozen=True, slots=True)
class BoardReading:
    """A reading of the board.

    `ordinal` is None between pages (the rest is of the last one); `sequence` changes with every write.
    """

    sequence: int
    ordinal: int | None
    page_id: int | None
    title: str
    pages: int
    bytes_done: int
    rejects: int


class Board:
    """The shared page. `Board()` makes one; a child opens it from the inherited descriptor with `Board(fd)`."""

    def __init__(self, fd: int | None = None) -> None:
        if fd is None:
            fd = _anonymous_file()
            os.ftruncate(fd, _SIZE)
        self.fd = fd
        self._map = mmap.mmap(fd, _SIZE)
        self._sequence = 0
        self._finalizer = weakref.finalize(self, os.close, fd)

    def close(self) -> None:
        """Gives the memory back. May come twice."""
        self._map.close()
        self._finalizer()

    def clear(self) -> None:
        """For the parent, while no child writes: no page, nothing done."""
        self._map[:] = bytes(_SIZE)
        _PAGE.pack_into(self._map, _SEQUENCE.size, _NONE, _NONE, 0, 0, 0, 0, b"")

    def begin(
        self,
        ordinal: int,
        page_id: int | None,
        title: str | None,
        pages: int = 0,
        bytes_done: int = 0,
        rejects: int = 0,
    ) -> None:
        """See `Watch`."""
        raw = (title or "").encode("utf-8", "replace")[:TITLE_BYTES]
        page = _NONE if page_id is None else page_id
        memory, sequence = self._map, self._sequence
        self._sequence = sequence + 2
        _SEQUENCE.pack_into(memory, 0, sequence + 1)
        _PAGE.pack_into(memory, _SEQUENCE.size, ordinal, page, pages, bytes_done, rejects, len(raw), raw)
        _SEQUENCE.pack_into(memory, 0, sequence + 2)

    def end(self) -> None:
        """See `Watch`. The totals and the title stay."""
        memory, sequence = self._map, self._sequence
        self._sequence = sequence + 2
        _SEQUENCE.pack_into(memory, 0, sequence + 1)
        _SEQUENCE.pack_into(memory, _SEQUENCE.size, _NONE)  # the ordinal
        _SEQUENCE.pack_into(memory, 0, sequence + 2)

    def read(self) -> BoardReading | None:
        """What stands there; None if a write was under way (or cut off by death) at each of a few looks."""
        for _ in range(8):
            sequence = _SEQUENCE.unpack_from(self._map, 0)[0]
            ordinal, page, pages, bytes_done, rejects, length, raw = _PAGE.unpack_from(self._map, _SEQUENCE.size)
            if sequence % 2 == 0 and sequence == _SEQUENCE.unpack_from(self._map, 0)[0]:
                title = raw[:length].decode("utf-8", "ignore")
                return BoardReading(
                    sequence, _none_if_unset(ordinal), _none_if_unset(page), title, pages, bytes_done, rejects
                )
        return None


def _none_if_unset(number: int) -> int | None:
    return None if number == _NONE else number


def _anonymous_file() -> int:
    make: Callable[[str], int] | None = getattr(os, "memfd_create", None)
    if make is not None:
        return make("wikiprep-watch")
    with tempfile.TemporaryFile() as file:
        return os.dup(file.fileno())
