"""TeX of formulas as readable text: `a + bi` for `a + b\\mathrm{i}`, `(a + b)/2` for `\\frac{a + b}{2}`.

pylatexenc reads the TeX and knows its symbols (`tex_reader.py`); here is what it leaves ambiguous in one line: what
belongs to an index or an exponent. What cannot be read, or is longer than anyone would read, has no text.
"""

import functools
import re
from typing import TYPE_CHECKING

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
