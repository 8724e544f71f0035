"""Superscripts and subscripts as signs of Unicode, 10⁶ and H₂O, where all of one has such signs.

Digits, signs and n, i alone: the raised letters of Unicode are signs of phonetics, and nobody finds a text of them
(`1ᵉʳ`). Source of the signs: Unicode 15, "Superscripts and Subscripts" and Latin-1.
"""

import re

from wikiprep.wikitext.marks import NOTHING

_SIGNS = {
    "sup": dict(zip("0123456789+-−=()ni", "⁰¹²³⁴⁵⁶⁷⁸⁹⁺⁻⁻⁼⁽⁾ⁿⁱ", strict=True)),
    "sub": dict(zip("0123456789+-−=()", "₀₁₂₃₄₅₆₇₈₉₊₋₋₌₍₎", strict=True)),
}
_TAGS = re.compile(r"<(su[bp])(?:\s[^<>]*)?>([^<>\n]{1,64})</\1\s*>", re.IGNORECASE)


def signs_of(tag: str, text: str) -> str | None:
    """`text` of the element `tag` in signs, one for each character; None where it has none, or `tag` is another."""
    signs = _SIGNS.get(tag)
    if signs is None or not text or not all(character in signs for character in text):
        return None
    return "".join(signs[character] for character in text)


def with_signs(text: str) -> str:
    """Wikitext with signs in the place of `<sup>` and `<sub>` around what has them; others stay.

    Between the marks that tags leave: nothing else of the page reads otherwise, such as a target with a tag in it.
    """

    def signs(match: re.Match[str]) -> str:
        sign_text = signs_of(match[1].lower(), match[2])
        return match[0] if sign_text is None else f"{NOTHING}{sign_text}{NOTHING}"

    return _TAGS.sub(signs, text)
