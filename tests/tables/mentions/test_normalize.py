"""Normal forms of names: stated cases, and idempotence over all of Unicode."""

import sys
import unicodedata

import pytest
from hypothesis import given, settings
from hypothesis import strategies as st

from wikiprep.tables.mentions.normalize import REFUSALS, folded_name, is_name, normal_name, refusal

# Characters that compose, fold to several, or count as white space meet more often than in st.text() alone.
SPACES, MARKS = " \t\u00a0\u2000\u3000\u200b", "\u0301\u0308\u0323\u0345\u1161"
TRICKY = st.text(st.sampled_from(f"aAeEßſiİıςσΣŉǰﬁαΑᾳᾼΐκᲙᎠꭰ가ᄀ{SPACES}{MARKS}"))
ANY = st.one_of(TRICKY, st.text(st.characters()))


@pytest.mark.parametrize(
    ("text", "normal", "folded"),
    [
        ("New York", "New York", "new york"),
        ("  New\u00a0\u2009York\n", "New York", "new york"),
        ("Cafe\u0301", "Café", "café"),
        ("STRASSE", "STRASSE", "strasse"),
        ("Straße", "Straße", "strasse"),
        ("Ὀδυσσεύς", "Ὀδυσσεύς", "ὀδυσσεύσ"),
        ("\u212bngström", "Ångström", "ångström"),  # ANGSTROM SIGN is the letter
        ("東京\u3000都", "東京 都", "東京 都"),
        ("a\u200bb", "a\u200bb", "a\u200bb"),
        ("J\u030c", "J\u030c", "ǰ"),
        ("a_b", "a_b", "a_b"),
        ("", "", ""),
        (" \t\u3000", "", ""),
    ],
)
def test_stated_forms(text: str, normal: str, folded: str) -> None:
    assert normal_name(text) == normal
    assert folded_name(text) == folded


@settings(deadline=None)
@given(ANY)
def test_forms_are_idempotent_and_in_nfc(text: str) -> None:
    normal, folded = normal_name(text), folded_name(text)
    assert normal_name(normal) == normal
    assert folded_name(folded) == folded == folded_name(normal)
    assert normal_name(folded) == folded
    assert unicodedata.is_normalized("NFC", normal)
    assert unicodedata.is_normalized("NFC", folded)


@settings(deadline=None)
@given(ANY)
def test_equivalent_spellings_are_one_name(text: str) -> None:
    assert normal_name(unicodedata.normalize("NFD", text)) == normal_name(text)
    assert normal_name(f"\u2003{text.replace(' ', chr(0xA0) + ' ')}\t") == normal_name(text)


def test_every_character_alone_and_before_a_mark() -> None:
    for code in range(sys.maxunicode + 1):
        if unicodedata.category(chr(code)) in ("Cn", "Co", "Lo"):
            continue  # neither folds nor composes with what stands before it; TRICKY has some of Lo
        for text in (chr(code), f"a{chr(code)}\u0345\u0301"):
            for form in (normal_name, folded_name):
                once = form(text)
                assert form(once) == once, hex(code)


@pytest.mark.parametrize(
    ("text", "reason"),
    [
        ("", "empty"),
        (" \u3000", "empty"),
        ("...", "no_letter_or_digit"),
        ("\U0001f600", "no_letter_or_digit"),
        ("\u0301", "no_letter_or_digit"),
        ("a\ud800", "unwritable"),
        ("a\0", "unwritable"),
        ("x" * 1001, "too_long"),
        ("x" * 1000, None),
        ("C++", None),
        ("4", None),
        ("ⅷ", None),
        ("東", None),
        ("\u0e01\u0e34", None),
        ("𐍈", None),
    ],
)
def test_what_is_no_name(text: str, reason: str | None) -> None:
    name = normal_name(text)
    assert refusal(name) == reason
    assert is_name(name) == (reason is None)
    assert reason is None or reason in REFUSALS
