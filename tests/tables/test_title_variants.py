"""Titles across scripts: what `findVariantLink` of MediaWiki 1.39.17 found, asked with these pages in its database."""

import string
from pathlib import Path

import pytest
from hypothesis import given
from hypothesis import strategies as st
from make_tables import PageRow, is_main, page, pages_of, write_articles, write_partial

from wikiprep.dump.site import Site
from wikiprep.tables.given_vocabulary import build_given_vocabulary
from wikiprep.tables.link_counts import count_links
from wikiprep.tables.page_tables import build_pages
from wikiprep.tables.title_lookup import TITLE_ARRAYS, TITLE_TRIE, TitleTable
from wikiprep.tables.title_variants import TitleVariants

FOUND = {
    "zh": (
        ["台灣", "计程车", "頭髮", "软件", "繁體", "繁体", "计算机软件"],
        {
            "台灣": "台灣",
            "台湾": "台灣",
            "臺灣": None,  # of which no variant writes 台灣
            "計程車": "计程车",
            "出租車": None,
            "头发": "頭髮",
            "頭发": None,  # half of it; 發, not 髮
            "軟件": "软件",
            "軟體": "软件",  # as Taiwan calls it
            "繁体": "繁体",  # each has a page of its own
            "繁體": "繁體",
            "计算機软件": "计算机软件",
            "不存在的頁": None,
        },
    ),
    "sr": (
        ["Нови Сад", "Петар I Петровић", "Njegoš", "XIV век", "Љубљана"],
        {
            "Novi Sad": "Нови Сад",
            "Petar I Petrović": "Петар I Петровић",  # a Roman number stays Latin
            "Његош": "Njegoš",
            "XIV vek": "XIV век",
            "Ljubljana": "Љубљана",
            "Beograd": None,
        },
    ),
    "kk": (["Қазақстан", "Алматы"], {"Qazaqstan": "Қазақстан", "قازاقستان": None, "Almatı": "Алматы", "Астана": None}),
    "ku": (["Amed", "Hewlêr"], {"ئامەد": "Amed", "هەولێر": "Hewlêr"}),  # amed, with the capital of titles
    "uz": (["Toshkent", "Ўзбекистон"], {"Тошкент": "Toshkent", "Oʻzbekiston": "Ўзбекистон"}),
    "tg": (["Duşanbe"], {"Душанбе": "Duşanbe"}),
    "crh": (["Aqmescit", "Къырым"], {"Акъмесджит": "Aqmescit", "Qırım": "Къырым"}),
    "iu": (["Iqaluit", "ᐃᒡᓗ"], {"ᐃᖃᓗᐃᑦ": "Iqaluit", "Iglu": "ᐃᒡᓗ"}),
    "shi": (["Agadir"], {"ⴰⴳⴰⴷⵉⵔ": "Agadir"}),
    "gan": (["漢語"], {"汉语": "漢語"}),
    "tly": (["Lankon", "Ардәвил"], {"Ланкон": "Lankon", "Ardəvil": "Ардәвил"}),
}


def table_of(folder: Path, language: str, pages: list[PageRow]) -> TitleTable:
    folder.mkdir(parents=True, exist_ok=True)
    variants = TitleVariants.of_site(Site.for_language(language))
    build_pages([write_partial(folder / "p.arrow", pages)], folder, is_main=is_main, variants=variants)
    return TitleTable.open(folder)


@pytest.mark.parametrize("language", FOUND)
def test_links_lead_where_mediawiki_finds_a_page(language: str, tmp_path: Path) -> None:
    titles, links = FOUND[language]
    table = table_of(tmp_path, language, [page(i, title) for i, title in enumerate(titles, 1)])
    found = {link: table.resolve(link) for link in links}
    assert {link: end.title if end.page_id else None for link, end in found.items()} == links
    assert all(end.via_variant == (end.page_id is not None and end.title != link) for link, end in found.items())
    numbers, by_variant = table.of_targets(list(links))
    assert [table.title(n) if n >= 0 else None for n in numbers.tolist()] == list(links.values())
    assert by_variant.tolist() == [end.via_variant for end in found.values()]
    assert all(end.title == link for link, end in found.items() if end.page_id is None)


def test_the_order_of_variants_decides_and_a_page_of_the_title_itself_first(tmp_path: Path) -> None:
    mixed = "头髮软體"  # written by halves: zh-hans 头发软体, zh-hant 頭髮軟體
    table = table_of(tmp_path / "both", "zh", [page(1, "頭髮軟體"), page(2, "头发软体")])
    assert table.resolve(mixed).title == "头发软体"
    table = table_of(tmp_path / "own", "zh", [page(1, "頭髮軟體"), page(2, "头发软体"), page(3, mixed)])
    assert table.resolve(mixed) == table.resolve(mixed) and not table.resolve(mixed).via_variant
    assert table.resolve(mixed).page_id == 3


