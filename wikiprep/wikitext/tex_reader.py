"""pylatexenc, set up for formulas of wikis: fractions and roots in one line, MediaWiki's own names, nothing lost.

MediaWiki's names (texvc's) are those of Help:Displaying a formula on mediawiki.org, which plain LaTeX lacks.
"""

import functools
import re
from collections.abc import Callable
from typing import Any

from pylatexenc import latex2text, latexwalker, macrospec

_SYMBOLS = {
    # texvc's
    **dict.fromkeys(("R", "reals", "Reals"), "ℝ"), **dict.fromkeys(("C", "cnums", "Complex"), "ℂ"),
    **dict.fromkeys(("N", "natnums"), "ℕ"), "Z": "ℤ", "Q": "ℚ", "H": "ℍ", "O": "∅", "empty": "∅",
    "and": "∧", "or": "∨", "exist": "∃", "isin": "∈", "infin": "∞", "part": "∂", "plusmn": "±", "sdot": "⋅",
    "bull": "•", "ang": "∠", "sub": "⊂", "sube": "⊆", "supe": "⊇", "lang": "⟨", "rang": "⟩", "real": "ℜ", "image": "ℑ",
    "weierp": "℘", "alef": "ℵ", "alefsym": "ℵ", "thetasym": "ϑ", "sect": "§", "euro": "€", "Dagger": "‡",
    "clubs": "♣", "diamonds": "♢", "hearts": "♡", "spades": "♠",
    **dict.fromkeys(("larr",), "←"), **dict.fromkeys(("rarr",), "→"), **dict.fromkeys(("harr", "lrarr"), "↔"),
    **dict.fromkeys(("lArr", "Larr"), "⇐"), **dict.fromkeys(("rArr", "Rarr"), "⇒"),
    **dict.fromkeys(("hArr", "hAar", "Harr", "Lrarr", "lrArr"), "⇔"), "uarr": "↑", "darr": "↓",
    **dict.fromkeys(("uArr", "Uarr"), "⇑"), **dict.fromkeys(("dArr", "Darr"), "⇓"),
    **dict(zip(("Alpha", "Beta", "Epsilon", "Zeta", "Eta", "Iota", "Kappa", "Mu", "Nu", "Omicron", "omicron", "Rho",
                "Tau", "Chi"), "ΑΒΕΖΗΙΚΜΝΟοΡΤΧ", strict=True)),
    # LaTeX's that the library lacks
    "ne": "≠", "neg": "¬", "lnot": "¬", "land": "∧", "lor": "∨", "iff": "⇔", "implies": "⇒", "impliedby": "⇐",
    "bot": "⊥", "|": "‖", "colon": ":", "ddagger": "‡", "biguplus": "⨄", "thicksim": "∼", "thickapprox": "≈",
    "complement": "∁", "lVert": "‖", "rVert": "‖", "lvert": "|", "rvert": "|", "dotsc": "…", "dotsb": "⋯",
    "coloneqq": "≔", "longmapsto": "⟼", "bmod": " mod ", "mod": " mod ", "mid": " | ", "hbar": "ℏ",
    "Re": "Re", "Im": "Im",
}  # fmt: skip
# They say how it looks.
_LOOKS = """left right middle big Big bigg Bigg bigl bigr Bigl Bigr biggl biggr Biggl Biggr bigm Bigm displaystyle
textstyle scriptstyle scriptscriptstyle limits nolimits rm bf it cal sf tt nonumber notag boldsymbol bold Bbb mathop
mbox operatorname textsf""".split()  # noqa: SIM905 (as a list it takes forty lines)
# Letters of other shapes are letters: no reader, and no tokenizer, knows a word of 𝐹𝑁𝑅.
_SHAPES = ("mathbf", "mathit", "mathsf", "mathrm", "mathtt", "mathcal", "mathscr", "mathfrak", "bm")
_DOUBLE = str.maketrans("CHNPQRZ", "ℂℍℕℙℚℝℤ")
_FRACTIONS = ("frac", "dfrac", "tfrac", "cfrac", "sfrac")
_BINOMIALS = ("binom", "tbinom", "dbinom")
_OVER = ("overset", "stackrel")
_LABELS = ("label", "tag", "color", "hspace", "vspace")
_SINGLE = re.compile(r"[^\W_]+|.", re.DOTALL)


