"""Tags and chunks: one rule for IOB1 and IOB2, and the way back."""

import pytest
from hypothesis import given
from hypothesis import strategies as st

from wikiprep.tasks.iob import Chunk, chunks_of, iob2_of

KINDS = st.sampled_from(["PER", "LOC", "creative-work"])
TAGS = st.lists(st.one_of(st.just("O"), st.builds("{}-{}".format, st.sampled_from("BI"), KINDS)), max_size=12)


def test_by_hand() -> None:
    assert chunks_of([]) == []
    assert chunks_of(["I-PER", "B-PER", "I-PER", "I-LOC", "O", "I-LOC"]) == [
        Chunk(0, 1, "PER"),
        Chunk(1, 3, "PER"),
        Chunk(3, 4, "LOC"),
        Chunk(5, 6, "LOC"),
    ]
    assert chunks_of(["B-creative-work", "I-creative-work"]) == [Chunk(0, 2, "creative-work")]


@given(TAGS)
def test_chunks_are_in_order_apart_and_come_back(tags: list[str]) -> None:
    chunks = chunks_of(tags)
    ends = [0, *(chunk.end for chunk in chunks)]
    assert all(end <= chunk.start < chunk.end <= len(tags) for end, chunk in zip(ends, chunks, strict=False))
    covered = {place for chunk in chunks for place in range(chunk.start, chunk.end)}
    assert covered == {place for place, tag in enumerate(tags) if tag != "O"}
    assert chunks_of(iob2_of(chunks, len(tags))) == chunks


@pytest.mark.parametrize("tag", ["X-PER", "B-", "B", "I", "PER", "o", "", "O-PER", "E-PER"])
def test_what_is_no_tag(tag: str) -> None:
    with pytest.raises(ValueError, match="no tag"):
        chunks_of([tag])


@pytest.mark.parametrize("chunks", [[(0, 2, "a"), (1, 3, "a")], [(0, 9, "a")], [(1, 1, "a")], [(-1, 1, "a")]])
def test_chunks_that_cannot_be(chunks: list[tuple[int, int, str]]) -> None:
    with pytest.raises(ValueError, match="overlaps another or lies outside"):
        iob2_of([Chunk(*chunk) for chunk in chunks], 3)
