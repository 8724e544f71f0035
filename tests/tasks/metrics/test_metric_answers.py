"""SQuAD's and ReCoRD's rules, case by case."""

import pytest

from wikiprep.tasks.metrics.answers import answer_scores, exact_match, normal_answer, token_f1


@pytest.mark.parametrize(
    ("text", "normal"),
    [
        ("The  Cat!", "cat"),
        ("a b, AN c", "b c"),
        ("theory of anatomy", "theory of anatomy"),  # articles are words, not letters
        ("U.S.A.", "usa"),
        ("the-cat", "thecat"),  # punctuation goes first
        ("a. b", "b"),
        ("“quoted”", "“quoted”"),  # only ASCII's marks are punctuation
        ("\tA\n", ""),
        ("", ""),
    ],
)
def test_normal_form(text: str, normal: str) -> None:
    assert normal_answer(text) == normal


def test_exact_match_takes_any_of_several_gold_answers() -> None:
    assert exact_match("the Broncos!", ["Denver Broncos", "Broncos"]) == 1
    assert exact_match("Denver", ["Denver Broncos", "Broncos"]) == 0
    assert exact_match("the", ["An"]) == 1  # nothing is left of both
    assert exact_match("x", []) == 0


def test_f1_is_of_multisets_and_the_best_over_gold() -> None:
    assert token_f1("Denver Broncos", ["Broncos"]) == pytest.approx(2 / 3)
    assert token_f1("Denver Broncos", ["New York", "Broncos of Denver", "Broncos"]) == pytest.approx(0.8)
    assert token_f1("to be to be", ["to be"]) == pytest.approx(2 * 0.5 * 1 / 1.5)
    assert token_f1("x", ["y"]) == 0
    assert token_f1("the", ["An"]) == 0  # as SQuAD 1.1's script: no common word
    assert token_f1("", ["y"]) == 0


def test_an_unanswered_question_counts_nothing() -> None:
    scores = answer_scores({"1": ["Paris"], "2": ["Rome"], "3": ["Oslo"], "4": ["Oslo"]}, {"1": "paris", "2": "Rome x"})
    assert scores.exact == 0.25
    assert scores.f1 == pytest.approx((1 + 2 / 3) / 4)
    assert (scores.questions, scores.unanswered) == (4, 2)
    assert answer_scores({}, {}).f1 == 0


def test_an_answer_to_no_question() -> None:
    with pytest.raises(ValueError, match="no question: 9"):
        answer_scores({"1": ["x"]}, {"9": "x"})
