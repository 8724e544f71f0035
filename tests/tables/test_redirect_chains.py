"""Pointer jumping against walking, on random graphs."""

import numpy as np
from hypothesis import given
from hypothesis import strategies as st

from wikiprep.storage.redirect_chains import follow


def walk(direct: list[int], node: int) -> tuple[int, int]:
    seen = [node]
    while direct[seen[-1]] >= 0:
        further = direct[seen[-1]]
        if further in seen:
            return -1, 0
        seen.append(further)
    return seen[-1], len(seen) - 1


@given(st.lists(st.integers(-1, 30), min_size=1, max_size=31))
def test_every_chain_ends_where_walking_ends(edges: list[int]) -> None:
    direct = [min(e, len(edges) - 1) for e in edges]
    final, hops = follow(np.array(direct, np.int32))
    assert list(zip(final.tolist(), hops.tolist(), strict=True)) == [walk(direct, i) for i in range(len(direct))]


def test_a_chain_of_a_million_and_a_loop_as_long() -> None:
    n = 1_000_000
    chain = np.arange(1, n + 1, dtype=np.int32)
    chain[-1] = -1
    final, hops = follow(chain)
    assert (final == n - 1).all()
    assert hops[0] == n - 1
    loop = np.roll(np.arange(n, dtype=np.int32), -1)
    final, hops = follow(loop)
    assert (final == -1).all()
    assert not hops.any()


def test_nothing() -> None:
    final, hops = follow(np.empty(0, np.int32))
    assert len(final) == len(hops) == 0
