"""Formulas as readable text: what readers see of them in one line, nothing lost, whatever the TeX is."""

from collections import Counter
from typing import Any

import pytest
from hypothesis import example, given
from hypothesis import strategies as st

from wikiprep.dump.site import Site
from wikiprep.wikitext.control_marks import NOTHING
from wikiprep.wikitext.extract import extract
from wikiprep.wikitext.formulas import DEEPEST, LONGEST, formula_text, signs_of, with_signs

EN = Site.for_language("en")


@pytest.mark.parametrize(
    ("source", "text"),
    [
        (r"a + b\mathrm{i}", "a + bi"),
        (r"\frac{a+b}{2}", "(a+b)/2"),
        (r"F = G\frac{m_1 m_2}{r^2}", "F = G (m_1 m_2)/(r^2)"),
        (r"{a+b \over c}", "(a+b)/c"),
        (r"\tfrac12 x", "1/2 x"),
        (r"x_{n+1}", "x_(n+1)"),
        (r"x_{12} + y_{\alpha}", "x_12 + y_α"),
        (r"f^{(2)}(x) = f''(x)", "f^(2)(x) = f''(x)"),
        (r"e^{-x^{2}}", "e^(-x^2)"),
        (r"\sqrt{2}+\sqrt[3]{x+1}+\sqrt[n]{y}", "√2+∛(x+1)+n√y"),
        (r"\binom{n}{k}", "(n choose k)"),
        (r"a \equiv b \pmod{n}", "a ≡ b (mod n)"),
        (r"\underset{x}{\operatorname{argmax}}\, f(x)", "argmax_x f(x)"),
        (r"\R^n \ne \emptyset, \mathbb{Z}", "ℝ^n ≠ ∅, ℤ"),
        (r"\mathbf{FNR} = \mathcal{H}", "FNR = H"),
        (r"\|x\|\leq 1", "‖x‖ ≤ 1"),
        (r"x\left.\frac{a}{b}\right|_{0}", "x a/b |_0"),
        (r"\begin{pmatrix}1&2\\3&4\end{pmatrix}", "[1 2; 3 4]"),
        (r"\begin{align}a &= b\\ &= c\end{align}", "a = b = c"),
        (r"|x| = \begin{cases}x & x>0\\-x\end{cases}", "|x| = x x>0 -x"),
        (r"\arsinh x + \Pr(A)", "arsinh x + Pr (A)"),
        (r"50\% \text{ of it}", "50% of it"),
        (r".6 \times .4", ".6 × .4"),
    ],
)
def test_reads_as_readers_see_it(source: str, text: str) -> None:
    assert formula_text(source) == text


def test_chemistry_has_arrows() -> None:
    assert formula_text("CO2 + H2O <=> H2CO3", chemistry=True) == "CO2 + H2O ⇌ H2CO3"
    assert formula_text("^{238}_{92}U -> ^{234}_{90}Th", chemistry=True) == "^238_92U → ^234_90Th"


@pytest.mark.parametrize(
    "source", ["", r"\,", r"\frac{a", "x" * (LONGEST + 1), "{" * (DEEPEST + 1), r"\begin{a}" * 99, r"\input{a}"]
)
def test_what_cannot_be_read_has_no_text(source: str) -> None:
    assert formula_text(source) is None


@given(st.text(r"\\{}[]()^_&$%~ abfractsqobegin12.+|" + "\n", max_size=60))
@example("\\frac" * 800)
@example("x^" * 2400)
@example("\\sqrt[" * 700)
@example("{" * DEEPEST + "a" + "}" * DEEPEST)
def test_any_text_has_an_answer_in_one_line(source: str) -> None:
    found = formula_text(source)
    assert found is None or (found and found == " ".join(found.split()))
    assert formula_text(source) == found


def text_of(wikitext: str, math: str) -> tuple[str, Counter[str]]:
    found = extract(wikitext, "T", EN, math=math)
    return " | ".join(paragraph.text for paragraph in found.paragraphs), Counter(found.flags)


