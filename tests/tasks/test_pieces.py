"""Text with markers as token ids: pieces are encoded on their own, and spans are where their tokens are."""

from functools import cache
from pathlib import Path

import pytest
from hypothesis import given
from hypothesis import strategies as st

from wikiprep.corpus.tokenizers import load_tokenizer
from wikiprep.tasks.pieces import Pieces

TOKENIZER = Path(__file__).parents[2] / "wikiprep/sample/tokenizer/tokenizer.json"


@pytest.fixture(scope="module")
def pieces() -> Pieces:
    return Pieces(load_tokenizer(TOKENIZER), ("[HEAD]", "[TAIL]"), "the sample's")


@cache
def _pieces(*markers: str) -> Pieces:
    """For many examples: to load a tokenizer takes longer than to encode with it."""
    return Pieces(load_tokenizer(TOKENIZER), markers, "the sample's")


def decoded(pieces: Pieces, ids: list[int]) -> str:
    names = {number: name for name, number in pieces.markers.items()}
    return "|".join(names.get(number) or pieces._plain.decode([number]) for number in ids)


def test_markers_stand_around_mentions_and_belong_to_their_spans(pieces: Pieces) -> None:
    made = pieces.marked("Mars, the planet", ((0, 4), (10, 16)), ("[HEAD]", "[TAIL]"))
    first, second = (made.ids[start:end] for start, end in made.spans)
    assert first == [pieces.markers["[HEAD]"], *pieces.encode("Mars"), pieces.markers["[HEAD]"]]
    assert second == [pieces.markers["[TAIL]"], *pieces.encode("planet"), pieces.markers["[TAIL]"]]
    assert made.ids == [*first, *pieces.encode(", the"), *second]


def test_pieces_are_encoded_as_behind_a_space(pieces: Pieces) -> None:
    glued = pieces.marked("(Mars)", ((1, 5),), (None,))
    assert glued.ids == [*pieces.encode("("), *pieces.encode("Mars"), *pieces.encode(")")]
    as_in_text = pieces.marked("(Mars)", ((1, 5),), (None,), spaced=False)
    assert as_in_text.ids != glued.ids
    assert as_in_text.ids[: len(pieces.encode("("))] == pieces.encode("(")
    assert decoded(pieces, as_in_text.ids).replace("|", "").strip() == "(Mars)"


def test_strings_become_markers_where_they_stand(pieces: Pieces) -> None:
    made = pieces.marked("the @placeholder moon", (), (), replaced={"@placeholder": "[TAIL]"})
    assert made.ids == [*pieces.encode("the"), pieces.markers["[TAIL]"], *pieces.encode("moon")]


def test_nested_and_touching_spans_keep_their_markers_in_order(pieces: Pieces) -> None:
    made = pieces.marked("red planet", ((0, 10), (4, 10)), ("[HEAD]", "[TAIL]"))
    head, tail = pieces.markers["[HEAD]"], pieces.markers["[TAIL]"]
    assert made.ids == [head, *pieces.encode("red"), tail, *pieces.encode("planet"), tail, head]
    assert made.spans[0] == (0, len(made.ids)) and made.spans[1][1] == len(made.ids) - 1
    touching = pieces.marked("redplanet", ((0, 3), (3, 9)), ("[HEAD]", "[TAIL]"))
    assert touching.ids == [head, *pieces.encode("red"), head, tail, *pieces.encode("planet"), tail]


@given(st.text(st.characters(codec="utf-8", exclude_characters="\0\u2029"), min_size=1, max_size=40), st.data())
def test_spans_hold_the_tokens_of_their_text(text: str, data: st.DataObject) -> None:
    pieces = _pieces("[HEAD]")
    cuts = sorted(data.draw(st.lists(st.integers(0, len(text)), min_size=2, max_size=2, unique=True)))
    made = pieces.marked(text, ((cuts[0], cuts[1]),), ("[HEAD]",))
    start, end = made.spans[0]
    assert made.ids[start] == made.ids[end - 1] == pieces.markers["[HEAD]"]
    assert made.ids[start + 1 : end - 1] == pieces.encode(text[cuts[0] : cuts[1]])
    assert made.ids[:start] == pieces.encode(text[: cuts[0]])
    assert made.ids[end:] == pieces.encode(text[cuts[1] :])


@given(st.text(st.characters(codec="utf-8", exclude_characters="\0"), max_size=60))
def test_places_of_tokens_lie_within_the_text_in_order(text: str) -> None:
    pieces = _pieces()
    ids, places = pieces.encode_with_offsets(text)
    assert len(ids) == len(places)
    assert all(0 <= start <= end <= len(text) for start, end in places)
    assert [start for start, _ in places] == sorted(start for start, _ in places)
    covered = {n for start, end in places for n in range(start, end)}
    assert all(n in covered for n, letter in enumerate(text) if not letter.isspace())
