"""`-{…}-` as MediaWiki's ConverterRule reads it for the reader who chose no variant (each line was settled with it)."""

from collections import Counter

import pytest
from hypothesis import given
from hypothesis import strategies as st

from wikiprep.dump.site import Site
from wikiprep.wikitext.control_marks import NOTHING
from wikiprep.wikitext.extract import extract
from wikiprep.wikitext.variants import strip_variants, variants_of

ZH = Site.for_language("zh")


@pytest.mark.parametrize(
    ("code", "text", "shown"),
    [
        ("zh", "a-{zh-hans:测试;zh-hant:測試}-b", "a测试b"),
        ("zh", "a-{zh-tw:台;zh-hk:港}-b", "a台b"),
        ("zh", "a-{zh:原;zh-hans:简}-b", "a原b"),
        ("zh", "a-{A|zh-cn:甲;zh-tw:乙}-b", "a甲b"),
        ("zh", "a-{H|zh-cn:甲;zh-tw:乙}-b", "ab"),
        ("zh", "a-{T|zh-cn:甲;zh-tw:乙}-b", "ab"),
        ("zh", "a-{-|zh-cn:甲;zh-tw:乙}-b", "ab"),
        ("zh", "a-{D|zh-cn:甲;zh-tw:乙}-b", "a大陆：甲；臺灣：乙；b"),
        ("zh", "a-{N|zh-hk}-b", "a香港b"),
        ("zh", "a-{R|原文}-b -{原文}- -{|文}- -{X|文}-", "a原文b 原文 文 文"),
        ("zh", "a-{zh-hans;zh-hant|文}-b", "a文b"),
        ("zh", "a-{zh-hans;zh-hant|頭}-b-{zh-tw|头}-c-{sr-el|头}-", "a头b頭c头"),
        ("zh", "a-{甲=>zh-tw:乙}-b", "a乙b"),
        ("zh", "a-{zh-cn:x:y;zh-tw:z}-b", "ax:yb"),
        ("zh", "a-{xx:甲}-b", "axx:甲b"),
        ("zh", "-{zh-hans:外-{zh-hans:内;zh-hant:內}-;zh-hant:x}-y", "外内y"),
        ("zh", "-{zh-hans:甲;\nzh-hant:乙;\n}-b", "甲b"),
        ("zh", "a}-b -{}-", "a}-b "),
        ("zh", "a-{b", "ab"),
        ("sr", "a-{sr-ec:ћир;sr-el:lat}-b", "aћирb"),
        ("sr", "a-{sr-el:lat}-b", "ab"),
        ("sr", "-{sr-Cyrl:ћ;sr-Latn:l}- -{New York}-", "ћ New York"),
        ("kk", "a-{kk-cyrl:ә;kk-latn:b}-c", "aәc"),
        ("uz", "a-{uz-cyrl:ә;uz-latn:b}-c", "abc"),
        ("ku", "a-{ku-arab:ا;ku-latn:b}-c", "abc"),
        ("tg", "a-{tg:b;tg-latn:c}-", "ab"),
        ("iu", "a-{ike-cans:ᐃ;ike-latn:b}-c", "aᐃc"),
        ("gan", "a-{gan-hans:简;gan-hant:繁}-c", "a简c"),
        ("zh", "a\n-{H|zh-cn:甲;zh-tw:乙}-* b", f"a\n{NOTHING}* b"),  # as a line it began with no mark
        ("en", "a-{zh:b}-c", "a-{zh:b}-c"),
        ("ja", "-{a}-", "-{a}-"),
        ("zh-yue", "-{a}-", "-{a}-"),
    ],
)
def test_shown(code: str, text: str, shown: str) -> None:
    assert strip_variants(text, code, Counter(), Counter()) == shown


def test_links_of_other_forms_are_counted() -> None:
    links: Counter[str] = Counter()
    text = "-{zh-hans:[[甲|A]];zh-hant:[[乙|B]] [[丙]]}- -{[[丁|D]]}-"
    shown = strip_variants(text, "zh", links, Counter())
    assert shown == f"[[甲|A]]{NOTHING} [[丁|D]]{NOTHING}"  # letters behind it do not join it
    assert links == {"found": 2, "variant": 2}


def test_what_is_never_closed_is_flagged() -> None:
    flags: Counter[str] = Counter()
    assert strip_variants("-{a" * 20, "zh", Counter(), flags) == "a" * 20
    assert flags == {"unclosed:variant": 10, "limit:variant depth": 10}


def test_languages_with_variants() -> None:
    assert [code for code in ("zh", "sr", "kk", "en", "de", "wuu") if variants_of(code)] == ["zh", "sr", "kk"]


@given(
    st.lists(
        st.sampled_from(("-{", "}-", "[[", "]]", "|", "\n", "zh-hans:", ";zh-hant:", "甲", "乙", "R|")), max_size=14
    )
)
def test_no_rule_makes_a_target(pieces: list[str]) -> None:
    """However rules and links are interlocked: what leads somewhere is a title that was written without a rule."""
    text = "".join(pieces)
    written = text.lower()  # a title begins with a capital
    result = extract(text, "Page", ZH)
    assert result.links["found"] == sum(n for reason, n in result.links.items() if reason != "found")
    for paragraph in result.paragraphs:
        for link in paragraph.links:
            begins = f"[[{link.target}".lower()
            assert any(begins + end in written for end in ("|", "]]", " |", " ]]"))


@given(
    st.text("甲乙 a", max_size=5),
    st.sampled_from(("{}", "zh-hans:{};zh-hant:x", "R|{}")),
    st.text("甲乙 a", max_size=5),
)
def test_a_target_with_a_rule_keeps_its_label(before: str, rule: str, after: str) -> None:
    result = extract(f"词 [[{before}-{{{rule.format('球')}}}-{after}|标签]] 词", "Page", ZH)
    assert [(p.text, list(p.links)) for p in result.paragraphs] == [("词 标签 词", [])]
    assert result.links["invalid"] == 1
