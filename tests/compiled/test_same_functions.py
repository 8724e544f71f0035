"""Each fast path gives what the Python code beside it gives."""

import re
import sys
from collections import Counter
from collections.abc import Callable
from pathlib import Path

import pytest
from hypothesis import example, given, settings
from hypothesis import strategies as st
from ways import PLACES, needs_compiled, pure

import wikiprep
from wikiprep.compiled import characters, fast_path, fastest, link_marks, pairs
from wikiprep.dump import bz2_blocks as dump_blocks
from wikiprep.dump import page_xml
from wikiprep.dump.page_xml import Malformed, unescape
from wikiprep.dump.site import Site
from wikiprep.languages.language import languages
from wikiprep.wikitext import control_marks, extract, references, spans, template_calls
from wikiprep.wikitext.article import Extraction
from wikiprep.wikitext.blocks import BlockReader
from wikiprep.wikitext.link_meanings import Meaning
from wikiprep.wikitext.links import LinkReader
from wikiprep.wikitext.page_links import PageLinks

pytestmark = needs_compiled
# Characters of one, two and four bytes: a text's widest decides how it is held.
WIDE = st.sampled_from(["", "é", "語", "\U0001f600"])


def soup(*units: str, size: int = 30) -> st.SearchStrategy[str]:
    """Texts of those units and few others, of any width."""
    parts = st.lists(st.one_of(st.sampled_from(units), st.text("abé \n", max_size=3)), max_size=size)
    return st.tuples(parts.map("".join), WIDE).map("".join)


def both(function: Callable[..., object], *given: object) -> tuple[object, object]:
    """What the function gives with its fast path and without."""
    fast = function(*given)
    with pure():
        return fast, function(*given)


def test_every_fast_path_is_among_the_places() -> None:
    """One that is not in `PLACES` would be compared with itself."""
    root = Path(wikiprep.__file__).parent
    asking = {
        (".".join(("wikiprep", *path.relative_to(root).with_suffix("").parts)), name)
        for path in root.rglob("*.py")
        for name in re.findall(r"^(\w+)(?:: [^=\n]+)? = fast(?:_path|est)\(", path.read_text(), re.MULTILINE)
    }
    assert asking == {(module.__name__, name) for module, name, _ in PLACES}
    assert all(getattr(module, name) not in (None, instead) for module, name, instead in PLACES)


@given(
    soup("\t", "\xa0", "\x85", "\u1680", "\u2003", "\u200b", "\u2028", "\u202f", "\u205f", "\u3000", "\n\t", "\n\u3000")
)
def test_spaces(text: str) -> None:
    fast, slow = both(control_marks.with_single_spaces, text)
    assert fast == slow


@given(st.text(), st.text(max_size=60))
def test_any_characters_however_many(text: str, characters: str) -> None:
    kept = "".join(it for it in text if it not in characters)
    assert fast_path("rare_characters", "without_any")(text, characters) == kept
    assert fast_path("rare_characters", "has_any")(text, characters) == (kept != text)
    spaced = "".join(" " if it in characters else it for it in text)
    assert fast_path("rare_characters", "single_spaces")(text, characters) == re.sub(" +", " ", spaced)


def test_every_space() -> None:
    text = "".join(map(chr, range(0x3100))) + "".join(f"\n{chr(code)}" for code in range(0x3100))
    fast, slow = both(control_marks.with_single_spaces, text)
    assert fast == slow


@given(soup(*map(chr, range(32)), "N", "[", "0"))
def test_stand_ins(text: str) -> None:
    fast, slow = both(control_marks.is_shielded, text)
    assert fast == slow


@given(
    soup("\xad", "\u200b", "\u200e", "\u061c", "\u2060", "\ufeff", "\u2069", "-", "м", size=12),
    st.booleans(),
    st.sampled_from(["en", "th"]),
)
def test_invisible_characters(text: str, right_to_left: bool, language: str) -> None:
    fast, slow = both(control_marks.without_invisible, text, control_marks.invisible_of(language, right_to_left))
    assert fast == slow


def test_every_space_is_white_space_but_line_ends_and_stand_ins() -> None:
    spaces = {character for character in map(chr, range(sys.maxunicode + 1)) if character.isspace()}
    assert set(characters.SPACES) | set("\n\r\x0b\x0c ") | set(map(chr, range(0x1C, 0x20))) == spaces


@given(soup("{", "{{", "{{{", "}", "}}", "}}}", "}}}}}", "{{{{{{{", "|", size=60))
def test_braces(text: str) -> None:
    fast, slow = both(template_calls.outermost, text)
    assert fast == slow


@given(soup("'", 2 * "'", 3 * "'", "[", "[["), st.sampled_from("'["), st.integers(0, 8), st.integers(0, 40))
def test_pairs(text: str, sign: str, at: int, stop: int) -> None:
    stop = min(stop, len(text))
    assert pairs.find_pair(text, sign, at, stop) == text.find(2 * sign, at, stop)
    assert fastest(pairs.find_pair)(text, sign, at, stop) == text.find(2 * sign, at, stop)


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