PAGES = [
    page(1, "計算機"),
    page(2, "电脑", target="計算機"),
    page(3, "断链", target="無此頁"),
    page(4, "環", target="环"),  # leads to a title that the dump lacks, of which it is the variant itself
    page(5, "頭髮", "disambiguation"),
    page(6, "鏈", target="電腦"),
]


def test_redirects_of_a_variant_are_followed(tmp_path: Path) -> None:
    table = table_of(tmp_path, "zh", PAGES)
    end = table.resolve("電腦")  # its variant 电脑 is a redirect
    assert (end.title, end.page_id, end.via_redirect, end.via_variant) == ("計算機", 1, True, True)
    assert table.direct("電腦") == "計算機" and table.direct("计算机") == "計算機"
    assert table.direct("無此頁") == "無此頁"
    broken = table.resolve("斷鏈")
    assert (broken.title, broken.page_id, broken.status, broken.via_variant) == ("無此頁", None, "missing", True)
    # What a redirect names is taken as it is written, as in MediaWiki: no variant is tried.
    assert (table.resolve("鏈").page_id, table.resolve("鏈").status) == (None, "missing")
    assert (table.resolve("环").status, table.resolve("环").via_variant) == ("missing", True)


def test_links_by_variant_are_counted_for_their_page_in_a_row_of_their_own(tmp_path: Path) -> None:
    table = table_of(tmp_path, "zh", PAGES)
    targets = ["計算機", "计算机", "计算机", "電腦", "电脑", "头发", "斷鏈", "没有", "Category:頭髮"]
    part = write_articles(tmp_path / "articles.parquet", [("甲", targets)])
    counts = count_links(part, table, is_main, tmp_path / "counts.arrow").counts
    assert {key: n for key, n in counts.items() if n} == {
        "links.read": 9,
        "links.article.direct": 1,
        "links.article.redirect": 1,
        "links.article.variant": 3,
        "links.disambiguation.variant": 1,
        "links.missing.direct": 1,
        "links.missing.variant": 1,
        "links.other_namespace": 1,
    }


def test_a_vocabulary_from_elsewhere_has_one_entity_a_page(tmp_path: Path) -> None:
    table = table_of(tmp_path, "zh", PAGES)
    part = write_articles(tmp_path / "articles.parquet", [("甲", ["计算机", "計算機"])])
    count_links(part, table, is_main, tmp_path / "counts.arrow")
    vocabulary = tmp_path / "vocab.tsv"
    vocabulary.write_text("[PAD]\t0\n[UNK]\t0\n[MASK]\t0\n电脑\t9\n计算机\t5\n計算機\t1\n头发\t1\n")
    made = build_given_vocabulary([tmp_path / "counts.arrow"], tmp_path, tmp_path, str(vocabulary), "zh", normalise=str)
    given = {key.removeprefix("vocabulary.given."): n for key, n in made.counts.items() if ".given." in key}
    assert given == {"exact": 1, "redirect": 0, "variant": 0, "merged": 2, "disambiguation": 1, "missing": 0}
    assert made.counts["vocabulary.links.covered"] == 2


def test_a_wiki_of_one_script_has_the_bytes_that_it_had(tmp_path: Path) -> None:
    assert TitleVariants.of_site(Site.for_language("ja")) is None
    pages_of(tmp_path / "plain", PAGES)
    table = table_of(tmp_path / "ja", "ja", PAGES)
    for name in (TITLE_TRIE, TITLE_ARRAYS):
        assert (tmp_path / "plain" / name).read_bytes() == (tmp_path / "ja" / name).read_bytes()
    assert not table.has_variants and table.resolve("计算机").page_id is None
    part = write_articles(tmp_path / "articles.parquet", [("甲", ["计算机"])])
    assert not any("variant" in key for key in count_links(part, table, is_main, tmp_path / "c.arrow").counts)


def test_titles_of_a_wiktionary_keep_their_first_letter() -> None:
    variants = TitleVariants("sr", capital=False)
    assert variants.others("реч") == ["reč"] and TitleVariants("sr").others("реч") == ["Reč"]
    assert TitleVariants.of_metadata(variants.metadata()) == variants and TitleVariants.of_metadata({}) is None


@given(st.text(string.ascii_letters + "абвгђжшŠČ 頭发發XIV", max_size=12), st.sampled_from(list(FOUND)))
def test_variants_of_any_title_are_other_titles(title: str, language: str) -> None:
    others = TitleVariants(language).others(title)
    assert title not in others and len(set(others)) == len(others)
    assert all(other == other.strip(" ") and "  " not in other and other for other in others)
