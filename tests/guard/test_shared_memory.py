"""The board between a guard and its child."""

import os
import threading
import timeit

from hypothesis import given, settings
from hypothesis import strategies as st

from wikiprep.guard.shared_memory import TITLE_BYTES, Board, BoardReading

NUMBER = st.integers(0, 2**62)


def board() -> Board:
    made = Board()
    made.clear()
    return made


@settings(deadline=None)
@given(NUMBER, st.none() | NUMBER, st.none() | st.text(), NUMBER, NUMBER, NUMBER)
def test_what_is_written_is_read(ordinal: int, page: int | None, title: str | None, a: int, b: int, c: int) -> None:
    mine = board()
    mine.begin(ordinal, page, title, a, b, c)
    at = mine.read()
    assert at is not None
    assert (at.ordinal, at.page_id, at.pages, at.bytes_done, at.rejects) == (ordinal, page, a, b, c)
    raw = (title or "").encode("utf-8", "replace")[:TITLE_BYTES]
    assert at.title == raw.decode("utf-8", "ignore")
    mine.close()


def test_nothing_at_first_and_after_the_end() -> None:
    mine = board()
    first = mine.read()
    assert first == BoardReading(0, None, None, "", 0, 0, 0)
    mine.begin(7, 8, "T", 1, 2, 3)
    mine.end()
    last = mine.read()
    assert last is not None
    assert (last.ordinal, last.title, last.pages, last.bytes_done, last.rejects) == (None, "T", 1, 2, 3)
    assert last.sequence == 4
    mine.close()


def test_title_of_any_length_and_lone_surrogates() -> None:
    mine = board()
    for title in ("\u00e9" * 5000, "a\ud800b", "x" * TITLE_BYTES):
        mine.begin(1, 1, title)
        at = mine.read()
        assert at is not None
        assert len(at.title.encode()) <= TITLE_BYTES
    mine.close()


def test_readings_are_whole_while_a_writer_is_at_it() -> None:
    mine = board()
    other = Board(os.dup(mine.fd))
    stop = threading.Event()

    def write() -> None:
        n = 0
        while not stop.is_set():
            n += 1
            mine.begin(n, n, str(n), n, n, n)

    thread = threading.Thread(target=write)
    thread.start()
    try:
        for _ in range(2000):
            at = other.read()
            assert (
                at is None or at.ordinal is None or {at.page_id, at.pages, at.bytes_done, int(at.title)} == {at.ordinal}
            )
    finally:
        stop.set()
        thread.join()
    mine.close()
    other.close()


def test_an_unfinished_write_is_not_read() -> None:
    mine = board()
    mine.begin(1, 1, "T")
    mine._map[0] = 3  # as if killed between the two halves of a write
    assert mine.read() is None
    mine.close()


def test_begin_costs_little() -> None:
    mine = board()
    best = min(timeit.repeat(lambda: mine.begin(1, 2, "A title of usual length", 3, 4, 5), number=2000, repeat=20))
    assert best / 2000 < 20e-6  # about 1 microsecond; far above it, for a machine that is busy
    mine.close()
