"""Pages in one variant of their language; each text is what MediaWiki 1.39.17 shows a reader who chose that variant."""

import string
from pathlib import Path
from xml.sax.saxutils import unescape

import pytest
from hypothesis import given
from hypothesis import strategies as st

from wikiprep.dump.site import Site
from wikiprep.errors import UsageError
from wikiprep.wikitext.article import Extraction
from wikiprep.wikitext.extract import extract
from wikiprep.wikitext.variants import require_variant

from .oracle_support import missing, oracle

SITES = {
    code: Site.for_language(code) for code in ("zh", "sr", "kk", "ku", "uz", "crh", "gan", "iu", "shi", "tg", "tly")
}


def read(text: str, code: str, variant: str | None) -> Extraction:
    return extract(text, "P", SITES[code], variant=variant)


def shown(text: str, code: str, variant: str) -> list[str]:
    """Paragraphs, links in brackets."""
    lines = []
    for paragraph in read(text, code, variant).paragraphs:
        line, at = "", 0
        for link in paragraph.links:
            line += f"{paragraph.text[at : link.start]}[{paragraph.text[link.start : link.end]}]"
            at = link.end
        lines.append(line + paragraph.text[at:])
    return lines


MICE = "'''計算機'''是[[软件|軟件]]和-{zh-hans:鼠标;zh-hant:滑鼠}-的[[頭髮]]，[[头发]]。"


CASES = [
    ("zh", "zh-hans", MICE, ["计算机是[软件]和鼠标的[头发]，[头发]。"]),
    ("zh", "zh-tw", MICE, ["計算機是[軟體]和滑鼠的[頭髮]，[頭髮]。"]),
    (
        "zh",
        "zh-tw",
        "== 软件 ==\n里面的[[軟體工程|软件工程]]\n* 头发\n; 干 : 幹",
        ["裡面的[軟體工程]", "頭髮", "干", "幹"],
    ),
    ("zh", "zh-cn", "他在[[一只]]猫的滑鼠", ["他在[一只]猫的鼠标"]),
    # No word across the edge of a link: 軟件 is 軟體 in Taiwan, 軟 and 件 are not.
    ("zh", "zh-tw", "软[[件]]、软件、[[软]]件", ["軟[件]、軟體、[軟]件"]),
    # Rules for the page.
    (
        "zh",
        "zh-tw",
        "-{H|zh-cn:菠菜;zh-tw:波菜}-吃菠菜和-{菠菜 頭發}-，[[菠菜|吃菠菜]]。",
        ["吃波菜和菠菜 頭發，[吃波菜]。"],
    ),
    ("zh", "zh-cn", "甲-{A|zh-cn:打印机;zh-tw:印表機}-乙打印机丙印表機", ["甲打印机乙打印机丙打印机"]),
    ("zh", "zh-tw", "甲-{A|zh-cn:打印机;zh-tw:印表機}-乙打印机丙印表機", ["甲印表機乙印表機丙印表機"]),
    ("zh", "zh-hans", "-{H|zh-cn:甲甲;zh-tw:乙乙}-乙乙", ["乙乙"]),  # MediaWiki takes rules with => alone for it
    ("zh", "zh-hans", "-{H|乙乙=>zh-hans:甲甲}-乙乙", ["甲甲"]),
    ("zh", "zh-tw", "-{-|zh-cn:软件;zh-tw:軟體}-软件", ["軟件"]),  # the table's own pair is taken away
    ("zh", "zh-tw", "-{H|软件=>zh-tw:軟硬體;}-软件和軟體", ["軟硬體和軟體"]),
    ("zh", "zh-hant", "-{H|头发}-头发", ["頭髮"]),
    ("zh", "zh-tw", "-{H|头发}-头发", ["头发"]),
    # Forms stay as they are, nested ones and links too.
    ("zh", "zh-tw", "-{zh-hans;zh-hant|頭髮里面}-後面 -{zh-tw|里面}- -{zh-cn|裡面}-", ["頭髮裡面後面 裡面 裡面"]),
    ("zh", "zh-cn", "-{zh-hans;zh-hant|頭髮里面}-後面 -{zh-tw|里面}- -{zh-cn|裡面}-", ["头发里面后面 里面 里面"]),
    (
        "zh",
        "zh-hans",
        "-{zh-hans:外-{zh-hans:内;zh-hant:內}-;zh-hant:x}-里 -{R|裡面}- 里-{裡}-面",
        ["外内里 裡面 里裡面"],
    ),
    ("zh", "zh-tw", "-{[[頭髮|头发]]和[[里面]]}-里面 [[里面|-{里面}-]]", ["[头发]和[里面]裡面 [里面]"]),
    ("zh", "zh-cn", "-{T|zh-cn:甲;zh-tw:乙}- -{N|zh-hk}-的裡面", ["香港的里面"]),
    # Addresses and literal text.
    ("zh", "zh-tw", "[http://a.example/软件 软件] http://a.example/软件 里面", ["軟體 http://a.example/软件 裡面"]),
    ("zh", "zh-cn", "<nowiki>頭髮</nowiki>裡面 <code>頭髮</code> 頭髮", ["頭髮里面 頭髮 头发"]),
    ("sr", "sr-el", "Љубав [[Ljubljana|Љубљана]] и XIV век, -{Њујорк}-", ["Ljubav [Ljubljana] i XIV vek, Њујорк"]),
    ("sr", "sr-ec", "Petar I je u XIX veku, [[Džep]]: -{New York}-", ["Петар I је у XIX веку, [Џеп]: New York"]),
    ("sr", "sr-ec", "http://primer.example/a i [http://primer.example b]", ["http://primer.example/a и б"]),
    ("sr", "sr-el", "Već šećer i један", ["Već šećer i један"]),  # Latin by its letters
    ("kk", "kk-latn", "Қазақстан [[Алматы|Алматы қаласы]] №1", ["Qazaqstan [Almatı qalası] No.1"]),
    ("kk", "kk-arab", "үй және көл 12", ["ٴۇي جانە كول ۱۲"]),
    ("uz", "uz-cyrl", "Toshkent [[yer|yerlar]]", ["Тошкент [ерлар]"]),
    ("crh", "crh-cyrl", "Aqmescit [[büyük|büyük köy]] XIV asır", ["Акъмесджит [буюк кой] XIV асыр"]),
    ("gan", "gan-hant", "汉语 [[里面]]", ["漢語 [裡面]"]),
    ("iu", "ike-cans", "Iqaluit [[IGLU]]", ["ᐃᖃᓗᐃᑦ [ᐃᒡᓗ]"]),
    ("shi", "shi-tfng", "Agadir", ["ⴰⴳⴰⴷⵉⵔ"]),
    ("tg", "tg-latn", "Душанбе [[Тоҷикистон]]", ["Duşanbe [Toçikiston]"]),
    ("tly", "tly", "Ланкон", ["Lankon"]),
]


