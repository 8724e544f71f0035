"""A long passage in overlapping windows, and which window a token is best seen in (Devlin et al. 2019, their code)."""

from collections.abc import Sequence

Span = tuple[int, int]


def windows_of(length: int, room: int, stride: int) -> list[Span]:
    """[start, end) of windows of `room` tokens, each `stride` behind the one before, until the passage is covered.

    Where the room is less than the stride, each begins where the one before ends: no token is passed over.
    """
    windows = []
    for start in range(0, max(1, length), min(room, stride)):
        windows.append((start, min(start + room, length)))
        if start + room >= length:
            break
    return windows


def best_window(windows: Sequence[Span], token: int) -> int:
    """The window in which the token has most context on its poorer side; of equal ones the longer, then the first."""

    def context(number: int) -> tuple[float, int]:
        start, end = windows[number]
        return min(token - start, end - 1 - token) + 0.01 * (end - start), -number

    return max((n for n, (start, end) in enumerate(windows) if start <= token < end), key=context)
