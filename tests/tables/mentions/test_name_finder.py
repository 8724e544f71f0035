"""Finding names: stated cases, and the same spans as a trie look-up at every token on random texts."""

import tempfile
from collections.abc import Iterable
from pathlib import Path

import numpy as np
import pytest
from hypothesis import given, settings
from hypothesis import strategies as st
from simple_finder import SimpleFinder

from wikiprep.tables.mentions import finder as module
from wikiprep.tables.mentions import name_table
from wikiprep.tables.mentions.finder import NameFinder
from wikiprep.tables.mentions.name_hashes import NameHashes
from wikiprep.tables.mentions.name_table import NameTable, build_names
from wikiprep.tables.mentions.normalize import folded_name, is_writable, normal_name

Blocked = list[list[tuple[int, int]]]


def table(names: Iterable[str], folded: bool = False) -> NameTable:
    form = folded_name if folded else normal_name
    with tempfile.TemporaryDirectory() as folder:  # what is mapped stays readable
        build_names(folder, {form(name) for name in names} - {""}, folded=folded)
        return NameTable.open(folder, folded=folded)


def spans(names: NameTable, texts: list[str], blocked: Blocked | None = None) -> list[tuple[int, int, int, int]]:
    found = NameFinder(names).find(texts, blocked)
    columns = (found.text_index, found.start, found.end, found.name_id)
    return list(zip(*(column.tolist() for column in columns), strict=True))


def found(names: Iterable[str], text: str, links: Iterable[str] = (), folded: bool = False) -> list[str]:
    """What is found in `text`, whose links are the first occurrences of strings."""
    blocked = [(text.index(link), text.index(link) + len(link)) for link in links]
    return [text[start:end] for _, start, end, _ in spans(table(names, folded), [text], [blocked])]


@pytest.mark.parametrize(
    ("names", "text", "expected"),
    [
        # Overlaps and nests: the longest from the left; what it covers is not found again.
        ("New York|New York City|York|City", "New York City, New York, York", "New York City|New York|York"),
        ("a b c|b c d e|d", "a b c d e", "a b c|d"),
        ("a b c d|b", "a b c", "b"),  # the longer name is not whole
        ("one two three four five six seven eight nine ten eleven", "zero " + (whole := "one two three four five "
            "six seven eight nine ten eleven") + " twelve", whole),
        # Whole tokens only.
        ("York|art", "Yorkshire party art", "art"),
        ("Obama|O'Neill|Neill|Dr. No", "Obama's O'Neill O’Neill Dr. No!", "Obama|O'Neill|Neill|Dr. No"),
        # Punctuation is part of a name, and of no other.
        ("U.S.|U.S|Yahoo!|Yahoo|C++|C|AC/DC|AC", "The U.S. and U.S, Yahoo! Yahoo? C++, C+, AC/DC AC / DC",
            "U.S.|U.S|Yahoo!|Yahoo|C++|C|AC/DC|AC"),
        ("St. Mary|St.|Mary", "St. Mary St.Mary St. , Mary", "St. Mary|St.|Mary|St.|Mary"),
        # White space of any kind is a space; none is not.
        ("New York", "New\u00a0York New  \n York NewYork", "New\u00a0York|New  \n York"),
        # Scripts without spaces.
        ("東京|東京都|京都|タワー|東京タワー", "東京都の東京タワーと京都", "東京都|東京タワー|京都"),
        ("กรุงเทพ", "ในกรุงเทพมหานคร", "กรุงเทพ"),
        ("北京|GDP", "2020年北京GDP增长", "北京|GDP"),
        # Hangul and Arabic are words: prefixes and particles are part of them.
        ("서울", "서울 서울은", "서울"),
        ("مصر|القاهرة|قاهرة", "مصر ومصر القاهرة والقاهرة قاهرة", "مصر|القاهرة|قاهرة"),
        # Case is kept.
        ("Apple|apple pie", "apple Apple APPLE apple pie", "Apple|apple pie"),
        # Beyond the BMP, joiners, marks.
        ("𐍈𐌰|I 😀 N|b", "😀😀 𐍈𐌰 I 😀 N b𐍈", "𐍈𐌰|I 😀 N"),
        ("Café|Å", "Cafe\u0301 Café Cafe \u212b", "Cafe\u0301|Café|\u212b"),
        ("Cafe|e", "Cafe\u0301 e\u0301", ""),
        ("می‌خواهم", "او می‌خواهم می", "می‌خواهم"),
        # A text's ends.
        ("a|b", "a", "a"),
        ("a|b", "b a", "b|a"),
        ("a b", "a", ""),
        ("a", "", ""),
        ("a", " \n", ""),
        ("a", " a\n", "a"),
    ],
)  # fmt: skip
def test_stated_cases(names: str, text: str, expected: str) -> None:
    assert found(names.split("|"), text) == (expected.split("|") if expected else [])


