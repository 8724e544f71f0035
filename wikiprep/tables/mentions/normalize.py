"""What makes two strings the same name.

The normal form is NFC, with every run of white space as one space, none at the ends, and case kept: "New  York" and
"New\\u00a0York" are one name, "apple" and "Apple" are two. The folded form is the normal form without case. White space
is what `str.isspace` says: spaces of any width, no-break ones, tabs, line ends; not the zero-width ones, which are not
white space to Unicode. Underscores stay: titles reach this room with spaces.
"""

from unicodedata import normalize

EMPTY = "empty"
NO_LETTER_OR_DIGIT = "no_letter_or_digit"
LONE_SURROGATE = "lone_surrogate"
REFUSALS = (EMPTY, NO_LETTER_OR_DIGIT, LONE_SURROGATE)


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
    if any("\ud800" <= character <= "\udfff" for character in name):
        return LONE_SURROGATE  # no such string can be written as UTF-8
    return None


def is_name(name: str) -> bool:
    """Whether a normal form can be counted as a name: it holds a letter or a digit, and can be written."""
    return refusal(name) is None