@pytest.mark.parametrize(("code", "variant", "text", "blocks"), CASES)
def test_text_is_as_its_reader_sees_it(code: str, variant: str, text: str, blocks: list[str]) -> None:
    assert shown(text, code, variant) == blocks


@pytest.mark.oracle
@pytest.mark.skipif(bool(missing()), reason=missing() or "-")
@pytest.mark.filterwarnings("ignore::pytest.PytestUnraisableExceptionWarning")  # oracle.py leaves a pipe open
def test_mediawiki_shows_the_same() -> None:
    """One at a time: rules of a page stay in the converter of a process."""
    wrong = []
    for code, variant, text, blocks in CASES:
        row = {"id": 1, "title": "P", "text": text}
        (out,) = oracle().render([row], code, {}, variant=variant)
        theirs = [" ".join(block.split()) for block in oracle().answer(row, out)["blocks"]]
        if theirs != [block.replace("[", "").replace("]", "") for block in blocks]:
            wrong.append((variant, text, theirs, blocks))
    assert wrong == []


def chinese_page(shared_data: Path) -> str:
    """The wikitext of the one article of the file, on mathematics; its title is what is broken there."""
    dump = (shared_data / "dumps" / "quirks" / "zhwiki-broken-1.xml").read_text(encoding="utf-8")
    return unescape(dump.rpartition("</text>")[0].rpartition('<text xml:space="preserve">')[2])


def test_a_real_page_keeps_its_links(shared_data: Path) -> None:
    page = chinese_page(shared_data)
    plain, made = (extract(page, "数学", SITES["zh"], templates="drop", variant=variant) for variant in (None, "zh-tw"))
    before, after = ([(p.kind, [k.target for k in p.links]) for p in one.paragraphs] for one in (plain, made))
    assert before == after and sum(len(targets) for _, targets in after) == 299
    changed = sum(a.text != b.text for a, b in zip(plain.paragraphs, made.paragraphs, strict=True))
    assert (changed, made.variant["paragraphs"]) == (33, 32)  # in one of them a form of `-{…}-` alone is another


