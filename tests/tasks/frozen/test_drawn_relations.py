"""Which relations and pairs are clustered."""

from collections import Counter

import pytest

from wikiprep.errors import UsageError
from wikiprep.tasks.examples import RelationExample
from wikiprep.tasks.frozen.drawn_relations import draws_of, labels_named
from wikiprep.tasks.frozen.items import OVERLAP, TWICE, TextItem, pair_items

ITEMS = [TextItem(f"{label}{n}", f"text {label}{n}", ((0, 1), (2, 3)), label) for label in "abcdef" for n in range(3)]


def test_draws_differ_and_do_not_depend_on_the_order_of_the_items() -> None:
    draws = draws_of(ITEMS, 4, 5, 7)
    assert len({draw.labels for draw in draws}) == 5 and all(len(draw.labels) == 4 for draw in draws)
    assert [draw.seed for draw in draws] == [7, 8, 9, 10, 11]
    assert all({ITEMS[place].label for place in draw.places} == set(draw.labels) for draw in draws)
    turned = ITEMS[::-1]
    again = draws_of(turned, 4, 5, 7)
    assert [draw.labels for draw in again] == [draw.labels for draw in draws]
    assert [{turned[p].id for p in draw.places} for draw in again] == [{ITEMS[p].id for p in d.places} for d in draws]
    assert [draw.labels for draw in draws_of(ITEMS, 4, 5, 8)] != [draw.labels for draw in draws]


def test_texts_in_which_a_pair_has_several_of_the_labels_are_left_out_and_counted() -> None:
    both = [TextItem("x", "New text", ((0, 3), (4, 8)), "a"), TextItem("y", "New text", ((0, 3), (4, 8)), "b")]
    other = TextItem("z", "New text", ((4, 8), (0, 3)), "a")  # of the same text: the other direction
    (draw,) = draws_of([*ITEMS, *both, other], 2, 1, 1, ["b", "a"])
    assert (draw.labels, draw.places) == (("a", "b"), tuple(range(6)))
    assert (draw.ambiguous_texts, draw.ambiguous_items) == (1, 3)
    (draw,) = draws_of([*ITEMS, *both, other], 2, 1, 1, ["a", "c"])  # b is not drawn: nothing is ambiguous
    assert (len(draw.places), draw.ambiguous_texts) == (8, 0)


def test_pairs_that_overlap_or_come_again() -> None:
    one = RelationExample("1", "New York City", (0, 8), (9, 13), "r")
    within = RelationExample("2", "New York City", (0, 8), (0, 13), "r")
    again = RelationExample("3", "New York City", (0, 8), (9, 13), "r")
    left_out: Counter[str] = Counter()
    (item,) = pair_items([one, within, again], "train/", left_out)
    assert (item.id, item.words) == ("train/1", "New York → City")
    assert left_out == {OVERLAP: 1, TWICE: 1}


def test_what_cannot_be_drawn() -> None:
    with pytest.raises(UsageError, match="7 of 6 labels cannot be drawn"):
        draws_of(ITEMS, 7, 1, 1)
    with pytest.raises(UsageError, match="16 different draws of 4 of 6 labels: there are 15"):
        draws_of(ITEMS, 4, 16, 1)
    assert len(draws_of(ITEMS, 4, 15, 1)) == 15


def test_labels_by_their_last_part() -> None:
    known = ["/people/person/place_lived", "/location/country/capital", "/x/capital", "P26"]
    assert labels_named(["place_lived", "P26"], known) == ["/people/person/place_lived", "P26"]
    with pytest.raises(UsageError, match=r"capital is /location/country/capital and /x/capital"):
        labels_named(["capital"], known)
    with pytest.raises(UsageError, match=r"lived is no label of the set\n  labels are .*P26"):
        labels_named(["lived", "P26"], known)
    with pytest.raises(UsageError, match="two different ones"):
        labels_named(["P26"], known)
