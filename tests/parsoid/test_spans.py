"""Of any tree of blocks, links and text: each span has its anchor's text, in order, and every link is accounted for."""

import html as entities

import pytest
from hypothesis import example, given, settings
from hypothesis import strategies as st
from hypothesis.strategies import SearchStrategy

from wikiprep.dump.site import Site
from wikiprep.parsoid.extract import HtmlExtractor

EXTRACTOR = HtmlExtractor(Site.for_language("en"))
WORDS = st.text(st.sampled_from("ab é漢𝒳 \n\t\u00a0.,()\u00ad\u200b\x01\x02\x03\x04"), max_size=8)
INLINE = ("b", "i", "span", "small", "sub")
BLOCK = ("p", "div", "ul", "li", "dl", "dd", "dt", "blockquote", "h2", "section", "td")


def inside(children: SearchStrategy[str]) -> SearchStrategy[str]:
    parts = st.lists(children, max_size=4).map("".join)
    tagged = st.tuples(st.sampled_from((*INLINE, *BLOCK)), parts).map(lambda it: f"<{it[0]}>{it[1]}</{it[0]}>")
    note = parts.map(lambda it: f'<sup class="reference">{it}</sup>')
    return tagged | note


TEXT = WORDS.map(entities.escape)
ANCHOR = st.tuples(st.integers(0, 9), TEXT, st.sampled_from(INLINE)).map(
    lambda it: f'<a rel="mw:WikiLink" href="./T{it[0]}" title="T{it[0]}">{it[1]}<{it[2]}>{it[0]}</{it[2]}></a>'
)
PAGES = st.lists(st.recursive(TEXT | ANCHOR, inside, max_leaves=15), max_size=6).map("".join)


def plain(text: str) -> str:
    for gone in "\xad\u200b\x01\x02\x03\x04":
        text = text.replace(gone, "")
    return " ".join(text.split())


@given(PAGES)
def test_a_span_is_its_anchors_text(page: str) -> None:
    found = EXTRACTOR.extract(page, "Page")
    assert found.links["found"] == sum(n for reason, n in found.links.items() if reason != "found")
    spans = [(p.text[k.start : k.end], k.target) for p in found.paragraphs for k in p.links]
    assert len(spans) == found.links["kept"]
    # Every anchor ends with the digit of its target, so a span that is cut or moved is seen.
    assert all(mention == mention.strip() and mention.endswith(target[1:]) for mention, target in spans)
    for paragraph in found.paragraphs:
        assert paragraph.text == plain(paragraph.text) != ""
        ends = [0, *(k.end for k in paragraph.links)]
        assert all(end <= k.start < k.end for end, k in zip(ends, paragraph.links, strict=False))


@given(st.lists(st.tuples(TEXT, ANCHOR), max_size=5))
def test_in_a_paragraph_spans_are_the_anchors_in_order(pieces: list[tuple[str, str]]) -> None:
    from selectolax.lexbor import LexborHTMLParser

    page = "<p>" + "".join(text + anchor for text, anchor in pieces) + "</p>"
    found = EXTRACTOR.extract(page, "Page")
    anchors = [plain(node.text()) for node in LexborHTMLParser(page).css("a")]
    assert [p.text[k.start : k.end] for p in found.paragraphs for k in p.links] == anchors


TAGS = ("a", "b", "p", "li", "ul", "table", "td", "tr", "h2", "math", "figure", "figcaption", "style", "br", "section")
SCRAPS = st.sampled_from(
    [f"<{tag}>" for tag in (*TAGS, "body", "html", "template", "svg", "!--")]
    + [f"</{tag}>" for tag in TAGS]
    + ['<a rel="mw:WikiLink" href="./X">', '<a rel="mw:WikiLink" href="./%FF#">', "<link rel='mw:PageProp/Category'>"]
    + ["<p typeof='mw:Transclusion' about='#1'", ' data-mw=\'{"parts":', "&amp;", "&#0;", "\x00", "text", " ", '"']
    + ['<span typeof="mw:Extension/math" data-mw=\'{"extsrc":1}\'>', ">", "<", "-->"]
)


@given(st.lists(SCRAPS, max_size=25).map("".join))
@example('text<a rel="mw:WikiLink" href="./X"><p>')
@example('<a rel="mw:WikiLink" href="./X"><h2>text<p>')
@settings(max_examples=300)
def test_no_page_is_too_broken(page: str) -> None:
    found = EXTRACTOR.extract(page, "Page")
    assert found.links["found"] == sum(n for reason, n in found.links.items() if reason != "found")
    for paragraph in found.paragraphs:
        assert all(0 <= k.start < k.end <= len(paragraph.text) for k in paragraph.links)


LABELS = {
    # What a link around blocks is: the mention that it has in the first block with any of its words.
    '<div>See <a rel="mw:WikiLink" href="./X">one<div>two</div></a> on</div>': [
        ("See one", ["one"]),
        ("two", []),
        ("on", []),
    ],
    '<a rel="mw:WikiLink" href="./X"><div>one</div><div>two</div></a>': [("one", ["one"]), ("two", [])],
    'a <a rel="mw:WikiLink" href="./X"> <ul><li>one</li></ul></a> b': [("a", []), ("one", ["one"]), ("b", [])],
}


@pytest.mark.parametrize("page", LABELS)
def test_a_link_around_blocks(page: str) -> None:
    found = EXTRACTOR.extract(page, "Page")
    seen = [(it.text, [it.text[link.start : link.end] for link in it.links]) for it in found.paragraphs]
    assert seen == LABELS[page]
    assert {key: n for key, n in found.links.items() if n} == {"found": 1, "kept": 1}
