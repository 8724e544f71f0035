"""How a global batch is cut into micro-batches for ranks and accumulation steps: a pure function of the records' sizes.

Records of like size come together, so that little is padding: over a global batch of 2,048 the sort needs no plan of
the epoch, and what is in a global batch stays as the stream gave it. With `pack`, several records share a sequence (the
family keeps them apart by a mask). Every rank gets the same number of micro-batches, as few as the limit allows and
then as even as they can be, all ranks those of like size at the same time, the largest first: what does not fit into
memory shows at once.
"""

import heapq
from collections.abc import Iterable, Sequence
from dataclasses import dataclass

from wikiprep.pretrain.family import WIDTH_MULTIPLE

Sizes = tuple[int, ...]  # positions of each kind (words, entities)


@dataclass(frozen=True)
class MicroBatch:
    """Records of a global batch by their place in it; `rows[i]` is the sequence of the i-th. `records` may be empty."""

    records: tuple[int, ...]
    rows: tuple[int, ...]


@dataclass(frozen=True)
class Cut:
    """`tokens`: padded positions of a micro-batch at most; `sequences` likewise, 0 for any number.

    `pack`: length of a sequence that records are packed into, 0 for one record a sequence.
    """

    tokens: int
    sequences: int = 0
    pack: int = 0


def micro_batches(sizes: Sequence[Sizes], world: int, cut: Cut) -> list[list[MicroBatch]]:
    """For each accumulation step the micro-batch of every rank.

    Every record is in exactly one; a record that is longer than `cut.tokens` is a micro-batch of its own. A rank has an
    empty one only where there are too few records.
    """
    groups = sorted(_even_groups(_sequences(sizes, cut.pack), world, cut), key=lambda group: -_padded_positions(group))
    batches = [_to_micro_batch(group) for group in groups]
    return [batches[start : start + world] for start in range(0, len(batches), world)]


def padded_positions(sizes: Iterable[Sizes]) -> int:
    """Positions of a batch of sequences.

    Each kind is as wide as the longest needs it, and the longest of one kind need not be that of another.
    """
    rows = list(sizes)
    return _positions(tuple(max(kind) for kind in zip(*rows, strict=True)), len(rows))


def _positions(widths: Sizes, rows: int) -> int:
    return rows * sum(-(-width // WIDTH_MULTIPLE) * WIDTH_MULTIPLE for width in widths)


_Sequence = tuple[Sizes, list[int]]  # positions it takes, records


def _sequences(sizes: Sequence[Sizes], pack: int) -> list[_Sequence]:
    """By what they take (`_by_width`). Packing is best fit, decreasing: each goes where it leaves the least room."""
    if not pack:
        return sorted(((record_sizes, [record]) for record, record_sizes in enumerate(sizes)), key=_by_width)
    order = sorted(range(len(sizes)), key=lambda record: (-sum(sizes[record]), record))
    sequences: list[_Sequence] = []
    by_room: dict[int, list[int]] = {}  # free positions -> sequences (a heap of their numbers)
    for record in order:
        size = sum(sizes[record])
        room = next((free for free in range(size, pack) if by_room.get(free)), None)
        if room is None:
            sequences.append((sizes[record], [record]))
            number, remaining = len(sequences) - 1, pack - size
        else:
            number, remaining = heapq.heappop(by_room[room]), room - size
            used, records = sequences[number]
            sequences[number] = (tuple(map(sum, zip(used, sizes[record], strict=True))), [*records, record])
        if remaining > 0:
            heapq.heappush(by_room.setdefault(remaining, []), number)
    return sorted(sequences, key=_by_width)


def _by_width(sequence: _Sequence) -> tuple[list[int], int, list[int]]:
    """The widest first, by the first kind as it is padded, then by the next: neighbours are alike in every kind.

    (By their sum, sequences of few entities stand beside such of many, and a fifth more is padding.)
    """
    widths, records = sequence
    return [-width // WIDTH_MULTIPLE for width in widths], -sum(widths), records


_Group = list[_Sequence]


def _fill_groups(sequences: list[_Sequence], tokens: int, max_rows: int) -> list[_Group]:
    """As many sequences in each, in order, as `tokens` padded positions and `max_rows` rows (0: any number) take."""
    groups: list[_Group] = []
    widths: Sizes = ()  # of the last group
    for sequence in sequences:
        group = groups[-1] if groups else []
        wider = tuple(map(max, widths, sequence[0])) if group else sequence[0]
        fits = group and _positions(wider, len(group) + 1) <= tokens
        if fits and not (max_rows and len(group) >= max_rows):
            group.append(sequence)
            widths = wider
        else:
            groups.append([sequence])
            widths = sequence[0]
    return groups


def _even_groups(sequences: list[_Sequence], world: int, cut: Cut) -> list[_Group]:
    """As few groups for each rank as the limit allows, and of these the smallest ones that can be.

    With the limit itself the last groups would be small, and ranks that have the others would be waited for: the
    positions of the largest group times the number of groups are what a global batch costs.
    """
    fewest = len(_fill_groups(sequences, cut.tokens, cut.sequences))
    group_count = -(-fewest // world) * world
    if group_count < len(sequences):
        # The smallest limit whose groups are not more than that: sizes of groups rise with it.
        low, high = 0, cut.tokens
        while high - low > WIDTH_MULTIPLE:
            middle = (low + high) // 2
            if len(_fill_groups(sequences, middle, cut.sequences)) > group_count:
                low = middle
            else:
                high = middle
        groups = _fill_groups(sequences, high, cut.sequences)
    else:
        groups = [[sequence] for sequence in sequences]
    return _cut_further(groups, group_count)


def _cut_further(groups: list[_Group], group_count: int) -> list[_Group]:
    """The same in order, the group of most positions halved until there are as many, then empty ones."""
    while len(groups) < group_count:
        divisible = [number for number, group in enumerate(groups) if len(group) > 1]
        if not divisible:
            return groups + [[] for _ in range(group_count - len(groups))]
        widest = max(divisible, key=lambda number: (_padded_positions(groups[number]), -number))
        half = (len(groups[widest]) + 1) // 2
        groups[widest : widest + 1] = [groups[widest][:half], groups[widest][half:]]
    return groups


def _padded_positions(group: _Group) -> int:
    return padded_positions(sizes for sizes, _ in group)


def _to_micro_batch(group: _Group) -> MicroBatch:
    pairs = [(record, row) for row, (_, records) in enumerate(group) for record in records]
    return MicroBatch(tuple(record for record, _ in pairs), tuple(row for _, row in pairs))
