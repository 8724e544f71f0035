"""The cut into micro-batches: every record once, the same number for each rank, within the limits, little padding."""

from hypothesis import given
from hypothesis import strategies as st

from wikiprep.pretrain.data.micro_batches import Cut, MicroBatch, Sizes, micro_batches, padded

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
        assert len(lengths) <= 1 or padded(lengths) <= tokens
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
    assert padded([(510, 5), (400, 100)]) == 2 * (512 + 104)
    assert padded([(8,)]) == 8 and padded([]) == 0


@given(sizes=SIZES, world=st.integers(1, 4))
def test_the_largest_come_first(sizes: list[Sizes], world: int) -> None:
    steps = micro_batches(sizes, world, Cut(200))
    longest = [max((sum(sizes[r]) for batch in step for r in batch.records), default=0) for step in steps]
    assert longest == sorted(longest, reverse=True)


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
                whole += padded(row_lengths(batch, sizes))
        assert sum(map(sum, sizes)) / whole > least