class TexReader:
    """Text of TeX, as it comes out: white space and brackets of indices are not looked at."""

    def __init__(self) -> None:
        names = latex2text.get_default_latex_context_db()
        macro: Callable[..., Any] = latex2text.MacroTextSpec
        macros = [macro(name, sign) for name, sign in _SYMBOLS.items()]
        macros += [macro(name, "") for name in (*_LOOKS, *_LABELS)]
        macros += [macro(name, _fraction) for name in _FRACTIONS]
        macros += [macro(name, _binomial) for name in _BINOMIALS]
        macros += [macro(name, _second) for name in _OVER]
        macros += [macro(name, _first) for name in _SHAPES]
        macros += [macro("mathbb", _double), macro("underset", _underset), macro("sqrt", _root), macro("pmod", _modulo)]
        names.add_context_category("formulas", prepend=True, macros=macros)
        # What is not known stands as its name, as arsinh does.
        names.set_unknown_macro_spec(macro("", lambda node: f" {node.macroname} "))
        self._names = latexwalker.get_default_latex_context_db()
        two_arguments = [macrospec.std_macro(name, False, 2) for name in (*_FRACTIONS, *_BINOMIALS, *_OVER, "underset")]
        one_argument = [macrospec.std_macro(name, False, 1) for name in (*_LABELS, *_SHAPES, "mathbb", "pmod")]
        self._names.add_context_category("formulas", prepend=True, macros=[*two_arguments, *one_argument])
        self._text = latex2text.LatexNodes2Text(latex_context=names, math_mode="text", keep_comments=False)

    def latex_to_text(self, source: str) -> str:
        """Raises ValueError for TeX that is none."""
        walker = latexwalker.LatexWalker(source, latex_context=self._names, tolerant_parsing=False)
        try:
            nodes, _, _ = walker.get_latex_nodes()
            text: str = self._text.nodelist_to_text(nodes)
        except Exception as error:
            raise ValueError(type(error).__name__) from error
        return text.replace("”", "''")  # which the library takes for a closing quote, and is f''


@functools.cache
def tex_reader() -> TexReader:
    """The one of this process: it takes some milliseconds to make."""
    return TexReader()


# pylatexenc calls them with arguments of these names.
def _first(node: Any, l2tobj: Any) -> str:
    return _argument(node, l2tobj, 0)


def _second(node: Any, l2tobj: Any) -> str:
    return _argument(node, l2tobj, 1)


def _double(node: Any, l2tobj: Any) -> str:
    return _argument(node, l2tobj, 0).translate(_DOUBLE)


def _fraction(node: Any, l2tobj: Any) -> str:
    # Apart from what stands beside it: 1/m E, not 1/mE.
    return f" {_in_brackets(_argument(node, l2tobj, 0))}/{_in_brackets(_argument(node, l2tobj, 1))} "


def _binomial(node: Any, l2tobj: Any) -> str:
    return f"({_argument(node, l2tobj, 0)} choose {_argument(node, l2tobj, 1)})"


def _underset(node: Any, l2tobj: Any) -> str:
    return f"{_argument(node, l2tobj, 1)}_{_in_brackets(_argument(node, l2tobj, 0))}"


def _modulo(node: Any, l2tobj: Any) -> str:
    return f" (mod {_argument(node, l2tobj, 0)})"


def _root(node: Any, l2tobj: Any) -> str:
    degree = _argument(node, l2tobj, 0).strip("[] ") if node.nodeargd.argnlist[0] is not None else ""
    return {"": "√", "2": "√", "3": "∛", "4": "∜"}.get(degree, f"{degree}√") + _in_brackets(_argument(node, l2tobj, 1))


def _argument(node: Any, l2tobj: Any, number: int) -> str:
    text: str = l2tobj.node_arg_to_text(node, number)
    return text.strip()


def _in_brackets(text: str) -> str:
    whole = text[:1] == "(" and text.find(")") == len(text) - 1
    return text if _SINGLE.fullmatch(text) or whole else f"({text})"