_OPENING = re.compile(r"<[Rr][Ee][Ff](?=[\s>]|/>)")
_CLOSING_TAG = re.compile(r"</[Rr][Ee][Ff]\s*>")


def _notes_by_patterns(text: str) -> list[tuple[int, int, int, bool]]:
    """Where notes are, as two patterns have it."""
    found: list[tuple[int, int, int, bool]] = []
    at = 0
    while (match := _OPENING.search(text, at)) is not None:
        tag_end = at = text.find(">", match.end()) + 1
        if not at:
            break
        if text[at - 2] != "/":
            closing = _CLOSING_TAG.search(text, at)
            if closing is None:
                continue
            at = closing.end()
        found.append((match.start(), tag_end, at, _OPENING.search(text, tag_end, at) is not None))
    return found


@settings(max_examples=400)
@given(NOTES)
@example("<ref name=a/ >b</ref>c")
def test_notes_are_where_the_patterns_of_mediawiki_have_them(text: str) -> None:
    assert fast_path("fast_notes", "find_notes")(text) == _notes_by_patterns(text)


@settings(max_examples=400)
@given(NOTES)
@example("<ref name=a/> b</ref> c")
@example("<ref name=a/> <ref>b</ref> c")
@example("a<re")
@example("a<ref")
@example("a<ref>b</ref")
def test_notes(text: str) -> None:
    fast, slow = both(_references, text)
    assert fast == slow


@settings(max_examples=150)
@given(
    st.lists(
        soup("\x01", "\x02", "\x01a\x02", " \x01b\x02 ", "\u3000", "\x03", "\x00", size=8).map(
            lambda t: t.replace("\n", "") or "x"
        )
    )
)
def test_spans(texts: list[str]) -> None:
    fast, slow = spans._split(texts), link_marks.split_marks(texts)
    assert fast == slow
    regular = "(?:[^\x01\x02]*\x01(?=\\S)[^\x01\x02]+(?<=\\S)\x02)*[^\x01\x02]*"
    assert (fast is not None) == all(re.fullmatch(regular, text) for text in texts)
    if fast is not None:
        plain, counts, starts, ends = fast
        assert plain == [re.sub("[\x01\x02]", "", text) for text in texts]
        assert counts == [text.count("\x01") for text in texts]
        mentions = ["\n".join(plain)[start:end] for start, end in zip(starts, ends, strict=True)]
        assert mentions == re.findall("\x01([^\x02]*)\x02", "\n".join(texts))


@settings(max_examples=250)
@given(st.binary(max_size=60), st.integers(0, 500), st.integers(0, 500))
@example(b"\xff" * 20, 0, 160)
@example(b"\xff" * 20, 7, 160)
@example(b"\xff" * 20, 7, 159)
def test_blocks_of_bz2(data: bytes, start: int, end: int) -> None:
    start, end = sorted((start, end))
    fast, slow = both(dump_blocks.wrap, data, start, end)
    assert fast == slow


@given(st.binary(max_size=40) | st.lists(st.integers(0, 255).map(lambda c: bytes([c]))).map(b"".join))
def test_control_characters_of_xml(raw: bytes) -> None:
    fast, slow = both(page_xml.clean, raw)
    assert fast == slow


def test_every_control_character_of_xml() -> None:
    for code in range(256):
        fast, slow = both(page_xml.clean, b"a" * 70 + bytes([code]) + b"b")
        assert fast == slow, code


@given(st.lists(st.sampled_from([b"</page>", b"</pag", b"e>", b"<", b"a", b"\0"])).map(b"".join), st.integers(0, 40))
def test_the_end_of_a_page(data: bytes, at: int) -> None:
    assert fast_path("xml_text", "find_bytes")(data, b"</page>", at) == data.find(b"</page>", at)


def _unescape(raw: bytes) -> object:
    try:
        return unescape(raw)
    except Malformed as error:
        return str(error)


@settings(max_examples=250)
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


MARKED = soup(
    *(f"\n{start}" for start in ("*", "**", "#", ":", ";", "=", "-", "----", "|", "|-", " ", "\x03", "\x04", "\x05")),
    *("'" * n for n in range(1, 7)),
    *("-", "--", "----", "*", ":", ";", "=", "  ", "\x01", "\x02", "\x01a\x02", "\x03", "\x04", "\x05", "\x05\x05"),
    *("\x06", "\x07", "\x08", "\x7f", "\x7f\x03", "\x7f\x04", "\x7f\x05", "\x7f\x06", "\x7f\x07", "\x7f\x08"),
    *("\n= h =", "\n== h ==\n", "\n=== a  b ===", "\n====", "\n=======h=======", "\n==a==="),
    *("\0", "\x0b", "\x0c", "\r", "\x1b", "\x1c", "\x1f", "\x85", "\ud800", ".", "word"),
)


