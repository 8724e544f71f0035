"""What is left where a template or formula stood: no debris of punctuation, and no more is taken than that."""

import pytest

from wikiprep.wikitext.cleanup import close_placeholders, joins_of
from wikiprep.wikitext.control_marks import PLACEHOLDER


@pytest.mark.parametrize(
    ("written", "read"),
    [
        ("(a ; _, b)", "(a, b)"),
        ("(a, _; b)", "(a; b)"),
        ("(_; a ; b)", "(a ; b)"),
        ("the loss function: _, where x", "the loss function:, where x"),
        ("a – _, b", "a, b"),
        ("from a – b, _, c", "from a – b, c"),
        ("a : b, c – d", "a : b, c – d"),
        ("ratio 3 : 4, see (a ; b)", "ratio 3 : 4, see (a ; b)"),
    ],
)
def test_debris_beside_holes(written: str, read: str) -> None:
    assert close_placeholders(written.replace("_", PLACEHOLDER)) == read


@pytest.mark.parametrize(
    ("language", "written", "read"),
    [
        ("en", "(_ or _) a", "a"),
        ("en", "(_ or b) and (_ and _), c", "(b) and, c"),
        ("de", "(_ oder _) a", "a"),
        ("ru", "(_ и b) a", "(b) a"),
        ("lv", "(a vai _) b", "(a) b"),
        ("fi", "(_ ja _) a", "a"),
        ("es", "(_ e _) a", "a"),
        ("hi", "(_ या _) a", "a"),
        ("ar", "(_ و_) a", "a"),
        ("he", "(_ או _) a", "a"),
        ("ltg", "(_ i _) a", "a"),
        ("zh", "（_和_）一", "一"),
        ("ja", "（_や_）一", "一"),
        ("th", "(_และ_) a", "a"),
        ("en", "(_ ja _) a", "(ja) a"),  # a word of another language is a word
        ("de", "(_ i b) a", "(i b) a"),
    ],
)
def test_conjunctions_of_the_language(language: str, written: str, read: str) -> None:
    shown = close_placeholders(written.replace("_", PLACEHOLDER), joins_of(language))
    assert " ".join(shown.split()) == read
