"""Parsoid's HTML to paragraphs, links and accounts: each rule on the smallest page that shows it."""

from typing import Any

import pytest

from wikiprep.dump.site import Site
from wikiprep.parsoid.extract import HtmlExtractor
from wikiprep.wikitext.article import Extraction
from wikiprep.wikitext.extract import extract

from .made import document, link

SITE = Site.for_language("en")
CALL = '{"parts":[{"template":{"target":{"wt":"NAME","href":"./Template:NAME"},"params":{},"i":0}}]}'
X = link("X")
FIGURE = f'<figure typeof="mw:File/Thumb"><a href="./File:A.jpg"></a><figcaption>c {X}</figcaption></figure>'
NUMBERED = '<a rel="mw:ExtLink" class="external autonumber" href="http://a.b"></a>'
TYPED = """<span typeof="mw:Extension/math" data-mw='{"name":"math","attrs":{},"body":{"extsrc":"x"}}'></span>"""
TO_SECTION = '<a rel="mw:WikiLink" href="./Page#S">s</a>'
GALLERY = '<ul class="gallery" typeof="mw:Extension/gallery"><li class="gallerybox">x</li></ul>'


def read(body: str, title: str = "Page", **options: Any) -> Extraction:
    found = HtmlExtractor(SITE, **options).extract(body, title)
    assert found.links["found"] == sum(n for reason, n in found.links.items() if reason != "found")
    return found


def shown(found: Extraction) -> list[tuple[str, int, str]]:
    return [(p.kind, p.depth, p.text) for p in found.paragraphs]


def links(found: Extraction) -> list[tuple[str, str, str | None]]:
    return [(p.text[k.start : k.end], k.target, k.fragment) for p in found.paragraphs for k in p.links]


def call(name: str, tag: str = "span", about: int = 1, more: str = "", inside: str = "") -> str:
    data = CALL.replace("NAME", name)
    return f'<{tag} about="#mwt{about}" typeof="mw:Transclusion" {more} data-mw=\'{data}\'>{inside}</{tag}>'


# Wikitext, and the HTML that Parsoid makes of it: both sides give the same.
BOTH = [
    ("''a'' [[Oslo|b]]s.", f"<p><i>a</i> {link('Oslo', 'bs')}.</p>"),
    ("a\n\nb", "<p>a</p>\n\n<p>b</p>"),
    ("a<br>b", "<p>a<br/>b</p>"),
    ("a\u00a0 b\n c".replace("\n c", ""), "<p>a&nbsp; b</p>"),
    ("* a\n** [[B]]\n* c", f"<ul><li>a\n<ul><li>{link('B')}</li></ul></li>\n<li>c</li></ul>"),
    ("; t : d\n: e", "<dl><dt>t</dt><dd>d</dd>\n<dd>e</dd></dl>"),
    ("<blockquote>q\n\nr</blockquote>", "<blockquote><p>q</p>\n\n<p>r</p></blockquote>"),
    ("== H [[X]] ==\na\n=== I ===\nb", f"<section><h2>H {X}</h2><p>a</p><h3>I</h3><p>b</p></section>"),
    ("{|\n| [[X]]\n|}\na", f"<table><tbody><tr><td>{link('X')}</td></tr></tbody></table><p>a</p>"),
    ("a <ref>[[X]]</ref>.", f'<p>a <sup class="mw-ref reference" typeof="mw:Extension/ref">{link("X")}</sup>.</p>'),
    ("[[a#b c|d]]", f"<p>{link('A#b_c', 'd')}</p>"),
    ("[[#S|s]] [[Page]] [[Page#S|t]]", f"<p>{TO_SECTION} {link('Page')} {link('Page#S', 't')}</p>"),
    ("[[:File:A.jpg|f]] [[:Category:B|c]]", f"<p>{link('File:A.jpg', 'f')} {link('Category:B', 'c')}</p>"),
    (
        "[[:de:X|x]] a [[w:en:Oslo|o]]",
        '<p><a rel="mw:WikiLink/Interwiki" href="https://de.wikipedia.org/wiki/X" title="de:X">x</a> a '
        '<a rel="mw:WikiLink/Interwiki" href="https://en.wikipedia.org/wiki/en:Oslo" title="w:en:Oslo">o</a></p>',
    ),
    ("[[File:A.jpg|thumb|c [[X]]]]a", f"{FIGURE}<p>a</p>"),
    ("a ([[File:A.jpg]]) b", 'a (<span typeof="mw:File"><a href="./File:A.jpg"><img src="x"/></a></span>) b'),
    ("a <math>x</math>, b", f"<p>a {TYPED}, b</p>"),
    ("[http://a.b] d", f"<p>{NUMBERED} d</p>"),
    ("<poem>a\nb\n\nc</poem>", '<div class="poem"><p>a<br/>\nb<br/>\n<br/>\nc</p></div>'),
    ("a<div class='hatnote'>h [[X]]</div>", f'<p>a</p><div class="hatnote">h {link("X")}</div>'),
    ("<pre>x</pre> a", "<pre>x</pre><p>a</p>"),
    ("a <code>c</code>", "<p>a <code>c</code></p>"),
    ("&lt;b> a\u200bb\xad", "<p>&lt;b&gt; a\u200bb\xad</p>"),
    ("<gallery>\nA.jpg|x\n</gallery>a", f"{GALLERY}<p>a</p>"),
]  # fmt: skip


