"""Splits that a benchmark lacks, made of one it has: by a hash, so that they are the same everywhere and always.

Within each relation examples are ordered by the SHA-256 of their text (then their id), and cut at exact shares: every
relation has its share in every part, no seed is drawn, and the order of the file changes nothing. Cuts are rounded up,
so that a relation with one example has it in the first part, train. Examples of one text and relation stand together,
hence mostly in one part.
"""

from collections import defaultdict
from collections.abc import Sequence
from hashlib import sha256

from wikiprep.tasks.examples import RelationExample


def cut_by_hash(examples: Sequence[RelationExample], shares: Sequence[int]) -> list[list[RelationExample]]:
    """A part a share (per cent, together 100), each in the order given. A cut is at ceil(n x shares so far / 100)."""
    if sum(shares) != 100 or min(shares) < 0:
        raise ValueError(f"shares are per cent: {shares}")
    by_label: dict[str, list[int]] = defaultdict(list)
    for index, example in enumerate(examples):
        by_label[example.label].append(index)
    parts: list[list[int]] = [[] for _ in shares]
    for indices in by_label.values():
        indices.sort(key=lambda index: (_hash(examples[index].text), examples[index].id))
        so_far = 0
        for part, share in zip(parts, shares, strict=True):
            begin = -(-len(indices) * so_far // 100)
            so_far += share
            part.extend(indices[begin : -(-len(indices) * so_far // 100)])
    return [[examples[index] for index in sorted(part)] for part in parts]


def _hash(text: str) -> bytes:
    return sha256(text.encode("utf-8", "surrogatepass")).digest()
