"""Whether CPU time grows with the size of a text or with its square: a ratio within one run, on any machine."""

import time
from collections.abc import Callable
from typing import TypeVar

Made = TypeVar("Made")

# A text is compared with its quarter. In proportion is 4, the square is 16; with noise left out (the least time of some
# runs counts) a ratio above 9 is no longer the machine's.
QUARTER = 4
MOST = 9.0
ATTEMPTS = 5
LEAST = 0.1  # seconds; on a busy machine the CPU time of less than this may be three times what it is on an idle one


def check_growth(work: Callable[[str], Made], text_of: Callable[[int], str], size: int) -> Made:
    """What `work` makes of `text_of(size)`, once that takes at most nine times the CPU time of a quarter of it.

    No time is asserted: how many seconds a hostile megabyte takes is for benchmarks/hostile.py.
    """
    small, large = text_of(size // QUARTER), text_of(size)
    quarter = whole = float("inf")
    for _ in range(ATTEMPTS):
        seconds, _made = _timed(work, small)
        quarter = min(quarter, seconds)
        seconds, made = _timed(work, large)
        whole = min(whole, seconds)
        if whole <= MOST * max(quarter, LEAST):
            return made
    raise AssertionError(f"{QUARTER} times the text took {whole / quarter:.1f} times the CPU time ({whole:.2f} s)")


def _timed(work: Callable[[str], Made], text: str) -> tuple[float, Made]:
    start = time.process_time()
    made = work(text)
    return time.process_time() - start, made
