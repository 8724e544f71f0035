"""One sign for what keyboards, word processors and typesetters write in several: apostrophes, quotes, hyphens, widths.

`O’Brien` and `O'Brien` stay two names (normalize.py): a span of text is counted as it is written. This is for looking
up, where who asks cannot know which of the signs the wiki has: `loosened` maps them to ASCII, and takes out what is not
seen. Signs that tell words apart in some language stay: the joiners of Persian and of Indic scripts, the Hawaiian and
Arabic letters only become apostrophes where nothing is found as it is written.
"""

from unicodedata import normalize

from wikiprep.tables.mentions.normalize import folded_name, normal_name

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