@pytest.mark.parametrize(
    ("names", "text", "expected"),
    [
        ("new york|Straße", "NEW York strasse STRASSE Straße STRAẞE", "NEW York|strasse|STRASSE|Straße|STRAẞE"),
        ("ὀδυσσεύς", "ὈΔΥΣΣΕΎΣ Ὀδυσσεύς", "ὈΔΥΣΣΕΎΣ|Ὀδυσσεύς"),
        ("Café", "CAFE\u0301 CAFÉ cafe", "CAFE\u0301|CAFÉ"),
        ("ﬁsh|fi", "FISH fish ﬁ", "FISH|fish|ﬁ"),
        ("ᾳ", "αι ᾼ Αι α", "αι|ᾼ|Αι"),
        ("ǰ x", "J\u030c X ß", "J\u030c X"),
        ("i", "İ I i", "I|i"),
    ],
)
def test_folded_cases(names: str, text: str, expected: str) -> None:
    assert found(names.split("|"), text, folded=True) == expected.split("|")


@pytest.mark.parametrize(
    ("names", "text", "links", "expected"),
    [
        ("New York|New|York City|City", "New York City", ["York"], "New|City"),
        ("New York", "New York", [" "], ""),  # a link over white space alone is not crossed either
        ("dog|sled dog|sled", "sled dogs dog", ["dog"], "sled|dog"),  # "dogs" is cut by its link
        ("un|link", "unlinked link", ["link"], "link"),
        ("مصر|و", "ومصر و", ["مصر"], "و"),  # the prefix outside a link is no name
        ("東|京都|東京|都", "東京都", ["京"], "東|都"),
        ("a|b", "a b", ["a b"], ""),
        ("a|b", "a-b", ["-"], "a|b"),
        ("a-b", "a-b", ["-"], ""),
        ("a", "a", [""], "a"),  # an empty span blocks nothing
    ],
)
def test_beside_links(names: str, text: str, links: list[str], expected: str) -> None:
    assert found(names.split("|"), text, links) == (expected.split("|") if expected else [])


def test_offsets_and_ids_over_many_texts(monkeypatch: pytest.MonkeyPatch) -> None:
    names = table(["a b", "é", "東京"])
    texts = ["", "a b", "x a", "b", "e\u0301 a  b", "", "𐍈 東京都", " "]
    expected = [
        (1, 0, 3, names.id("a b")), (4, 0, 2, names.id("é")), (4, 3, 7, names.id("a b")), (6, 2, 4, names.id("東京")),
    ]  # fmt: skip
    for size in (1, 5, 1 << 19):
        monkeypatch.setattr(module, "_BATCH", size)
        assert spans(names, texts) == expected
        assert spans(names, texts * 2) == expected + [(8 + text, *rest) for text, *rest in expected]
    assert spans(names, []) == []
    assert spans(table([]), ["a"]) == []


def test_a_long_name_of_one_word_repeated() -> None:
    """Every place of the text may begin it, and every length be its beginning; still it ends at the longest name."""
    names = table([" ".join("a" * 400), "a a a"])
    found = spans(names, ["a " * 1999])
    assert [end - start for _, start, end, _ in found] == [799] * 4 + [5] * 133
    assert names.hashes.longest == 400


@pytest.mark.parametrize(
    "blocked", [[], [[(0, 1)], []], [[(-1, 1)]], [[(0, 4)]], [[(2, 1)]]], ids=["none", "two", "low", "high", "turned"]
)
def test_wrong_blocked_spans_are_refused(blocked: Blocked) -> None:
    with pytest.raises(ValueError, match="blocked span"):
        NameFinder(table(["a"])).find(["abc"], blocked)


def test_spellings_are_forgotten_and_asked_again(monkeypatch: pytest.MonkeyPatch) -> None:
    """One finder over many batches, with room for few names: what it kept changes nothing."""
    names = table(f"n{i}" for i in range(50))
    texts = [f"n{i % 50} n{i * 7 % 50} m" for i in range(300)]
    expected = spans(names, texts)
    assert len(expected) == 600
    monkeypatch.setattr(module, "_BATCH", 40)
    for room in (0, 30, 1 << 21):
        monkeypatch.setattr(name_table, "_ROOM", room)
        assert spans(names, texts) == expected


def test_texts_out_of_order_are_refused() -> None:
    one = np.array([1, 0]), np.zeros(2, np.int64), np.ones(2, np.int64)
    with pytest.raises(ValueError, match="order"):
        NameFinder(table(["a"])).find_between(["abc", "b"], *one)


