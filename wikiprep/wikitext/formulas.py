"""TeX of formulas as readable text: `a + bi` for `a + b\\mathrm{i}`, `(a + b)/2` for `\\frac{a + b}{2}`.

pylatexenc reads the TeX and knows its symbols (`tex_reader.py`); here is what it leaves ambiguous in one line: what
belongs to an index or an exponent. What cannot be read, or is longer than anyone would read, has no text.

Superscripts and subscripts outside of TeX become signs of Unicode, 10⁶ and H₂O, where all of one has such signs:
digits, signs and n, i alone. The raised letters of Unicode are signs of phonetics, and nobody finds a text of them
(`1ᵉʳ`). Source of the signs: Unicode 15, "Superscripts and Subscripts" and Latin-1.
"""

import functools
import re
from typing import TYPE_CHECKING

from wikiprep.wikitext.control_marks import NOTHING

if TYPE_CHECKING:
    from wikiprep.wikitext.tex_reader import TexReader

LONGEST = 5_000  # characters of TeX
DEEPEST = 60  # braces within braces
_CHEMISTRY = {"<=>": " ⇌ ", "<->": " ↔ ", "->": " → ", "<-": " ← "}
_ARROWS = re.compile("|".join(map(re.escape, _CHEMISTRY)))
_NO_DELIMITER = re.compile(r"\\(?:left|right|middle) *\.")
_SINGLE = re.compile(r"[^\W_]+|.|\\[a-zA-Z]+(?:\{[^{}]*\})?", re.DOTALL)  # needs no brackets, whatever stands beside it
_SCRIPT = re.compile(r"([_^]) *\{")
_RELATION = re.compile(r" *([≤≥≠≈≡∼≃≅∝∈∉∋⊂⊆⊃⊇∪∩∧∨→←↔⇒⇐⇔⇌↦×·±∓⊕⊗]) *")
_BEFORE_MARK = re.compile(r" +([,;:!?)\]]|\.(?!\d))")
_BEHIND_BRACKET = re.compile(r"([(\[]) +")
_OVER = re.compile(r"\{([^{}]*)\\over(?![a-zA-Z])([^{}]*)\}")
_SIGNS = {
    "sup": dict(zip("0123456789+-−=()ni", "⁰¹²³⁴⁵⁶⁷⁸⁹⁺⁻⁻⁼⁽⁾ⁿⁱ", strict=True)),
    "sub": dict(zip("0123456789+-−=()", "₀₁₂₃₄₅₆₇₈₉₊₋₋₌₍₎", strict=True)),
}
_TAGS = re.compile(r"<(su[bp])(?:\s[^<>]*)?>([^<>\n]{1,64})</\1\s*>", re.IGNORECASE)


def formula_text(source: str, *, chemistry: bool = False) -> str | None:
    """The formula in one line; None where it cannot be read. `chemistry`: mhchem's notation, `<chem>` and `<ce>`."""
    if len(source) > LONGEST or _depth(source) + source.count("\\begin") > DEEPEST:
        return None
    return _read_formula(source, chemistry)


@functools.lru_cache(maxsize=1 << 14)
def _read_formula(source: str, chemistry: bool) -> str | None:
    if chemistry:
        source = _ARROWS.sub(lambda match: _CHEMISTRY[match[0]], source)
    source = _OVER.sub(r"\\frac{\1}{\2}", _NO_DELIMITER.sub(" ", source))
    try:
        text = _reader().latex_to_text(_add_brackets(source) if chemistry else f"\\({_add_brackets(source)}\\)")
    except ValueError:
        return None
    text = _RELATION.sub(r" \1 ", " ".join(text.split()))
    text = _BEHIND_BRACKET.sub(r"\1", _BEFORE_MARK.sub(r"\1", text)).strip()
    return None if not text or "\\begin" in text else text


def _depth(source: str) -> int:
    deepest = open_ = 0
    for sign in source:
        open_ += (sign == "{") - (sign == "}")
        deepest = max(deepest, open_)
    return deepest


def _add_brackets(source: str) -> str:
    """Indices and exponents of several signs in round brackets: x_{n+1} is x_(n+1), but x_{12} is x_12."""
    pieces, at = [], 0
    for match in _SCRIPT.finditer(source):
        if match.start() < at:
            continue
        end = _closing_place(source, match.end())
        inside = source[match.end() : end].strip()
        if end < 0 or _SINGLE.fullmatch(inside) or (inside[:1] == "(" and inside.find(")") == len(inside) - 1):
            continue
        pieces += [source[at : match.start()], f"{match[1]}{{({_add_brackets(inside)})}}"]
        at = end + 1
    return "".join(pieces) + source[at:]


def _closing_place(source: str, at: int) -> int:
    depth = 1
    for place in range(at, len(source)):
        depth += (source[place] == "{") - (source[place] == "}")
        if not depth:
            return place
    return -1


def _reader() -> "TexReader":
    # Imported where a formula is met: most pages have none.
    from wikiprep.wikitext.tex_reader import tex_reader

    return tex_reader()


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
