"""Captions of images: what they say, where they stand, and that they change nothing else."""

import random
from pathlib import Path

import pytest
from hypothesis import given, settings
from hypothesis import strategies as st

from wikiprep.dump.dump_files import find_parts
from wikiprep.dump.pages import Page, RangeReader
from wikiprep.dump.ranges import plan_ranges
from wikiprep.dump.site import Site
from wikiprep.wikitext.article import Extraction
from wikiprep.wikitext.extract import extract

from .cases import read_cases
from .hostile import UNITS, mixture, repeated
from .test_properties import check

EN = Site.for_language("en")


def read(text: str) -> Extraction:
    result = extract(text, "T", EN, captions=True)
    check(result)
    return result


def shown(text: str) -> list[tuple[str, str, list[tuple[str, str]]]]:
    """Kind, text and links (mention, target) of each paragraph."""
    return [(p.kind, p.text, [(p.text[k.start : k.end], k.target) for k in p.links]) for p in read(text).paragraphs]


def check_both(text: str, site: Site = EN, title: str = "T") -> int:
    """Asserts that captions add paragraphs and change nothing else; how many they are."""
    plain, full = (extract(text, title, site, captions=captions) for captions in (False, True))
    check(full)
    others = [p for p in full.paragraphs if p.kind != "caption"]
    assert others == plain.paragraphs
    assert (full.categories, full.interlanguage) == (plain.categories, plain.interlanguage)
    moved = {"kept", "caption", "empty"}
    assert {k: n for k, n in full.links.items() if n and k not in moved} == {
        k: n for k, n in plain.links.items() if n and k not in moved
    }
    return len(full.paragraphs) - len(others)


def test_an_image_in_a_caption_is_dropped() -> None:
    text = "[[File:A.jpg|thumb|OUTER [[b]] [[File:B.jpg|INNER]] f]] Text"
    assert shown(text) == [("prose", "Text", []), ("caption", "OUTER b f", [("b", "B")])]
    assert {k: n for k, n in read(text).links.items() if n} == {"found": 3, "file": 2, "kept": 1}


def test_an_image_with_an_open_image_behind_it_is_none() -> None:
    """As MediaWiki 1.39 shows it: neither is an image, and the text of both is the page's."""
    text = "[[File:A.jpg|thumb|OUTER [[b]] [[File:B.jpg|INNER [[d]]]] f]] Text"
    assert shown(text) == [("prose", "OUTER b INNER d f Text", [("b", "B"), ("d", "D")])]
    assert {k: n for k, n in read(text).links.items() if n} == {"found": 4, "nested": 2, "kept": 2}
    text = "[[File:A.jpg|thumb|See [[File:i.svg|20px|link=[[x]]]] here [[k]]]]"
    assert shown(text) == [("prose", "See link=x here k", [("x", "X"), ("k", "K")])]


def test_later_captions_keep_their_own_place() -> None:
    text = "[[File:A.jpg|thumb|one [[File:B.jpg|two]] [[b]]]]\n== H ==\nText\n[[File:C.jpg|thumb|three [[c]]]]\nmore"
    assert [(p.section, p.text) for p in read(text).paragraphs] == [
        ((), "one b"),
        (("H",), "Text"),
        (("H",), "three c"),
        (("H",), "more"),
    ]


def test_links_of_other_parts_are_dropped() -> None:
    text = "[[File:A.jpg|[[a]]|cap [[b]] and [[c|d]]|alt=see [[e]]]]"
    assert shown(text) == [("caption", "cap b and d", [("b", "B"), ("d", "C")])]
    assert read(text).links["caption"] == 2
    assert read("[[File:A.jpg|thumb|alt=[[a]]]]").paragraphs == []


def test_a_caption_in_a_heading() -> None:
    (prose, caption) = sorted(read("== H [[File:x.jpg|20px|cap]] ==\nT").paragraphs, key=lambda p: p.text)
    assert (prose.section, prose.kind, prose.text) == (("H",), "prose", "T")
    assert (caption.section, caption.kind, caption.text) == (("H",), "caption", "cap")
    assert [(p.section, p.text) for p in read("== H [[File:x.jpg|20px]] ==\nT").paragraphs] == [(("H",), "T")]


