"""The cut into micro-batches: every record once, the same number for each rank, within the limits, little padding."""

from collections import Counter
from pathlib import Path

import numpy as np
import pytest
from hypothesis import given
from hypothesis import strategies as st

from wikiprep.pretrain.data.micro_batches import Cut, MicroBatch, Sizes, micro_batches, padded_positions

# Of words and entities, or of words alone.
SIZES = st.lists(st.tuples(st.integers(1, 60), st.integers(0, 30)), min_size=1, max_size=80) | st.lists(
    st.tuples(st.integers(1, 60)), min_size=1, max_size=80
)


@given(
    sizes=SIZES,
    world=st.integers(1, 8),
    tokens=st.integers(1, 300),
    sequences=st.integers(0, 5),
    pack=st.integers(0, 90),
)
def test_cut(sizes: list[Sizes], world: int, tokens: int, sequences: int, pack: int) -> None:
    cut = Cut(tokens, sequences, pack)
    steps = micro_batches(sizes, world, cut)
    assert steps == micro_batches(sizes, world, cut)
    assert all(len(step) == world for step in steps)
    batches = [batch for step in steps for batch in step]
    assert sorted(record for batch in batches for record in batch.records) == list(range(len(sizes)))
    if any(not batch.records for batch in batches):  # starved ranks: only where there is nothing left to share out
        assert (
            all(max(batch.rows, default=0) == 0 for batch in batches) and len(steps) == 1 + (len(batches) - 1) // world
        )
    for batch in batches:
        lengths = row_lengths(batch, sizes)
        assert len(lengths) <= 1 or padded_positions(lengths) <= tokens
        assert not sequences or len(lengths) <= sequences
        assert batch.rows == tuple(sorted(batch.rows)) and set(batch.rows) == set(range(len(lengths)))
        for row, length in enumerate(lengths):
            assert sum(length) <= pack or batch.rows.count(row) == 1


def row_lengths(batch: MicroBatch, sizes: list[Sizes]) -> list[Sizes]:
    """Of each sequence the positions of each kind."""
    lengths = [(0,) * len(sizes[0])] * (max(batch.rows, default=-1) + 1)
    for record, row in zip(batch.records, batch.rows, strict=True):
        lengths[row] = tuple(map(sum, zip(lengths[row], sizes[record], strict=True)))
    return lengths


def test_each_kind_is_as_wide_as_its_longest() -> None:
    assert padded_positions([(510, 5), (400, 100)]) == 2 * (512 + 104)
    assert padded_positions([(8,)]) == 8 and padded_positions([]) == 0


@given(sizes=SIZES, world=st.integers(1, 4))
def test_the_largest_come_first(sizes: list[Sizes], world: int) -> None:
    largest = [
        padded_positions(row_lengths(batch, sizes)) for step in micro_batches(sizes, world, Cut(200)) for batch in step
    ]
    assert largest == sorted(largest, reverse=True)


def test_little_is_padding() -> None:
    words = [(20 + (n * 7919) % 500,) for n in range(2048)]
    both = [(20 + (n * 7919) % 500, (n * 7919) % 100) for n in range(2048)]
    for sizes, cut, least in (
        (words, Cut(8192), 0.94),
        (words, Cut(8192, 0, 600), 0.98),
        (both, Cut(8192), 0.8),
    ):
        whole = 0
        for step in micro_batches(sizes, 8, cut):
            for batch in step:
                whole += padded_positions(row_lengths(batch, sizes))
        assert sum(map(sum, sizes)) / whole > least


@pytest.mark.parametrize("pack", [0, 512])
@pytest.mark.parametrize("world", [8, 16, 64])
def test_ranks_have_like_work_on_real_records(world: int, pack: int) -> None:
    """Useful positions over those of the slowest rank times the ranks: each step waits for its largest micro-batch."""
    lines = (Path(__file__).parents[2] / "data" / "record-sizes.tsv").read_text().splitlines()[1:]
    counted = Counter({(int(w), int(e)): int(n) for w, e, n in (line.split("\t") for line in lines)})
    every = list(counted.elements())
    for tokens in (8192, 16384, 32768):
        sizes = [every[number] for number in np.random.default_rng(tokens).integers(len(every), size=2048)]
        steps = micro_batches(sizes, world, Cut(tokens, 0, pack))
        taken = [[padded_positions(row_lengths(batch, sizes)) for batch in step] for step in steps]
        useful = sum(map(sum, sizes)) / (world * sum(map(max, taken)))
        assert useful > 0.92, f"{tokens} positions: {useful:.3f}"
        # Even groups are no more groups: a step less would not do, where a row less than the limit fits.
        row = padded_positions([max(sizes, key=sum)])
        assert (len(steps) - 1) * world * (tokens - row) < sum(map(sum, taken))
