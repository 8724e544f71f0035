"""What makes two strings the same name.

The normal form is NFC, with every run of white space as one space, none at the ends, and case kept: "New  York" and
"New\\u00a0York" are one name, "apple" and "Apple" are two. The folded form is the normal form without case. White space
is what `str.isspace` says: spaces of any width, no-break ones, tabs, line ends; not the zero-width ones, which are not
white space to Unicode. Underscores stay: titles reach this room with spaces.
"""

import re
from unicodedata import normalize

EMPTY = "empty"
NO_LETTER_OR_DIGIT = "no_letter_or_digit"
UNWRITABLE = "unwritable"
TOO_LONG = "too_long"
REFUSALS = (EMPTY, NO_LETTER_OR_DIGIT, UNWRITABLE, TOO_LONG)
LONGEST = 1000  # code points; titles have at most 255 bytes, and what is longer is a sentence that was linked

_UNWRITABLE = re.compile("[\0\ud800-\udfff]")


def normal_name(text: str) -> str:
    """The normal form of `text`, case kept. Idempotent; the empty string where there is only white space."""
    return " ".join(normalize("NFC", text).split())


def folded_name(text: str) -> str:
    """The normal form of `text` in Unicode's full case folding, NFC again. Idempotent, the same for normal forms."""
    return normalize("NFC", normal_name(text).casefold())


def refusal(name: str) -> str | None:
    """Why a normal form is no name, one of REFUSALS to be counted by; None for a name."""
    if not name:
        return EMPTY
    if not any(map(str.isalnum, name)):
        return NO_LETTER_OR_DIGIT
    if not is_writable(name):
        return UNWRITABLE
    return TOO_LONG if len(name) > LONGEST else None


def is_writable(text: str) -> bool:
    """Whether a trie can hold and find `text`: a lone surrogate is nothing in UTF-8, and look-ups end at a NUL."""
    return _UNWRITABLE.search(text) is None


def is_name(name: str) -> bool:
    """Whether a normal form can be counted as a name: it holds a letter or a digit, and is of sane length."""
    return refusal(name) is None
