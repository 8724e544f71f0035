"""The counter of defects, and its limits on the 106 English articles of ../shared/data."""

from pathlib import Path

import pytest

from wikiprep.dump.dump_files import find_parts
from wikiprep.dump.pages import Page, RangeReader
from wikiprep.dump.ranges import plan_ranges
from wikiprep.dump.site import Site
from wikiprep.dump.siteinfo import read_siteinfo
from wikiprep.wikitext.defects import KINDS, Defects, count_defects
from wikiprep.wikitext.extract import Extractor


@pytest.mark.parametrize(
    ("kind", "bad", "good"),
    [
        ("empty brackets", "Albania ( ), officially", "f(x) and '() –"),
        ("bracket and comma", "Aikido (, 14 December)", "(a, b)"),
        ("table", "x |- y", "a | b"),
        ("table", 'colspan="2" a', "columns"),
        ("image option", "thumb|A fox", "a thumb"),
        ("image option", "a 200px b", "200 px"),
        ("quotes", "a ''b", "a 'b'"),
        ("link brackets", "a [[b", "a [b]"),
        ("braces", "a }} b", "a } b"),
        ("tag", "a<ref>b", "a < b"),
        ("address in brackets", "[http://a.b c", "(http://a.b)"),
        ("entity", "R&amp;D", "R&D; x"),
        ("switch", "__NOTOC__ a", "__init__"),
        ("space before punctuation", "typically between .", "and so . . . on"),
        ("doubled spaces", "a  b", "a b"),
        ("a word is missing", "weight is typically between .", "the son and between them."),
        ("a word is missing", "weighs approximately , and", "is approximately two"),
        ("sentences run together", "in production.Parliament is here", "www.Example.com"),
    ],
)
def test_kinds(kind: str, bad: str, good: str) -> None:
    assert KINDS[kind].search(bad)
    assert not KINDS[kind].search(good)


def test_counts_and_contexts() -> None:
    defects = Defects()
    count_defects(defects, "T", ["a ( ) b", "fine here"])
    assert (defects.words, defects.counts, defects.hits) == (
        6,
        {"empty brackets": 1},
        [("empty brackets", "T", "a ( ) b")],
    )
    assert defects.rate("empty brackets") == pytest.approx(10_000 / 6)


# Each is so in the wikitext: a list sets spaces, an author forgot one.
NONE = [
    *("empty brackets", "bracket and comma", "table", "image option", "quotes", "link brackets", "braces", "tag"),
    *("address in brackets", "entity", "switch", "doubled spaces", "blank at an end"),
]


def test_the_english_articles_are_clean(shared_data: Path) -> None:
    path = shared_data / "dumps" / "enwiki-2016-206pages.xml.bz2"
    site = Site.of(read_siteinfo(str(path)))
    extractor = Extractor(site)
    defects = Defects()
    for piece in plan_ranges(find_parts([str(path)]), 32_000_000):
        for page in RangeReader(piece, site.siteinfo):
            if isinstance(page, Page) and page.namespace == 0 and page.redirect is None:
                texts = [p.text for p in extractor.extract(page.text, page.title).paragraphs]
                count_defects(defects, page.title, texts)
    assert {kind: hits for kind in NONE if (hits := [hit for hit in defects.hits if hit[0] == kind])} == {}
    for kind in ("space before punctuation", "a word is missing"):
        assert defects.rate(kind) < 1, [hit for hit in defects.hits if hit[0] == kind]
    assert defects.counts["sentences run together"] <= 7  # as typed: "left homeless.The communist partisans"
    assert defects.counts["bare address"] <= 6  # as typed in the text
