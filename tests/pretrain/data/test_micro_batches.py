"""The cut into micro-batches: every record once, the same number for each rank, within the limits, little padding."""

from hypothesis import given
from hypothesis import strategies as st

from wikiprep.pretrain.data.micro_batches import Cut, MicroBatch, micro_batches

SIZES = st.lists(st.integers(1, 60), min_size=1, max_size=80)


@given(
    sizes=SIZES,
    world=st.integers(1, 8),
    tokens=st.integers(1, 300),
    sequences=st.integers(0, 5),
    pack=st.integers(0, 90),
)
def test_cut(sizes: list[int], world: int, tokens: int, sequences: int, pack: int) -> None:
    steps = micro_batches(sizes, world, Cut(tokens, sequences, pack))
    assert all(len(step) == world for step in steps)
    batches = [batch for step in steps for batch in step]
    assert sorted(record for batch in batches for record in batch.records) == list(range(len(sizes)))
    if any(not batch.records for batch in batches):  # starved ranks: only where there is nothing left to share out
        assert (
            all(max(batch.rows, default=0) == 0 for batch in batches) and len(steps) == 1 + (len(batches) - 1) // world
        )
    for batch in batches:
        lengths = row_lengths(batch, sizes)
        assert len(lengths) <= 1 or max(lengths) * len(lengths) <= tokens
        assert not sequences or len(lengths) <= sequences
        assert batch.rows == tuple(sorted(batch.rows)) and set(batch.rows) == set(range(len(lengths)))
        for row, length in enumerate(lengths):
            assert length <= pack or batch.rows.count(row) == 1


def row_lengths(batch: MicroBatch, sizes: list[int]) -> list[int]:
    lengths = [0] * (max(batch.rows, default=-1) + 1)
    for record, row in zip(batch.records, batch.rows, strict=True):
        lengths[row] += sizes[record]
    return lengths


@given(sizes=SIZES, world=st.integers(1, 4))
def test_the_largest_come_first(sizes: list[int], world: int) -> None:
    steps = micro_batches(sizes, world, Cut(200))
    longest = [max((sizes[r] for batch in step for r in batch.records), default=0) for step in steps]
    assert longest == sorted(longest, reverse=True)


def test_little_is_padding() -> None:
    sizes = [20 + (n * 7919) % 500 for n in range(2048)]
    for cut, least in ((Cut(8192), 0.95), (Cut(8192, 0, 600), 0.98)):
        padded = 0
        for step in micro_batches(sizes, 8, cut):
            for batch in step:
                lengths = row_lengths(batch, sizes)
                padded += max(lengths) * len(lengths)
        assert sum(sizes) / padded > least
