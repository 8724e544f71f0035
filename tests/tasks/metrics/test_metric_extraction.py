"""conlleval's counts: by hand, and against seqeval on any tags. Triples by hand."""

import warnings

import pytest
from hypothesis import given
from hypothesis import strategies as st

from wikiprep.tasks.metrics.counts import Counts
from wikiprep.tasks.metrics.extraction import conlleval, span_counts, triple_counts

GOLD = [{("Io", "moon of", "Jupiter"), ("Galileo Galilei", "found", "Io")}, set()]


with warnings.catch_warnings():
    warnings.simplefilter("ignore")  # seqeval is of 2020
    from seqeval.metrics import f1_score, precision_score, recall_score

# Two sentences with noun and verb phrases: gold, predicted; the second has a verb phrase and a noun phrase cut in two.
PHRASES = [
    ("B-NP B-NP I-NP I-NP B-VP B-PP B-NP O", "B-NP B-NP I-NP I-NP B-VP B-PP B-NP O"),
    ("B-NP I-NP B-VP I-VP B-NP I-NP O", "B-NP I-NP B-VP B-VP B-NP B-NP O"),
]


def split(*sentences: str) -> list[list[str]]:
    return [sentence.split() for sentence in sentences]


def test_two_sentences_by_hand() -> None:
    gold, found = split(*(pair[0] for pair in PHRASES)), split(*(pair[1] for pair in PHRASES))
    everything, by_type, accuracy = conlleval(gold, found)
    assert everything == Counts(correct=6, predicted=10, gold=8)
    assert by_type == {"NP": Counts(4, 6, 5), "PP": Counts(1, 1, 1), "VP": Counts(1, 3, 2)}
    assert accuracy == 13 / 15
    assert everything.precision == 0.6 and everything.recall == 0.75


def test_start_end_and_type_must_be_right() -> None:
    gold = split("B-PER I-PER O B-LOC")
    for found in ("B-PER O O B-LOC", "O B-PER O B-LOC", "B-LOC I-LOC O B-LOC"):
        assert conlleval(gold, split(found))[0].correct == 1
    assert conlleval(gold, split("O O O O"))[0] == Counts(0, 0, 2)
    assert conlleval(gold, split("O O O O"))[0].f1 == 0


def test_both_kinds_of_iob_mean_the_same() -> None:
    gold = split("B-PER I-PER O B-LOC B-LOC")
    assert conlleval(gold, split("I-PER I-PER O I-LOC B-LOC"))[0] == Counts(3, 3, 3)
    assert conlleval(split("I-PER I-LOC"), split("B-PER B-LOC"))[0] == Counts(2, 2, 2)


def test_no_sentence_and_other_lengths() -> None:
    assert conlleval([], [])[0] == Counts() and conlleval([], [])[2] == 0
    with pytest.raises(ValueError, match="2 gold labels and 1 predictions"):
        conlleval(split("O O"), split("O"))
    with pytest.raises(ValueError, match="no tag: 'PER'"):
        conlleval(split("O"), split("PER"))


def test_spans_of_one_place_count_once() -> None:
    assert span_counts([[(0, 1, "LOC")]], [[(0, 1, "LOC"), (0, 1, "LOC"), (0, 1, "PER")]])[0] == Counts(1, 2, 1)


TAGS = st.sampled_from(["O", "B-PER", "I-PER", "B-LOC", "I-LOC", "I-a-b"])
SENTENCES = st.lists(st.lists(st.tuples(TAGS, TAGS), min_size=1, max_size=8), min_size=1, max_size=5)


@given(SENTENCES)
def test_equal_to_seqeval(pairs: list[list[tuple[str, str]]]) -> None:
    gold = [[pair[0] for pair in sentence] for sentence in pairs]
    found = [[pair[1] for pair in sentence] for sentence in pairs]
    counts = conlleval(gold, found)[0]
    theirs = [score(gold, found, zero_division=0) for score in (precision_score, recall_score, f1_score)]
    assert (counts.precision, counts.recall, counts.f1) == pytest.approx(theirs, abs=1e-12)


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