@pytest.mark.oracle
@pytest.mark.skipif(bool(missing()), reason=missing() or "-")
@pytest.mark.filterwarnings("ignore::pytest.PytestUnraisableExceptionWarning")
@pytest.mark.parametrize("variant", ["zh-cn", "zh-hans", "zh-tw", "zh-hk"])
def test_a_real_page_is_mediawikis_to_the_last_character(variant: str, shared_data: Path) -> None:
    page = chinese_page(shared_data)
    row = {"id": 1, "title": "", "text": page}
    (out,) = oracle().render([row], "zh", {}, variant=variant)
    made = extract(page, "", SITES["zh"], templates="drop", math="drop", variant=variant)
    theirs = [" ".join(block.split()) for block in oracle().answer(row, out)["blocks"]]
    assert [p.text for p in made.paragraphs] == theirs and len(theirs) == 55


def test_targets_and_all_else_stay_as_written() -> None:
    text = f"== 软件 ==\n{MICE}\n[[Category:頭髮]]"
    plain, made = read(text, "zh", None), read(text, "zh", "zh-tw")
    assert [link.target for p in made.paragraphs for link in p.links] == ["软件", "頭髮", "头发"]
    assert (made.categories, made.links) == (plain.categories, plain.links)
    assert plain.paragraphs[0].section == ("软件",) and made.paragraphs[0].section == ("軟體",)
    assert made.variant == {"forms": 1, "paragraphs": 1} and plain.variant == {}


def test_private_characters_of_a_page_are_its_own() -> None:
    for private in ("\U000f4e2d", "\U00104e2d", "\U000f4e2d\U00104e2d"):
        assert shown(f"{private}頭-{{頭}}-", "zh", "zh-hans")[0].startswith(f"{private}头")
    assert shown("\U000f4e2d頭-{頭}-", "zh", "zh-hans") == ["\U000f4e2d头頭"]


def test_what_a_table_drops_leaves_no_empty_mention() -> None:
    assert shown("i [[i]] a\n\nb a", "ku", "ku-arab") == ["[i]ئا", "بئا"]
    assert shown("ь\n\n[[ь]] а", "crh", "crh-latn") == ["ь", "[ь] a"]


PIECES = st.sampled_from(
    [
        *("[[头发]]", "[[软件|軟", "]]", "-{", "}-", "zh-hans:里;", "zh-tw:裡;", "H|", "A|", "T|", "|", "\n", "\n\n"),
        *(
            "==",
            "* ",
            "''",
            " ",
            "里面",
            "頭髮",
            "软件",
            "http://a.example/软件",
            "i",
            "ь",
            " a",
            "<nowiki>",
            "</nowiki>",
        ),
        *("\U000f4e2d", ":", ";"),
    ]
)


@given(
    st.lists(PIECES, max_size=16).map("".join), st.sampled_from([("zh", "zh-tw"), ("ku", "ku-arab"), ("sr", "sr-el")])
)
def test_places_of_links_are_exact_whatever_the_page(text: str, of: tuple[str, str]) -> None:
    plain, made = read(text, of[0], None), read(text, *of)
    for paragraph in made.paragraphs:
        assert paragraph.text.strip(string.whitespace) == paragraph.text != "" and "  " not in paragraph.text
        at = 0
        for link in paragraph.links:
            assert at <= link.start < link.end <= len(paragraph.text)
            assert paragraph.text[link.start : link.end].strip(" ") == paragraph.text[link.start : link.end]
            at = link.end
    if "-{" not in text:
        assert [p.kind for p in made.paragraphs] == [p.kind for p in plain.paragraphs]
        assert [k.target for p in made.paragraphs for k in p.links] == [
            k.target for p in plain.paragraphs for k in p.links
        ]
    assert made.links == plain.links or "-{" in text


@pytest.mark.parametrize(
    ("language", "variant", "what"),
    [
        ("zh", "zh-xx", "has no such variant"),
        ("sr", "zh-hans", "has no such variant"),
        ("ja", "zh-hans", "in one script"),
        ("ban", "ban-bali", "transliterator"),
    ],
)
def test_a_variant_that_is_none(language: str, variant: str, what: str) -> None:
    with pytest.raises(UsageError, match=what):
        require_variant(language, variant)


def test_other_ways_to_name_a_variant() -> None:
    assert require_variant("zh", "zh-Hans") == "zh-hans" and require_variant("sr", "sr-Latn") == "sr-el"
