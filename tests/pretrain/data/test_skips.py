"""What is left out of the stream, and what comes instead: as a list with pieces cut out would have it."""

import pytest
from hypothesis import given
from hypothesis import strategies as st

from wikiprep.errors import UsageError
from wikiprep.pretrain.data.skips import Skips, range_of, read_skip

ranges = st.lists(st.tuples(st.integers(0, 60), st.integers(0, 60)), max_size=6)


@given(ranges=ranges, start=st.integers(0, 70), counts=st.lists(st.integers(0, 20), min_size=1, max_size=5))
def test_as_cut_out_of_a_list(ranges: list[tuple[int, int]], start: int, counts: list[int]) -> None:
    skips = Skips.of(ranges)
    left = [n for n in range(start, 300) if not any(first <= n < stop for first, stop in ranges)]
    at = start
    for count in counts:
        taken, left = left[:count], left[count:]
        assert skips.take(at, count).tolist() == taken
        behind = skips.after(at, count)
        assert behind == (taken[-1] + 1 if taken else at)
        cut = [n for n in range(at, behind) if n not in taken]
        assert [n for first, stop in skips.between(at, behind) for n in range(first, stop)] == cut
        at = behind


@given(ranges=ranges, start=st.integers(0, 70), number=st.integers(0, 9), size=st.integers(1, 9))
def test_a_batch_by_its_number(ranges: list[tuple[int, int]], start: int, number: int, size: int) -> None:
    """As a worker makes it, without those before."""
    skips = Skips.of(ranges)
    whole = skips.take(start, (number + 1) * size)
    assert skips.take(skips.after(start, number * size), size).tolist() == whole[number * size :].tolist()


def test_forms() -> None:
    assert read_skip("5000") == (None, 5000)
    assert read_skip("0:16") == (0, 16)
    for word in ("", "0", "-1", "1:0", "1:", ":1", "1:2:3", "1e3", "٣", "9" * 19):
        with pytest.raises(UsageError, match="it takes N, or POSITION:N"):
            read_skip(word)


def test_n_again_is_the_range_that_is_known() -> None:
    assert range_of((None, 16), 100, []) == (100, 116)
    assert range_of((None, 16), 200, [(100, 116)]) == (100, 116)
    assert range_of((None, 17), 200, [(100, 116)]) == (200, 217)
    assert range_of((200, 16), 300, [(100, 116)]) == (200, 216)
