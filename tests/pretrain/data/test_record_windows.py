"""The order that reads a few shards at a time: each record once an epoch, from any position, few shards at once."""

import numpy as np
import pytest
from hypothesis import given
from hypothesis import strategies as st

from wikiprep.pretrain.data import shard_windows
from wikiprep.pretrain.data.shard_windows import Mixture
from wikiprep.pretrain.data.stream import Stream
from wikiprep.records.held_out import Split


def split(*shards: int, held_out: tuple[int, ...] = ()) -> Split:
    return Split(sum(shards), np.array(held_out, np.int64), shards)


@given(
    shards=st.lists(st.integers(0, 9), min_size=1, max_size=12),
    held=st.sets(st.integers(0, 99), max_size=30),
    width=st.integers(1, 14),
    seed=st.integers(0, 9),
    cuts=st.lists(st.integers(1, 40), min_size=1, max_size=10),
)
def test_each_epoch_has_each_record_once_from_wherever_it_is_read(
    shards: list[int], held: set[int], width: int, seed: int, cuts: list[int]
) -> None:
    size = sum(shards)
    held_out = tuple(sorted(number for number in held if number < size))
    if len(held_out) == size:
        return
    training = sorted(set(range(size)) - set(held_out))
    stream = Stream.of(seed, [split(*shards, held_out=held_out)], 0.7, width)
    whole = stream.places(0, 3 * len(training))
    for epoch in range(3):
        part = slice(epoch * len(training), (epoch + 1) * len(training))
        assert sorted(whole.record[part].tolist()) == training
        assert set(whole.epoch[part].tolist()) == {epoch}
    start = 0
    for length in cuts:
        stop = min(start + length, len(whole.record))
        assert stream.places(start, stop).record.tolist() == whole.record[start:stop].tolist()
        start = stop


def test_few_shards_at_a_time_in_another_order_each_epoch(monkeypatch: pytest.MonkeyPatch) -> None:
    monkeypatch.setattr(shard_windows, "BLOCK", 50)
    corpora = [split(*[100] * 20), split(*[40] * 10)]
    stream = Stream.of(7, corpora, 1.0, 3)
    places = stream.places(0, 2 * stream.epoch_size)
    orders = []
    for corpus, rows in enumerate((100, 40)):
        shards = places.record[places.corpus == corpus] // rows
        for start in range(0, len(shards) - rows, rows // 2):  # half a shard's records: in two windows at most
            assert len(np.unique(shards[start : start + rows // 2])) <= 6
        assert max(len(np.unique(shards[start : start + rows])) for start in range(0, len(shards), rows)) > 2
        orders.append([shards[: 10 * rows].tolist(), shards[len(shards) // 2 :][: 10 * rows].tolist()])
    assert all(first != second for first, second in orders)
    evenly = [int((places.corpus[start : start + 100] == 1).sum()) for start in range(0, 2 * stream.epoch_size, 100)]
    assert min(evenly) >= 16 and max(evenly) <= 17  # a sixth of every two blocks


@given(quotas=st.lists(st.integers(0, 300), min_size=1, max_size=8), block=st.integers(1, 40))
def test_a_mixture_gives_each_corpus_its_turns_in_order(quotas: list[int], block: int) -> None:
    total = sum(quotas)
    if not total:
        return
    with pytest.MonkeyPatch.context() as patched:
        patched.setattr(shard_windows, "BLOCK", block)
        corpora, turns = Mixture(tuple(quotas)).turns(np.arange(total), (1, 0, 2))
    for corpus, quota in enumerate(quotas):
        mine = turns[corpora == corpus]
        assert sorted(mine.tolist()) == list(range(quota))
        assert (np.abs(mine - np.arange(quota)) < block).all()


def test_without_windows_shards_have_no_say() -> None:
    apart, one = (Stream.of(2, [of], 0.7).places(0, 90).record for of in (split(10, 20), split(30)))
    assert apart.tolist() == one.tolist()
    assert Stream.of(2, [split(10, 20)], 0.7, 1).places(0, 90).record.tolist() != one.tolist()
