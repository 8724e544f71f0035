"""What makes two strings the same name.

The normal form is NFC, with every run of white space as one space, none at the ends, and case kept: "New  York" and
"New\\u00a0York" are one name, "apple" and "Apple" are two. The folded form is the normal form without case. White space
is what `str.isspace` says: spaces of any width, no-break ones, tabs, line ends; not the zero-width ones, which are not
white space to Unicode. Underscores stay: titles reach this room with spaces.

The loose form has one sign for what keyboards, word processors and typesetters write in several: apostrophes, quotes,
hyphens, widths. `O’Brien` and `O'Brien` stay two names: a span of text is counted as it is written. It is for looking
up, where who asks cannot know which of the signs the wiki has: `loosen` maps them to ASCII, and takes out what is not
seen. Signs that tell words apart in some language stay: the joiners of Persian and of Indic scripts, the Hawaiian and
Arabic letters only become apostrophes where nothing is found as it is written.
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
SOFT_HYPHEN = "\u00ad"
_SIGNS = {
    "'": (
        "\u2018\u2019\u201a\u201b\u2039\u203a"  # single quotation marks, of which the second is the apostrophe
        "\u02b9\u02bb\u02bc\u02bd\u02be\u02bf\ua78b\ua78c\u055a\u05f3"  # letters: okina, half rings, saltillo, geresh
        "\u00b4`\u2032\u2035\uff07\uff40"  # accents and primes in their place
    ),
    '"': "\u201c\u201d\u201e\u201f\u00ab\u00bb\u2033\u2036\u301d\u301e\u301f\u02ee\u05f4\uff02",
    "-": (
        "\u2010\u2011\u2012\u2013\u2014\u2015\u2212"  # hyphen, no-break one, figure, en and em dash, bar, minus
        "\u02d7\u2043\u058a\u05be\u1806\u2e3a\u2e3b\ufe58\ufe63\uff0d\ufe31\ufe32"
    ),
    "~": "\u301c\u223c\u02dc",  # the wave dash, which Windows writes as a full-width tilde
    "=": "\u30a0",
    "/": "\u2044\u2215",
    "...": "\u2026",
    "": SOFT_HYPHEN + "\u200b\u200e\u200f\u2060\ufeff\ufe0e\ufe0f"  # no width: breaks, marks of direction, of emoji
    + "".join(map(chr, (*range(0x202A, 0x202F), *range(0x2066, 0x206A)))),
}  # fmt: skip
_WIDE = (*range(0xFF01, 0xFF5F), *range(0xFF61, 0xFFA0), *range(0xFFE0, 0xFFE3))  # forms of another width
_TABLE = {code: normalize("NFKC", chr(code)) for code in _WIDE}


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


_TABLE |= {ord(sign): plain for plain, signs in _SIGNS.items() for sign in signs}


def loosen(form: str) -> str:
    """A normal or folded form with each sign in its plainest writing; idempotent, and a form of the same kind."""
    if form.isascii() and "`" not in form:
        return form
    return " ".join(normalize("NFC", form.translate(_TABLE)).split())


def plain_name(text: str) -> str:
    """The normal form, loosened: what names have in common that differ in signs alone. Case kept."""
    return loosen(normal_name(text))


def loose_name(text: str) -> str:
    """The folded form, loosened: what names have in common that differ in signs and case."""
    return loosen(folded_name(text))


def readings(text: str) -> list[str]:
    """What a text may be meant as, the likeliest first: a soft hyphen is not seen, or stands where a hyphen should."""
    return [text, text.replace(SOFT_HYPHEN, "-")] if SOFT_HYPHEN in text else [text]