@pytest.mark.parametrize(("wikitext", "html"), BOTH)
def test_the_same_as_of_wikitext(wikitext: str, html: str) -> None:
    math: Any
    for math in ("drop", "text", "tex") if "<math>" in wikitext else ("drop",):
        same(read(html, math=math), extract(wikitext, "Page", SITE, math=math))


def same(ours: Extraction, theirs: Extraction) -> None:
    assert list(ours.paragraphs) == list(theirs.paragraphs)
    assert ours.links["kept"] == theirs.links["kept"]


def test_captions_are_paragraphs_by_option() -> None:
    html = f"<p>a</p>{FIGURE}"
    assert shown(read(html)) == [("prose", 0, "a")]
    assert read(html).links == {"found": 2, "file": 1, "caption": 1}
    kept = read(html, captions=True)
    assert shown(kept) == [("prose", 0, "a"), ("caption", 0, "c X")]
    assert kept.links == {"found": 2, "file": 1, "kept": 1}


@pytest.mark.parametrize(
    ("html", "reason"),
    [
        (f"<table><tr><td>{link('X')}</td></tr></table>", "table"),
        (f'<div class="navbox">{link("X")}</div>', "box"),
        (f'<span id="coordinates">{link("X")}</span>', "box"),
        (f'<span style="display: none">{link("X")}</span>', "hidden"),
        (f'<ol class="references"><li>{link("X")}</li></ol>', "reference"),
        (f"<h2>{link('X')}</h2>", "heading"),
        (f"<pre>{link('X')}</pre>", "code"),
        (link("Special:Random"), "special"),
        (link("A<b"), "invalid"),
        ('<a rel="mw:WikiLink" href="#x">s</a>', "section"),
        ('<a rel="mw:MediaLink" href="//upload.x/A.ogg">s</a>', "file"),
        (link("Page"), "self"),
        ('<a rel="mw:WikiLink" href="./X" title="X"> </a>', "empty"),
    ],
)  # fmt: skip
def test_every_dropped_link_has_a_reason(html: str, reason: str) -> None:
    assert read(f"<p>a</p>{html}").links == {"found": 1, reason: 1}


def test_red_links_and_odd_addresses() -> None:
    body = (
        '<p><a rel="mw:WikiLink" href="./Oslo?action=edit&amp;redlink=1" title="Oslo" class="new">o</a> '
        '<a rel="mw:WikiLink" href="./What%3F#A_b" title="What?">w</a> '
        '<a rel="mw:WikiLink" href="../AC/DC" title="AC/DC">a</a> '
        '<a rel="nofollow mw:WikiLink" href="./R%26B">r</a></p>'
    )
    assert links(read(body)) == [
        ("o", "Oslo", None),
        ("w", "What?", "A b"),
        ("a", "AC/DC", None),
        ("r", "R&B", None),
    ]


def test_categories_and_languages() -> None:
    body = (
        '<p>a</p><link rel="mw:PageProp/Category" href="./Category:B_c#key"/><div class="navbox">'
        '<link rel="mw:PageProp/Category" href="./Category:D"/></div>'
        '<link rel="mw:PageProp/Language" href="https://de.wikipedia.org/wiki/A%20b_c"/>'
    )
    found = read(body)
    assert (found.categories, found.interlanguage) == (["B c", "D"], [("de", "A b c")])
    assert found.links == {"found": 3, "category": 2, "interlanguage": 1}


