"""What is left where a template or formula stood: no debris of punctuation, and no more is taken than that."""

import pytest

from wikiprep.wikitext.cleanup import close_holes
from wikiprep.wikitext.marks import HOLE


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
    assert close_holes(written.replace("_", HOLE)) == read
