"""Each short cut gives what the Python code beside it gives."""

import re
from collections import Counter
from collections.abc import Callable
from pathlib import Path

from hypothesis import example, given, settings
from hypothesis import strategies as st
from ways import PLACES, needs_compiled, pure

import wikiprep
from wikiprep.dump.page_xml import Malformed, unescape
from wikiprep.wikitext import braces, marks, references, spans

pytestmark = needs_compiled
# Characters of one, two and four bytes: a text's widest decides how it is held.
WIDE = st.sampled_from(["", "é", "語", "\U0001f600"])


def soup(*units: str, size: int = 30) -> st.SearchStrategy[str]:
    """Texts of those units and few others, of any width."""
    parts = st.lists(st.one_of(st.sampled_from(units), st.text("abé \n", max_size=3)), max_size=size)
    return st.tuples(parts.map("".join), WIDE).map("".join)


def both(function: Callable[..., object], *given: object) -> tuple[object, object]:
    """What the function gives with its short cut and without."""
    fast = function(*given)
    with pure():
        return fast, function(*given)


def test_every_short_cut_is_among_the_places() -> None:
    """A module that asks for one and is not in `PLACES` would be compared with itself."""
    root = Path(wikiprep.__file__).parent
    asking = {
        ".".join(("wikiprep", *path.relative_to(root).with_suffix("").parts))
        for path in root.rglob("*.py")
        if "= short_cut(" in path.read_text()
    }
    assert asking == {module.__name__ for module, _, _ in PLACES}
    assert all(getattr(module, name) not in (None, instead) for module, name, instead in PLACES)


def test_the_marks_are_those_of_marks_py() -> None:
    source = Path(wikiprep.__file__).with_name("compiled") / "characters.pxd"
    constants = dict(re.findall(r"^    ([A-Z_]+) = (\d+)$", source.read_text(), re.M))
    assert constants.pop("MAX_DEPTH") == str(marks.MAX_DEPTH)
    assert len(constants) == 9
    for name, value in constants.items():
        assert getattr(marks, name) == chr(int(value)), name


@given(
    soup("\t", "\xa0", "\x85", "\u1680", "\u2003", "\u200b", "\u2028", "\u202f", "\u205f", "\u3000", "\n\t", "\n\u3000")
)
def test_spaces(text: str) -> None:
    fast, slow = both(marks.with_plain_spaces, text)
    assert fast == slow


def test_every_space() -> None:
    text = "".join(map(chr, range(0x3100))) + "".join(f"\n{chr(code)}" for code in range(0x3100))
    fast, slow = both(marks.with_plain_spaces, text)
    assert fast == slow


@given(soup(*map(chr, range(32)), "N", "[", "0"))
def test_stand_ins(text: str) -> None:
    fast, slow = both(marks.is_shielded, text)
    assert fast == slow


@given(
    soup("\xad", "\u200b", "\u200e", "\u061c", "\u2060", "\ufeff", "\u2069", "-", "м", size=12),
    st.booleans(),
    st.sampled_from(["en", "th"]),
)
def test_invisible_characters(text: str, right_to_left: bool, language: str) -> None:
    fast, slow = both(marks.without_invisible, text, marks.invisible_of(language, right_to_left))
    assert fast == slow


@given(soup("{", "{{", "{{{", "}", "}}", "}}}", "}}}}}", "{{{{{{{", "|", size=60))
def test_braces(text: str) -> None:
    fast, slow = both(braces.outermost, text)
    assert fast == slow


NOTES = soup(
    *[
        "<ref>",
        "</ref>",
        "<ref name=a>",
        "<ref name='a'/>",
        "<REF\n>",
        "</Ref >",
        "<ref/>",
        "<ref /",
        "<ref",
        "<refx>",
        "</refs>",
        "</ref\u3000>",
        "<ref\xa0x>",
        "<references/>",
        "<references>",
        "</references>",
        "[[",
        "]]",
        "[[[",
        "<b>",
        "</b>",
        "/>",
        "<",
        ">",
        " ",
        ".",
        ",",
        " <ref>x</ref>",
        "\x04",
    ]
)


def _references(text: str) -> object:
    links, flags = Counter[str](), Counter[str]()
    return references.strip_references(text, links, flags), links, flags


@settings(max_examples=1000)
@given(NOTES)
@example("<ref name=a/> b</ref> c")
@example("<ref name=a/> <ref>b</ref> c")
@example("a<re")
@example("a<ref")
@example("a<ref>b</ref")
def test_notes(text: str) -> None:
    fast, slow = both(_references, text)
    assert fast == slow


@settings(max_examples=500)
@given(
    st.lists(
        soup("\x01", "\x02", "\x01a\x02", " \x01b\x02 ", "\u3000", "\x03", "\x00", size=8).map(
            lambda t: t.replace("\n", "") or "x"
        )
    )
)
def test_spans(texts: list[str]) -> None:
    fast = spans._split(texts)
    slow = spans._regular_split(texts) if texts else ([], [], [], [])
    if fast is None or slow is None:
        assert fast is slow
    else:
        assert tuple(map(list, fast)) == tuple(map(list, slow))


def _unescape(raw: bytes) -> object:
    try:
        return unescape(raw)
    except Malformed as error:
        return str(error)


@settings(max_examples=500)
@given(
    st.lists(
        st.sampled_from(
            b"&lt; &gt; &amp; &quot; &apos; & &l &#10; &#xe9; &am a \xc3\xa9 \xff &nbsp; ; \0 \r".split(b" ")
        )
    ).map(b"".join)
)
@example(b"&quot")
@example(b"&amp")
@example(b"a &lt")
def test_references_of_xml(raw: bytes) -> None:
    fast, slow = both(_unescape, raw)
    assert fast == slow