def test_a_formula_stands_in_its_sentence() -> None:
    wikitext = "It is written as <math>a + b\\mathrm{i}</math>, where <math>[[a]] &lt; ''b''</math> is [[real]]."
    text, flags = text_of(wikitext, "text")
    assert text == "It is written as a + bi, where [[a]] < ''b'' is real." and "math" in flags
    assert text_of(wikitext, "drop")[0] == "It is written as, where is real."
    assert text_of(wikitext, "tex")[0] == "It is written as a + b\\mathrm{i}, where [[a]] < ''b'' is real."
    text, flags = text_of("The <math>\\frac{a</math> is bad, <chem>H2O</chem> and <math></math> are not.", "text")
    assert text == "The is bad, H2O and are not." and "math:unread" in flags
    found = extract(wikitext, "T", EN, math="text")
    assert [link.target for link in found.paragraphs[0].links] == ["Real"]


def shown(text: str, **options: Any) -> list[str]:
    return [p.text for p in extract(text, "T", EN, **options).paragraphs]


@pytest.mark.parametrize(
    ("wikitext", "plain", "unicode"),
    [
        ("10<sup>6</sup> H<sub>2</sub>O", "106 H2O", "10⁶ H₂O"),
        ("m<SUP class=x>−2</sup >", "m−2", "m⁻²"),
        ("m<sup>&minus;2</sup>", "m−2", "m⁻²"),
        ("1<sup>er</sup>, 1<sup>1a</sup>", "1er, 11a", "1er, 11a"),
        ("a<sup>''n''</sup>, a<sup>2", "an, a2", "an, a2"),
        ("* 5<sup>(n+1)</sup>", "5(n+1)", "5⁽ⁿ⁺¹⁾"),
        ("<nowiki>a<sup>2</sup></nowiki>", "a<sup>2</sup>", "a<sup>2</sup>"),
        ("a<sup></sup>b <sup> 2</sup>", "ab 2", "ab 2"),
    ],
)
def test_signs(wikitext: str, plain: str, unicode: str) -> None:
    assert shown(wikitext) == [plain]
    assert shown(wikitext, superscripts="unicode") == [unicode]


def test_links_span_the_signs() -> None:
    (paragraph,) = extract("See [[Carbon dioxide|CO<sub>2</sub>]] now.", "T", EN, superscripts="unicode").paragraphs
    (link,) = paragraph.links
    assert (paragraph.text[link.start : link.end], link.target) == ("CO₂", "Carbon dioxide")


@pytest.mark.parametrize(
    "text", ["[[x<sup>2</sup>]] a", "[[a]]<sup>2</sup>b", "''<sup>2</sup>'' a", "<sup>2</sup> a\n b"]
)
def test_nothing_but_the_signs_changes(text: str) -> None:
    plain, signs = (extract(text, "T", EN, superscripts=asked) for asked in ("plain", "unicode"))
    assert plain.links == signs.links and plain.flags == signs.flags
    assert [p.text for p in plain.paragraphs] == [p.text.replace("²", "2") for p in signs.paragraphs]
    assert [p.links for p in plain.paragraphs] == [p.links for p in signs.paragraphs]


def test_those_of_templates_too() -> None:
    assert shown("{{val|5|e=6}}") != shown("{{val|5|e=6}}", superscripts="unicode")
    assert shown("{{val|5|e=6}}", superscripts="unicode") == ["5×10⁶"]


@given(st.sampled_from(["sup", "sub", "b"]), st.text("0123456789+-−=()niabc", max_size=9))
def test_one_sign_a_character_or_none_at_all(tag: str, text: str) -> None:
    signs = signs_of(tag, text)
    if signs is not None:
        assert tag != "b" and len(signs) == len(text) > 0
        assert with_signs(f"x<{tag}>{text}</{tag}>y") == f"x{NOTHING}{signs}{NOTHING}y"
    else:
        assert with_signs(f"x<{tag}>{text}</{tag}>y") == f"x<{tag}>{text}</{tag}>y"
