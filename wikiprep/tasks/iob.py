"""Tags of words and the chunks that they mean (Ramshaw and Marcus 1995; Tjong Kim Sang and Veenstra 1999).

IOB2: B- begins each chunk. IOB1: I- does, and B- only where two chunks of a type are neighbours. One rule reads both,
that of conlleval: a chunk begins at B-, and at an I- behind O or behind another type.
"""

from collections.abc import Iterable, Sequence
from typing import NamedTuple


class Chunk(NamedTuple):
    """Words [start, end) of a sentence are one mention of a type."""

    start: int
    end: int
    type: str


def chunks_of(tags: Sequence[str]) -> list[Chunk]:
    """The chunks of a sentence, in order. Tags are O, B-TYPE and I-TYPE; raises ValueError for others."""
    chunks: list[Chunk] = []
    start, kind = 0, ""
    for place, tag in enumerate((*tags, "O")):
        sign, _, chunk_type = tag.partition("-")
        if (sign not in ("B", "I") or not chunk_type) and tag != "O":
            raise ValueError(f"no tag: {tag!r}")
        if kind and (sign != "I" or chunk_type != kind):
            chunks.append(Chunk(start, place, kind))
            kind = ""
        if chunk_type and not kind:
            start, kind = place, chunk_type
    return chunks


def iob2_of(chunks: Iterable[Chunk], length: int) -> list[str]:
    """The tags of a sentence of that many words. Raises ValueError for chunks that overlap or lie outside."""
    tags = ["O"] * length
    for start, end, kind in chunks:
        if not 0 <= start < end <= length or any(tag != "O" for tag in tags[start:end]):
            raise ValueError(f"chunk [{start}, {end}) overlaps another or lies outside {length} words")
        tags[start:end] = [f"B-{kind}", *[f"I-{kind}"] * (end - start - 1)]
    return tags