def _blocks(text: str) -> object:
    extraction, flags = Extraction(), Counter[str]()
    page = PageLinks([Meaning("", str(n)) for n in range(text.count("\x01"))])
    page.captions = [(f"caption \x01{n}\x02", [Meaning("", "C")]) for n in range(text.count("\x08"))]
    extract._block_reader(extraction, page, flags).read(text)
    return list(extraction.paragraphs), extraction.links, flags


@settings(max_examples=500)
@given(MARKED)
@example("-''---''x")
@example("a\n-'''---'''")
@example("\n#b\x7f\x07\x7f\x06\n#c")
def test_lines_with_any_marks(text: str) -> None:
    fast, slow = both(_blocks, text)
    assert fast == slow


LINKS = soup(
    *("[[", "]]", "[", "]", "|", "[[a]]", "[[a|b]]", "[[a| ]]", "[[a|]]", "[[T]]", "[[:a]]", "[[a]]]", "[[a|b]]c", "#"),
    *(
        "[[Category:a]]",
        "[[File:a.jpg|thumb|",
        "[[File:a]]",
        "[[de:x]]",
        "[[a%20b]]",
        "[[a#%0A%01]]",
        "[[a#%E8%AA%9E]]",
    ),
    *(
        "[[a]]:b",
        "[[a]]。",
        "[[a]]「",
        '[[a]]"b',
        "[[a]]'",
        "[[語|é]]",
        "[[a|😀]]",
        "''",
        "\x03",
        "\x04",
        "\x05",
        "\x7f",
    ),
)


@settings(max_examples=500)
@given(LINKS, st.sampled_from(languages()), st.booleans())
def test_links_of_all_languages(text: str, code: str, captions: bool) -> None:
    site = Site.for_language(code)

    def read(text: str) -> object:
        page, counts = PageLinks(title="T"), Counter[str]()
        return extract._link_reader(site).read(text, page, counts, captions=captions), page, counts

    fast, slow = both(read, text)
    assert fast == slow


def test_characters_that_are_told_to_be_no_link_trail_without_a_search_are_none() -> None:
    """Whatever stands behind them: letters are all those that the pattern names."""
    for code in languages():
        site = Site.for_language(code)
        reader, letters = LinkReader(site), {"", "a", "é", "я", *site.language.link_trail}
        for sign in reader._stops:
            assert not any(reader._trail(sign + letter) for letter in letters), (code, sign)
        greater = "".join(map(chr, range(ord(reader._last_letter) + 1, 0x10000)))
        assert re.search(site.language.link_trail or "(?!)", greater) is None, code
    assert ":" not in LinkReader(Site.for_language("se"))._stops
    assert "。" not in LinkReader(Site.for_language("hi"))._stops
    assert "。" in LinkReader(Site.for_language("ja"))._stops


class _Failing(Counter[str]):
    """Counts whose first count fails."""

    def __missing__(self, key: str) -> int:
        raise LookupError(key)


def test_an_error_within_a_compiled_reader_comes_through() -> None:
    targets: list[Meaning] = []
    before = sys.getrefcount(targets)
    links = extract._link_reader(Site.for_language("en"))
    for _ in range(100):
        with pytest.raises(LookupError, match="self"):
            links.read("[[T]]x", PageLinks(targets, "T"), _Failing(found=0), captions=False)
        with pytest.raises(LookupError, match="unclosed:quotes"):
            extract._block_reader(Extraction(), PageLinks(targets), _Failing()).read("a\n\nb ''c")
    assert targets == []
    assert sys.getrefcount(targets) == before


def test_marks_that_no_reader_wrote_are_an_error_and_no_other_memory() -> None:
    for reader in (extract._block_reader, BlockReader):
        with pytest.raises(IndexError):
            reader(Extraction(), PageLinks(), Counter()).read("a \x08 b")


@pytest.mark.parametrize(
    ("module", "name", "more"),
    [
        ("fast_braces", "outermost", ()),
        ("rare_characters", "has_any", ("a",)),
        ("rare_characters", "without_any", ("a",)),
        ("fast_notes", "close_up", (".",)),
        ("fast_notes", "cut_notes", ()),
        ("fast_notes", "find_notes", ()),
        ("rare_characters", "single_spaces", ("a",)),
        ("fast_link_marks", "split_marks", ()),
        ("fast_pairs", "find_pair", ("'", 0, 0)),
        ("xml_text", "find_bytes", (b"a", 0)),
        ("xml_text", "has_control", ()),
        ("xml_text", "unescape_named", ()),
    ],
)
@pytest.mark.parametrize("wrong", [None, 1, [1], ("a",)])
def test_what_is_no_text_is_an_error(module: str, name: str, more: tuple[str, ...], wrong: object) -> None:
    with pytest.raises((TypeError, AttributeError)):
        fast_path(module, name)(wrong, *more)
