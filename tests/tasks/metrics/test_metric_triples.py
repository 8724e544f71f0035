import pytest

from wikiprep.tasks.metrics.counts import Counts
from wikiprep.tasks.metrics.triples import triple_counts

GOLD = [{("Io", "moon of", "Jupiter"), ("Galileo Galilei", "found", "Io")}, set()]


def test_exact_and_partial() -> None:
    found = [{("Io", "moon of", "Jupiter"), ("Galileo", "found", "Io")}, {("x", "r", "y")}]
    assert triple_counts(GOLD, found) == Counts(1, 3, 2)
    assert triple_counts(GOLD, found, "first") == Counts(2, 3, 2)
    assert triple_counts(GOLD, found, "last") == Counts(1, 3, 2)


def test_the_other_way_round_is_wrong_and_other_sentences_do_not_count() -> None:
    assert triple_counts(GOLD, [{("Jupiter", "moon of", "Io")}, {("Io", "moon of", "Jupiter")}]).correct == 0


def test_nothing() -> None:
    assert triple_counts(GOLD, [set(), set()]) == Counts(0, 0, 2)
    assert triple_counts([{("", "r", " ")}], [{("", "r", " ")}], "last") == Counts(1, 1, 1)


def test_bad_arguments() -> None:
    with pytest.raises(ValueError, match="not 'partial'"):
        triple_counts(GOLD, GOLD, "partial")  # type: ignore[arg-type]
    with pytest.raises(ValueError, match="2 gold"):
        triple_counts(GOLD, [])