def test_templates_are_counted_as_shown_or_not() -> None:
    body = (
        f"<p>{call('Lang', inside='x')} {call('Empty', about=2)}</p>{call('Navbox', 'table', 3)}"
        f"<table><tr><td>{call('Inner', about=4, inside='y')}</td></tr></table>"
        + call("Styled", "style", 5, inside=".a{}")
        + '<p about="#mwt5">text</p>'
        + f"<p>{call('nowrap x', 'b', 6, inside='<i>z</i>')}</p>"
    )
    found = read(body)
    assert found.templates == {
        ("Lang", "rendered"): 1,
        ("Styled", "rendered"): 1,
        ("Nowrap x", "rendered"): 1,
        ("Empty", "dropped"): 1,
        ("Navbox", "dropped"): 1,
        ("Inner", "dropped"): 1,
    }


@pytest.mark.parametrize(
    "body",
    [
        call("Disambiguation", "div", inside="may mean"),
        call("Disambig", "table", inside="<tr><td>may mean"),
        '<p>a</p><meta property="mw:PageProp/disambiguation"/>',
    ],
)
def test_disambiguation_pages(body: str) -> None:
    assert read(body).disambiguation
    assert not read("<p>a</p>").disambiguation


def test_disambiguation_by_the_names_that_the_source_lists() -> None:
    extractor = HtmlExtractor(SITE)
    assert extractor.extract("<p>a</p>", "Page", ["Template:Hndis"]).disambiguation
    assert not extractor.extract("<p>a</p>", "Page", ["Template:Lang"]).disambiguation


FORMULA = (
    '<p>f <span class="mwe-math-element"><span style="display: none;"><math alttext="{\\displaystyle a+b\\,i}">'
    '<semantics><annotation encoding="application/x-tex">{\\displaystyle a+b\\,i}</annotation></semantics></math>'
    '</span><img alt="{\\displaystyle a+b\\,i}"/></span> g</p>'
)


@pytest.mark.parametrize(("math", "text"), [("text", "f a+b i g"), ("tex", "f a+b\\,i g"), ("drop", "f g")])
def test_formulas_in_templates_are_read_by_their_annotation(math: Any, text: str) -> None:
    assert [" ".join(p.text.split()) for p in read(FORMULA, math=math).paragraphs] == [text]


def test_a_whole_document_and_what_is_none() -> None:
    assert shown(read(document(f"<p>a {link('B')}</p>", "Page"))) == [("prose", 0, "a B")]
    assert shown(read("")) == shown(read("<!-- -->")) == shown(read("\x00")) == []
    assert shown(read("text <b>alone")) == [("prose", 0, "text alone")]


def test_numbers_of_links_without_label_count_those_in_tables() -> None:
    body = f"<p>a {NUMBERED}</p><table><tr><td>{NUMBERED}</td></tr></table><p>b {NUMBERED}</p>"
    assert [p.text for p in read(body).paragraphs] == ["a [1]", "b [3]"]
    assert [p.text for p in read(body, link_numbers="drop").paragraphs] == ["a", "b"]


@pytest.mark.parametrize(("asked", "text"), [("plain", "CO2 of 10-6, 2a and 3"), ("unicode", "CO₂ of 10⁻⁶, 2a and 3")])
def test_superscripts_as_signs(asked: Any, text: str) -> None:
    body = f"<p>{link('CO2', 'CO<sub>2</sub>')} of 10<sup>-6</sup>, <sup>2a</sup> and <sup><b>3</b></sup></p>"
    (paragraph,) = read(body, superscripts=asked).paragraphs
    assert paragraph.text == text
    (found,) = paragraph.links
    assert text[found.start : found.end] in ("CO2", "CO₂")


def test_depth_is_bounded_and_nesting_costs_no_stack() -> None:
    found = read("<ul><li>" * 3_000 + "a")
    assert shown(found) == [("list_item", 100, "a")]
    assert found.flags == ["limit:list depth"]
    assert shown(read("<div>" * 5_000 + "<p>a")) == [("prose", 0, "a")]
