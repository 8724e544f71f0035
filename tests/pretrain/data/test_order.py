"""The order of records: a pure function of the seed, every record once an epoch, whoever asks and for which part."""

import itertools

import numpy as np
import pytest
from hypothesis import given
from hypothesis import strategies as st

from wikiprep.pretrain.data.stream import Stream, quotas
from wikiprep.records.held_out import Split, is_held_out
from wikiprep.records.permutation import permute


def split(size: int, *held_out: int) -> Split:
    return Split(size, np.array(held_out, np.int64))


@given(size=st.integers(1, 3000), seed=st.integers(0, 2**63))
def test_permutation_is_one(size: int, seed: int) -> None:
    assert sorted(permute(np.arange(size), size, (seed, 1)).tolist()) == list(range(size))


@given(size=st.integers(1, 10**9), places=st.lists(st.integers(0, 10**9 - 1), min_size=1, max_size=20))
def test_permutation_is_the_same_for_any_part(size: int, places: list[int]) -> None:
    positions = np.array(places) % size
    whole = permute(positions, size, (5,))
    assert ((whole >= 0) & (whole < size)).all()
    assert [int(permute(positions[n : n + 1], size, (5,))[0]) for n in range(len(positions))] == whole.tolist()


def test_permutation_shuffles() -> None:
    """Where a record comes, and which one follows it, is as even as chance (chi-square)."""
    orders = np.array([permute(np.arange(10), 10, (seed,)) for seed in range(5000)])
    followed = [(a, b) for order in orders.tolist() for a, b in itertools.pairwise(order)]
    cells = np.zeros((10, 10))
    np.add.at(cells, tuple(np.array(followed).T), 1)
    off_diagonal = cells[~np.eye(10, dtype=bool)]
    for counts in (np.array([(orders[:, 0] == n).sum() for n in range(10)]), off_diagonal):
        chi_square = float(((counts - counts.mean()) ** 2 / counts.mean()).sum())
        assert chi_square < len(counts) + 6 * np.sqrt(2 * len(counts))


def test_epochs_and_seeds_differ() -> None:
    orders = {tuple(permute(np.arange(50), 50, (seed, epoch)).tolist()) for seed in range(5) for epoch in range(5)}
    assert len(orders) == 25


@given(
    size=st.integers(1, 60),
    held=st.sets(st.integers(0, 59), max_size=30),
    seed=st.integers(0, 9),
    cuts=st.lists(st.integers(1, 40), min_size=1, max_size=10),
)
def test_each_epoch_has_each_record_once_and_nothing_held_out(
    size: int, held: set[int], seed: int, cuts: list[int]
) -> None:
    held_out = sorted(number for number in held if number < size)
    if len(held_out) == size:
        return
    training = sorted(set(range(size)) - set(held_out))
    stream = Stream.of(seed, [split(size, *held_out)], 0.7)
    whole = stream.places(0, 3 * len(training))
    for epoch in range(3):
        part = slice(epoch * len(training), (epoch + 1) * len(training))
        assert sorted(whole.record[part].tolist()) == training
        assert set(whole.epoch[part].tolist()) == {epoch}
    start = 0
    for length in cuts:  # slices of any length, wherever they begin
        stop = min(start + length, len(whole.record))
        assert stream.places(start, stop).record.tolist() == whole.record[start:stop].tolist()
        start = stop


def test_orders_of_two_epochs_differ() -> None:
    places = Stream.of(1, [split(100)], 0.7).places(0, 200)
    assert places.record[:100].tolist() != places.record[100:].tolist()


@pytest.mark.parametrize("sizes", [(1000, 100), (50, 0, 7), (3,), (10**7, 10**4, 10**2)])
def test_quotas_follow_the_exponent(sizes: tuple[int, ...]) -> None:
    found = quotas(sizes, 0.7)
    assert sum(found) == sum(sizes)
    shares = np.array(sizes, float) ** 0.7 * (np.array(sizes) > 0)
    assert np.allclose(found, shares / shares.sum() * sum(sizes), atol=1)


def test_a_mixture_goes_through_every_corpus_evenly() -> None:
    stream = Stream.of(3, [split(1000), split(50)], 0.7)
    places = stream.places(0, 40 * stream.epoch_size)
    for corpus, size in enumerate((1000, 50)):
        mine = places.corpus == corpus
        assert mine.sum() == 40 * stream.quotas[corpus]
        seen = np.bincount(places.record[mine], minlength=size)
        # Each record as often as any other but for the round that is going on.
        assert seen.max() - seen.min() <= 1
        rounds = places.epoch[mine]
        for turn in range(int(rounds.max())):
            assert sorted(places.record[mine][rounds == turn].tolist()) == list(range(size))
    first = places.corpus[: stream.epoch_size]
    assert 0 < np.flatnonzero(first == 1)[0] < 50 and first.tolist() != sorted(first.tolist())


def test_held_out_pages_do_not_depend_on_others() -> None:
    pages = np.arange(-50, 100_000, dtype=np.int64)
    out = is_held_out(pages, 0.01)
    assert 800 < out.sum() < 1200
    assert out[::-1].tolist() == is_held_out(pages[::-1], 0.01).tolist()
    more = is_held_out(pages, 0.02)
    assert (more | ~out).all() and more.sum() > out.sum()
    assert not is_held_out(pages, 0.0).any()
