"""How a global batch is cut into micro-batches for ranks and accumulation steps: a pure function of the records' sizes.

Records of like size come together, so that little is padding: over a global batch of 2,048 the sort needs no plan of
the epoch, and what is in a global batch stays as the stream gave it. With `pack`, several records share a sequence (the
family keeps them apart by a mask). Every rank gets the same number of micro-batches, all ranks those of like size at
the same time, the largest first: what does not fit into memory shows at once.
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
    """`tokens`: padded positions of a micro-batch at most; `sequences` likewise, 0 for any number. `pack`: length of a
    sequence that records are packed into, 0 for one record a sequence."""

    tokens: int
    sequences: int = 0
    pack: int = 0


def micro_batches(sizes: Sequence[Sizes], world: int, cut: Cut) -> list[list[MicroBatch]]:
    """For each accumulation step the micro-batch of every rank. Every record is in exactly one; a record that is longer
    than `cut.tokens` is a micro-batch of its own. A rank has an empty one only where there are too few records."""
    groups = _groups(_sequences(sizes, cut.pack), cut)
    groups = _multiple_of(world, groups)
    batches = [_micro_batch(group) for group in groups]
    return [batches[start : start + world] for start in range(0, len(batches), world)]


def padded(sizes: Iterable[Sizes]) -> int:
    """Positions of a batch of sequences: each kind is as wide as the longest needs it, and the longest of one kind need
    not be that of another."""
    rows = list(sizes)
    return _positions(tuple(max(kind) for kind in zip(*rows, strict=True)), len(rows))


def _positions(widths: Sizes, rows: int) -> int:
    return rows * sum(-(-width // WIDTH_MULTIPLE) * WIDTH_MULTIPLE for width in widths)


_Sequence = tuple[Sizes, list[int]]  # positions it takes, records


def _sequences(sizes: Sequence[Sizes], pack: int) -> list[_Sequence]:
    """Longest first. Packing is best fit, decreasing: each record goes where it leaves the least room."""
    order = sorted(range(len(sizes)), key=lambda record: (-sum(sizes[record]), record))
    if not pack:
        return [(sizes[record], [record]) for record in order]
    made: list[_Sequence] = []
    by_room: dict[int, list[int]] = {}  # free positions -> sequences (a heap of their numbers)
    for record in order:
        size = sum(sizes[record])
        room = next((free for free in range(size, pack) if by_room.get(free)), None)
        if room is None:
            made.append((sizes[record], [record]))
            number, left = len(made) - 1, pack - size
        else:
            number, left = heapq.heappop(by_room[room]), room - size
            taken, records = made[number]
            made[number] = (tuple(map(sum, zip(taken, sizes[record], strict=True))), [*records, record])
        if left > 0:
            heapq.heappush(by_room.setdefault(left, []), number)
    return sorted(made, key=lambda sequence: (-sum(sequence[0]), sequence[1]))


def _groups(sequences: list[_Sequence], cut: Cut) -> list[list[_Sequence]]:
    groups: list[list[_Sequence]] = []
    widths: Sizes = ()  # of the last group
    for sequence in sequences:
        group = groups[-1] if groups else []
        wider = tuple(map(max, widths, sequence[0])) if group else sequence[0]
        fits = group and _positions(wider, len(group) + 1) <= cut.tokens
        if fits and not (cut.sequences and len(group) >= cut.sequences):
            group.append(sequence)
            widths = wider
        else:
            groups.append([sequence])
            widths = sequence[0]
    return groups


def _padded(group: list[_Sequence]) -> int:
    return padded(sizes for sizes, _ in group)


def _multiple_of(world: int, groups: list[list[_Sequence]]) -> list[list[_Sequence]]:
    """The same in order, cut further (the group of most positions first) until every rank has as many."""
    while len(groups) % world:
        divisible = [number for number, group in enumerate(groups) if len(group) > 1]
        if not divisible:
            groups = groups + [[] for _ in range(-len(groups) % world)]
            break
        widest = max(divisible, key=lambda number: (_padded(groups[number]), -number))
        half = (len(groups[widest]) + 1) // 2
        groups[widest : widest + 1] = [groups[widest][:half], groups[widest][half:]]
    return groups


def _micro_batch(group: list[_Sequence]) -> MicroBatch:
    pairs = [(record, row) for row, (_, records) in enumerate(group) for record in records]
    return MicroBatch(tuple(record for record, _ in pairs), tuple(row for _, row in pairs))
