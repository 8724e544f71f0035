"""Passages in windows, and sequences cut around what must be seen."""

from hypothesis import given
from hypothesis import strategies as st

from wikiprep.tasks.pieces import window
from wikiprep.tasks.windows import best_window, windows_of


@given(st.integers(1, 400), st.integers(1, 120), st.integers(1, 150))
def test_windows_cover_every_token(length: int, room: int, stride: int) -> None:
    windows = windows_of(length, room, stride)
    assert all(0 <= start < end <= length and end - start <= room for start, end in windows)
    assert [start for start, _ in windows] == [n * min(room, stride) for n in range(len(windows))]
    seen = {token for start, end in windows for token in range(start, end)}
    assert seen == set(range(length))


def test_a_token_is_taken_where_its_poorer_side_has_most() -> None:
    windows = windows_of(20, 10, 4)  # 0-10, 4-14, 8-18, 12-20
    assert windows == [(0, 10), (4, 14), (8, 18), (12, 20)]
    assert best_window(windows, 0) == 0
    assert best_window(windows, 9) == 1  # five and four tokens around it, in the others one at the poorer side
    assert best_window(windows, 13) == 2
    assert best_window(windows, 19) == 3


@given(st.data())
def test_a_cut_keeps_all_spans_and_as_many_tokens_as_fit(data: st.DataObject) -> None:
    length = data.draw(st.integers(1, 300))
    start = data.draw(st.integers(0, length - 1))
    end = data.draw(st.integers(start + 1, length))
    most = data.draw(st.integers(1, 300))
    cut = window(length, [(start, end)], most)
    if length <= most:
        assert cut == (0, length)
    elif end - start > most:
        assert cut is None
    else:
        assert cut is not None
        assert 0 <= cut[0] <= start and end <= cut[1] <= length
        assert cut[1] - cut[0] == most
        before, behind = start - cut[0], cut[1] - end
        # Even on both sides, but where one has no more to give.
        assert abs(before - behind) <= 1 or cut[0] == 0 or cut[1] == length


def test_spans_too_far_apart_have_no_cut() -> None:
    assert window(100, [(0, 2), (90, 92)], 50) is None