def test_a_caption_in_a_block_comes_after_it() -> None:
    assert shown("* a [[File:x.jpg|20px|cap]] b [[q]]") == [
        ("list_item", "a b q", [("q", "Q")]),
        ("caption", "cap", []),
    ]
    assert shown("a [[File:x.jpg|one]] b\nc [[File:x.jpg|two]]\n\nd") == [
        ("prose", "a b c", []),
        ("caption", "one", []),
        ("caption", "two", []),
        ("prose", "d", []),
    ]


@pytest.mark.parametrize(
    ("text", "caption"),
    [
        ("[[File:A.jpg|thumb|see [https://example.org/x site] and [[b]]]]", "see site and b"),
        ("[[File:A.jpg|thumb|[[b]] see [https://example.org/x site]]] c", "b see site"),
        ("[[File:A.jpg|thumb|see [https://example.org/x site]]]", "see site"),
        ("[[File:A.jpg|thumb|see b [http://a.b]]]", "see b [1]"),
        ("[[File:A.jpg|thumb|see [[b]] [http://a.b] ]]", "see b [1]"),
        ("[[File:A.jpg|thumb|see [[b]] ([http://a.b])]]", "see b ([1])"),
        ("[[File:A.jpg|thumb|see [[b]], [http://a.b]]]", "see b, [1]"),
    ],
)
def test_external_links(text: str, caption: str) -> None:
    result = read(text)
    assert [p.text for p in result.paragraphs if p.kind == "caption"] == [caption]
    assert result.flags == ["external"]


def test_no_mark_of_a_caption_is_left() -> None:
    assert shown("[[File:A.jpg|thumb|a &#91;x&#93; [[b]]]]") == [("caption", "a [x] b", [("b", "B")])]
    assert shown("[[File:A.jpg|thumb|a<blockquote>q</blockquote>[[b]]]]\nT") == [
        ("caption", "a", []),
        ("caption", "q", []),
        ("caption", "b", [("b", "B")]),
        ("prose", "T", []),
    ]


PIECES = ["[[File:a.jpg|", "[[Image:b.jpg|thumb|", "[[File:c.jpg]]", "[[x]]", "[[y|z]]", "[[T]]", "[[p|q [[r]] s]]"]
PIECES += ["]]", "]]", "]]", "|", "]", "[http://a.b]", "[http://a.b c ", " w ", "\n", "\n* ", "\n== ", " ==\n", "''"]
PIECES += ["link=", "alt=", "<blockquote>", "</blockquote>", "<div>", "&#91;", "{{x}}", ", ", "[[Category:k]]", ": "]
PIECES += ["\n\n", "\n ", "\n|-", "[[", "[[v|", "[[u|{{x}}]]", "[[File:d.svg|20px|link=[[e]]]]", ";", "\n----"]


@settings(max_examples=300, deadline=None)
@given(st.lists(st.sampled_from(PIECES), max_size=30).map("".join))
def test_images_in_captions(text: str) -> None:
    check_both(text)


def test_images_in_captions_seeded() -> None:
    chance = random.Random(7)
    found = sum(check_both("".join(chance.choices(PIECES, k=chance.randrange(60)))) for _ in range(1500))
    assert found > 400  # captions; an image that has an open [[ behind it has none


def test_cases_read_the_same_with_captions() -> None:
    sites = {case.language: Site.for_language(case.language) for case in read_cases()}
    assert sum(check_both(case.text, sites[case.language], "Page") for case in read_cases()) > 15


def test_hostile_pages_read_the_same_with_captions() -> None:
    for unit in UNITS:
        check_both(repeated(unit, 400))
    for seed in range(100):
        check_both(mixture(seed, 400))


@pytest.mark.parametrize("dump", ["enwiki-27pages-longarticles", "simplewiki-7pages"])
def test_real_pages_read_the_same_with_captions(shared_data: Path, dump: str) -> None:
    parts = find_parts([str(shared_data / "dumps" / f"{dump}.xml.bz2")])
    site = Site.of(parts[0].siteinfo)
    pages = [found for piece in plan_ranges(parts, 10**9) for found in RangeReader(piece, site.siteinfo)]
    found = [check_both(p.text, site, p.title) for p in pages if isinstance(p, Page) and p.redirect is None]
    assert sum(found) > 0
