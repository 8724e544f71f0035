"""Pieces and their markers; passages in windows, and sequences cut around what must be seen."""

from functools import cache
from pathlib import Path

import pytest
from hypothesis import given
from hypothesis import strategies as st

from wikiprep.corpus.tokenizers import load_tokenizer
from wikiprep.tasks.pieces import Pieces, best_window, window, windows_of

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


@given(st.integers(1, 400), st.integers(1, 120), st.integers(1, 150))
def test_windows_cover_every_token(length: int, room: int, stride: int) -> None:
    windows = windows_of(length, room, stride)
    assert all(0 <= start < end <= length and end - start <= room for start, end in windows)
    assert [start for start, _ in windows] == [n * min(room, stride) for n in range(len(windows))]
    seen = {token for start, end in windows for token in range(start, end)}
    assert seen == set(range(length))


def test_a_token_is_taken_where_its_poorer_side_has_most() -> None:
    windows = windows_of(20, 10, 4)  # 0-10, 4-14, 8-18, 12-20
    assert windows == [(0, 10), (4, 14), (8, 18), (12, 20)]
    assert best_window(windows, 0) == 0
    assert best_window(windows, 9) == 1  # five and four tokens around it, in the others one at the poorer side
    assert best_window(windows, 13) == 2
    assert best_window(windows, 19) == 3


@given(st.data())
def test_a_cut_keeps_all_spans_and_as_many_tokens_as_fit(data: st.DataObject) -> None:
    length = data.draw(st.integers(1, 300))
    start = data.draw(st.integers(0, length - 1))
    end = data.draw(st.integers(start + 1, length))
    most = data.draw(st.integers(1, 300))
    cut = window(length, [(start, end)], most)
    if length <= most:
        assert cut == (0, length)
    elif end - start > most:
        assert cut is None
    else:
        assert cut is not None
        assert 0 <= cut[0] <= start and end <= cut[1] <= length
        assert cut[1] - cut[0] == most
        before, behind = start - cut[0], cut[1] - end
        # Even on both sides, but where one has no more to give.
        assert abs(before - behind) <= 1 or cut[0] == 0 or cut[1] == length


def test_spans_too_far_apart_have_no_cut() -> None:
    assert window(100, [(0, 2), (90, 92)], 50) is None