WORDS = st.sampled_from(["a", "b", "A", "c", "ab", "é", "e\u0301", "E\u0301", "ß", "SS", "ss", "ﬁ", "ǰ", "가", "각"])
SIGNS = st.sampled_from([*".'-+😀\u0301\u0323\u200d\u1161\u11a8東京かタ\u3099กิ๑ و", "\u00a0", "  ", "\n"])
PIECE = st.one_of(WORDS, SIGNS, st.just(" "), st.just(" "))
NAME = st.lists(PIECE, min_size=1, max_size=6).map("".join)
TEXT = st.lists(PIECE, max_size=30).map("".join)


@st.composite
def blocked_texts(draw: st.DrawFn) -> tuple[list[str], Blocked]:
    texts = draw(st.lists(TEXT, max_size=4))
    blocked = []
    for text in texts:
        place = st.integers(0, len(text))
        pairs = draw(st.lists(st.tuples(place, place), max_size=3))
        blocked.append([(min(pair), max(pair)) for pair in pairs])
    return texts, blocked


@settings(deadline=None)
@given(st.lists(NAME, max_size=12), blocked_texts(), st.booleans())
def test_as_a_look_up_at_every_token(some: list[str], corpus: tuple[list[str], Blocked], folded: bool) -> None:
    texts, blocked = corpus
    # Phrases of the texts are names too, so that there is much to find.
    names = table([*some, *(text[i : i + 5].strip() for text in texts for i in range(0, len(text), 3))], folded)
    simple = SimpleFinder([names.name(i) for i in range(len(names))], names.form)
    expected = [
        (index, start, end, names.id(simple.trie.restore_key(number)))
        for index, (text, links) in enumerate(zip(texts, blocked, strict=True))
        for start, end, number in simple.find(text, links)
    ]
    found = spans(names, texts, blocked)
    assert found == expected
    for index, start, end, number in found:
        assert names.form(texts[index][start:end]) == names.name(number)


@settings(deadline=None)
@given(st.lists(NAME, max_size=8), st.lists(TEXT, max_size=4))
def test_equal_hashes_are_told_apart(some: list[str], texts: list[str]) -> None:
    """The table proposes the id 0 for everything that it does not know: only spellings decide."""
    names = table([*some, "a b", "b"])
    expected = spans(names, texts)
    real = NameHashes.ids

    def deceived(self: NameHashes, hashes: np.ndarray) -> np.ndarray:
        return np.maximum(real(self, hashes), 0)

    with pytest.MonkeyPatch.context() as patch:
        patch.setattr(NameHashes, "ids", deceived)
        patch.setattr(NameHashes, "flags", lambda self, hashes: np.full(len(hashes), 3, np.uint8))
        assert spans(names, texts) == expected


def test_any_unicode_text_spells_its_names() -> None:
    """Characters whose folding crosses a border included: a span found is a name's, whatever it is."""

    @settings(deadline=None)
    @given(st.lists(st.text(st.characters(max_codepoint=0x1FFFF), min_size=1), min_size=1), st.booleans())
    def check(some: list[str], folded: bool) -> None:
        texts = [f"=\u0345\u0301{a} {b}\u0345" for a, b in zip(some, reversed(some), strict=True)]
        names = table(filter(is_writable, [*some, "ι", "=ι", "=\u0301"]), folded)
        for index, start, end, number in spans(names, texts):
            assert names.form(texts[index][start:end]) == names.name(number)

    check()


def test_real_texts(shared_data: Path) -> None:
    """Every dump's articles: the links' anchors and targets as names, found as the trie finds them."""
    from wikiprep.dump.dump_files import find_parts
    from wikiprep.dump.pages import Page, RangeReader
    from wikiprep.dump.ranges import plan_ranges
    from wikiprep.dump.site import Site
    from wikiprep.wikitext.extract import extract

    for dump in ("simplewiki-7pages", "enwiki-27pages-longarticles", "ltgwiki-whole-2004pages"):
        parts = find_parts([str(shared_data / "dumps" / f"{dump}.xml.bz2")])
        site = Site.of(parts[0].siteinfo)
        paragraphs = [
            paragraph
            for piece in plan_ranges(parts, 10**9)
            for page in RangeReader(piece, site.siteinfo)
            if isinstance(page, Page) and page.namespace == 0
            for paragraph in extract(page.text, page.title, site).paragraphs
        ][:1500]
        names = table(
            name for p in paragraphs for link in p.links for name in (link.target, p.text[link.start : link.end])
        )
        texts = [p.text for p in paragraphs]
        blocked = [[(link.start, link.end) for link in p.links] for p in paragraphs]
        simple = SimpleFinder([names.name(i) for i in range(len(names))], names.form)
        expected = [
            (index, start, end, names.id(simple.trie.restore_key(number)))
            for index, (text, links) in enumerate(zip(texts, blocked, strict=True))
            for start, end, number in simple.find(text, links)
        ]
        assert len(expected) > 100
        assert spans(names, texts, blocked) == expected
